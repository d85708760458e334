"""What a document is like, beside what it is about, and how a query asks for it."""
