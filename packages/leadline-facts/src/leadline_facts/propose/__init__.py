"""What the literals of a text may yield: every operation that their sorts allow."""
