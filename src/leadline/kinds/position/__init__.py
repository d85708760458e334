"""Position: whether a document is found by what stands in its middle and at its end."""

from leadline.kinds.position.kind import KIND

__all__ = ["KIND"]
