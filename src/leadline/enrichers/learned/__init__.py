"""What a small network has learned of how the figures of a text belong together."""
