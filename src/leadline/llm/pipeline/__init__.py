"""The engine of all pipelines: generate, check by code, verify with a second model, retry."""
