"""Conditions: whether a document that breaks one of k scores below one that meets all."""

from leadline.kinds.conditions.kind import KIND, MOST_CONDITIONS, curve_by_k

__all__ = ["KIND", "MOST_CONDITIONS", "curve_by_k"]
