"""Equivalent forms of a query."""
