"""Propose every value that the literals of a text may imply."""
