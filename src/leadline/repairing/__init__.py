"""Repair a search system: try changes on one half of the documents, confirm on the other."""
