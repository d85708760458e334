"""Conditions: whether a document that breaks one of k scores below one that meets all."""

from leadline.kinds.conditions.kind import KIND, MOST_CONDITIONS, win_rate_curve

__all__ = ["KIND", "MOST_CONDITIONS", "win_rate_curve"]
