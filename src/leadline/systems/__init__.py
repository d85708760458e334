"""Turn what a user types into systems and benchmarks."""
