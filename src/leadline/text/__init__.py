"""Words, sentences and exact facts of a text: what code can read without a model."""
