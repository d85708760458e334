"""Which queries are hard to rank: those whose scores barely differ."""

from __future__ import annotations

from leadline.errors import InputError
from leadline.metrics.ranks import check_scores, checked_k
from leadline.types import Run


def score_spread(run: Run, k: int = 50) -> dict[str, float]:
    """Score of the first document minus that of the k-th, for each query with k documents."""
    checked_k(k)
    spreads = {}
    for query_id, ranking in run.items():
        check_scores(query_id, ranking)
        if len(ranking) >= k:
            scores = sorted(ranking.values(), reverse=True)
            spreads[query_id] = scores[0] - scores[k - 1]
    return spreads


def complex_queries(run: Run, *, k: int = 50, below: float = 0.1) -> list[str]:
    """Return the queries whose first and k-th scores differ by less than `below`.

    The threshold is on the scale of the scores: 0.1 was meant for cosines. Queries with fewer
    than k documents are left out.

    Source: Campese et al., Improving Document Retrieval Coherence, section 4.4.
    """
    if not below > 0:
        raise InputError(f"below must be above 0, got {below}.")
    return [query_id for query_id, spread in score_spread(run, k).items() if spread < below]
