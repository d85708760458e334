"""Instructions: whether a ranking follows what is asked of documents, and its reverse."""

from leadline.kinds.instructions.kind import DEPTH, KIND, is_instructed, metrics_of

__all__ = ["DEPTH", "KIND", "is_instructed", "metrics_of"]
