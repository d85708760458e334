"""Ranking: whether the relevant documents are ranked first."""

from leadline.kinds.ranking.kind import KIND

__all__ = ["KIND"]
