"""One engine for every pipeline: generate, check by code, verify by a second model, regenerate."""
