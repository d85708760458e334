"""What an instruction asks of documents, read by rules."""
