"""Instructions: whether a ranking follows an instruction about documents, and its reverse."""

from leadline.kinds.instructions.kind import DEPTH, KIND, is_instructed, metrics_of

__all__ = ["DEPTH", "KIND", "is_instructed", "metrics_of"]
