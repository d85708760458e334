"""Every measure, as a bare function and as a `Metric` that works on queries."""
