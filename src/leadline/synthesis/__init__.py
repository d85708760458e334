"""Tests built from the user's own documents."""
