"""What a small network has learned of how the figures and the times of a text belong together."""
