"""Implicit facts: whether a document is found that only implies the fact asked for."""

from leadline.kinds.implicit_facts.kind import KIND

__all__ = ["KIND"]
