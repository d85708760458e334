"""Facts that documents state or imply, derived when they are indexed."""
