"""Questions: whether the documents that answer a natural query are ranked first."""

from leadline.kinds.questions.kind import KIND

__all__ = ["KIND"]
