"""Compare two output folders: paired differences, significance tests, and a gate."""
