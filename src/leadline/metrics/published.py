"""Quirks of released evaluation code, kept so that its numbers can be had again."""

from __future__ import annotations

from collections.abc import Hashable, Sequence


def recall_of_list(retrieved: Sequence[Hashable], relevant: Sequence[Hashable], k: int) -> float:
    """Recall at k divided by the length of the list of relevant ids, duplicates and all.

    Source: princeton-nlp/LitSearch, utils.calculate_recall on the first k ids.
    """
    found = len(set(retrieved[:k]) & set(relevant))
    return found / len(relevant) if relevant else 0.0


def ndcg_by_reciprocal_rank(
    retrieved: Sequence[Hashable], relevant: Sequence[Hashable], k: int
) -> float:
    """NDCG at k that discounts by the rank itself, over an ideal that is not cut at k.

    Source: princeton-nlp/LitSearch, utils.calculate_ndcg on the first k ids.
    """
    gained = sum(1 / rank for rank, each in enumerate(retrieved[:k], 1) if each in relevant)
    ideal = sum(1 / rank for rank in range(1, len(relevant) + 1))
    return gained / ideal if relevant else 0.0
