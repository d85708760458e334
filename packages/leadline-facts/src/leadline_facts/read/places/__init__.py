"""Names of places and their countries."""
