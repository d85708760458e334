"""Read words, sentences and exact facts from a text, without a model."""
