"""Kinds of tests, one folder or file each: the question, metrics and report of a kind."""
