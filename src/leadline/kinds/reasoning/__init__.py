"""Reasoning: whether documents are found whose relevance takes reasoning to see."""

from leadline.kinds.reasoning.kind import KIND

__all__ = ["KIND"]
