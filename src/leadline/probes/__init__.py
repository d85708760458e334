"""Tests made of a corpus by rules: built, kept between runs, and written."""
