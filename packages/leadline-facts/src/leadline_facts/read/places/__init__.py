"""Names of places, and the countries they lie in."""
