"""Heavy work in shards: in this process, on several, or on a cluster."""
