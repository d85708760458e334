"""Rules that find dates, times, ages and lengths of time."""
