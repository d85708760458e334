"""What a language model says of a document, read, recomputed and checked."""
