"""Rephrasings: whether equivalent forms of a query find the same documents."""

from leadline.kinds.rephrasings.kind import KIND

__all__ = ["KIND"]
