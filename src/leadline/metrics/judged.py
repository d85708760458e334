"""One query with its judgements, and what the standard measures make of it: plain Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2
from typing import Literal, NamedTuple, TypeAlias

from leadline.errors import InputError
from leadline.metrics.ranks import Ties, check_scores, ranks_of

Gain: TypeAlias = Literal["linear", "exponential"]


class Judged(NamedTuple):
    """What a query comes down to.

    hits    (rank, grade) of the relevant documents that were retrieved, best rank first
    grades  grades of all relevant documents, highest first
    """

    hits: Sequence[tuple[int, int]]
    grades: Sequence[int]


def judge(
    query_id: str, ranking: Mapping[str, float], grades: Mapping[str, int], ties: Ties
) -> Judged:
    """Join a ranking with the grades of its query; a document is relevant above grade 0.

    Raises InputError when a score is not finite.
    """
    check_scores(query_id, ranking)
    relevant = {document_id: grade for document_id, grade in grades.items() if grade > 0}
    ranks = ranks_of(ranking, relevant, ties)
    hits = sorted((rank, relevant[document_id]) for document_id, rank in ranks.items())
    return Judged(hits, sorted(relevant.values(), reverse=True))


def ndcg_of(judged: Judged, k: int | None, gain: Gain) -> float:
    """Return the nDCG at k of a query that has a relevant document."""
    ideal = list(enumerate(judged.grades[:k], 1))
    return _discounted(judged.hits, k, gain) / _discounted(ideal, k, gain)


def reciprocal_rank_of(judged: Judged, k: int | None) -> float:
    """Return the reciprocal of the first relevant rank, 0 below k."""
    if not judged.hits or not _within(judged.hits[0][0], k):
        return 0.0
    return 1.0 / judged.hits[0][0]


def average_precision_of(judged: Judged, k: int | None) -> float:
    """Return the average precision at k of a query that has a relevant document."""
    ranks = [rank for rank, _ in judged.hits if _within(rank, k)]
    return sum(number / rank for number, rank in enumerate(ranks, 1)) / len(judged.grades)


def recall_of(judged: Judged, k: int | None) -> float:
    """Return the recall at k of a query that has a relevant document."""
    return sum(_within(rank, k) for rank, _ in judged.hits) / len(judged.grades)


def precision_of(judged: Judged, k: int) -> float:
    """Return the precision at k."""
    return sum(_within(rank, k) for rank, _ in judged.hits) / k


def checked_gain(gain: Gain) -> Gain:
    """Return a known gain. Raises InputError on any other."""
    if gain not in ("linear", "exponential"):
        raise InputError(f"gain must be 'linear' or 'exponential', got {gain!r}.")
    return gain


def _discounted(graded: Sequence[tuple[int, int]], k: int | None, gain: Gain) -> float:
    return sum(
        (grade if gain == "linear" else 2**grade - 1) / log2(rank + 1)
        for rank, grade in graded
        if _within(rank, k)
    )


def _within(rank: int, k: int | None) -> bool:
    return k is None or rank <= k
