"""Derive facts that documents state or imply, when they are indexed."""
