"""What expressions of time mean, seen from a message and from what was told before them."""
