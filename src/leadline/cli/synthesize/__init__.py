"""leadline synthesize KIND: one small file for each kind."""
