"""Days, times of day and lengths of time, as they are written."""
