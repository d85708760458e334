"""Rules that find money, numbers, measures and shares."""
