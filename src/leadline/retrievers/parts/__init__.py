"""What first stages share: words, vectors on disk, exact search, rankings, calls of services."""
