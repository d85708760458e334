"""Rerankers: one file for each. A new file is found by its name."""
