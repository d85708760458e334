"""Resolve time expressions, relative to their message and to earlier times."""
