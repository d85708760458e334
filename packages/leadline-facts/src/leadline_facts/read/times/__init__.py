"""Read written days, times of day and durations."""
