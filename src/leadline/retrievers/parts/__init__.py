"""Code that first stages share: words, vectors on disk, exact search, fusion, HTTP calls."""
