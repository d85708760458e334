"""Candidates in an order that says nothing of them, and rankings whose ties stay ties."""

from __future__ import annotations

import math
import random
from array import array
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TypeAlias, TypeVar

from leadline.types import Candidates, Query, Run

T = TypeVar("T")

Seed: TypeAlias = int | None
"""Of the order of candidates; None where they stand in the order of a first stage."""


class Ranked(tuple[str, ...]):
    """The candidates of a query as a stage left them, best first, with its scores.

    Documents with equal scores are ties, whatever their order.
    """

    scores: Mapping[str, float]

    def __new__(cls, scores: Mapping[str, float]) -> Ranked:
        """Take a ranking, best first."""
        ranked = super().__new__(cls, scores)
        ranked.scores = scores
        return ranked


def scores_of(candidates: Sequence[str]) -> Mapping[str, float]:
    """Return the scores that candidates came with; for a plain list, scores that fall by one."""
    if isinstance(candidates, Ranked):
        return candidates.scores
    return {id: float(len(candidates) - place) for place, id in enumerate(candidates)}


def shuffled(queries: Sequence[Query], candidates: Candidates, seed: int) -> dict[str, Ranked]:
    """Return the candidates of each query as ties, in an order that says nothing of them.

    It is that of the seed, the topic and the number of conditions (facet `k`): variants of a query
    have the same documents in the same order, and where one variant has another document in a
    place, that place stays. The order in which candidates are given does not matter.
    """
    found = {}
    for query in queries:
        if query.id in candidates:
            ids = sorted(set(candidates[query.id]))
            source = f"{seed} {query.topic or query.id} {query.facets.get('k', '')}"
            random.Random(source).shuffle(ids)
            found[query.id] = Ranked(dict.fromkeys(ids, 0.0))
    return found


def ties_shuffled(queries: Sequence[Query], run: Run, seed: int) -> Run:
    """Return a run, best first, whose ties stand in an order that says nothing of them."""
    places = shuffled(queries, {query: tuple(scores) for query, scores in run.items()}, seed)
    return {
        query: dict(sorted(((id, run[query][id]) for id in ids), key=lambda pair: -pair[1]))
        for query, ids in places.items()
    }


def shared_ranks(ranking: Mapping[T, float]) -> dict[T, int]:
    """Return the rank, from 1, of everything in a ranking, which stands best first.

    Equal scores share the best of their ranks: 1, 2, 2, 4. NaN equals nothing.
    """
    ranks: dict[T, int] = {}
    last, shared = math.nan, 0
    for place, (each, score) in enumerate(ranking.items(), start=1):
        if score != last:
            last, shared = score, place
        ranks[each] = shared
    return ranks


def first(scores: Mapping[str, float], most: int | None) -> dict[str, float]:
    """Return the first documents of a ranking; None for all."""
    return dict(islice(scores.items(), most))


def followed(above: Mapping[str, float], found: Mapping[str, float]) -> Mapping[str, float]:
    """Put below a ranking what else was found, in its order.

    Where its scores are no lower as 32-bit floats, as which metrics compare them, they fall by one
    a rank from the lowest score above; ties stay ties.
    """
    below = {document: score for document, score in found.items() if document not in above}
    if not above or not below:
        return {**above, **below}
    floor = min(above.values())
    highest, lowest = array("f", (max(below.values()), floor))
    if highest >= lowest:
        step = max(1.0, abs(floor) * 1e-6)
        below = {id: floor - step * rank for id, rank in shared_ranks(below).items()}
    return {**above, **below}
