"""Implicit facts: whether a system finds a document that only implies the requested fact."""

from leadline.kinds.implicit_facts.kind import KIND

__all__ = ["KIND"]
