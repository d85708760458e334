"""All metrics: each one as a plain function, and as a `Metric` over queries."""
