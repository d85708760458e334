"""Let a language model answer from retrieved documents, and judge its answers."""
