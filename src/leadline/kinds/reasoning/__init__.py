"""Reasoning: whether a system finds documents whose relevance only reasoning can recognise."""

from leadline.kinds.reasoning.kind import KIND

__all__ = ["KIND"]
