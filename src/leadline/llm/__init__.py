"""Language models: at an endpoint, in this process, from a cache, from a script."""
