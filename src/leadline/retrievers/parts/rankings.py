"""Fuse the rankings of several retrievers, without comparing their scores."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from leadline.errors import InputError
from leadline.types import (
    Candidates,
    Corpus,
    Index,
    Query,
    Reading,
    Retriever,
    Run,
    adopted,
    check_k,
    shared_ranks,
)

T = TypeVar("T")


def fuse(
    retrievers: Sequence[Retriever],
    *,
    k: int = 60,
    depth: int = 100,
    weights: Sequence[float] = (),
) -> Retriever:
    """Return the reciprocal rank fusion of retrievers.

    A document's score is the sum over retrievers of weight / (k + rank), where a retriever that
    did not find it adds nothing. Equal scores of a retriever share the best of their ranks.

    k        how fast the worth of a rank falls, >= 0
    depth    documents taken from each retriever, or more when more are asked for
    weights  one weight >= 0 for each retriever; all 1 when empty

    Source: Cormack et al., Reciprocal Rank Fusion outperforms Condorcet and individual Rank
    Learning Methods.
    """
    if not retrievers:
        raise InputError("A fusion needs at least one system.")
    if k < 0 or depth < 1:
        raise InputError(f"A fusion needs k >= 0 and depth >= 1, got k={k}, depth={depth}.")
    if weights and len(weights) != len(retrievers):
        raise InputError(f"A fusion of {len(retrievers)} systems got {len(weights)} weights.")
    if any(not weight >= 0 for weight in weights):
        raise InputError(f"The weights of a fusion must not be negative, got {list(weights)}.")
    members = tuple(adopted(each, Retriever) for each in retrievers)
    return _Fusion(members, k, depth, tuple(weights) or (1.0,) * len(retrievers))


def reciprocal_ranks(
    rankings: Sequence[Mapping[T, float]], most: int, k: int = 60, weights: Sequence[float] = ()
) -> dict[T, float]:
    """Return the `most` best of what is ranked, with the sum of weight / (k + rank).

    rankings  each best first; equal scores share a rank, and equal sums keep the order of the
              first ranking, then of the second
    weights   one for each ranking; all 1 when empty
    """
    parts: dict[T, list[float]] = {}
    for ranking, weight in zip(rankings, weights or [1.0] * len(rankings), strict=True):
        for each, rank in shared_ranks(ranking).items():
            parts.setdefault(each, []).append(weight / (k + rank))
    # Added exactly: the same ranks in another order of the retrievers are a tie.
    scores = {each: math.fsum(some) for each, some in parts.items()}
    best = sorted(scores.items(), key=lambda item: -item[1])
    return dict(best[:most])


@dataclass(frozen=True, slots=True)
class _Fusion(Retriever):
    retrievers: tuple[Retriever, ...]
    k: int
    depth: int
    weights: tuple[float, ...]

    @property
    def name(self) -> str:
        return f"fusion({', '.join(retriever.name for retriever in self.retrievers)})"

    @property
    def settings(self) -> dict[str, Any]:
        systems = [{"name": retriever.name, **retriever.settings} for retriever in self.retrievers]
        return {"k": self.k, "depth": self.depth, "weights": self.weights, "systems": systems}

    @property
    def own_corpus(self) -> bool:
        return any(each.own_corpus for each in self.retrievers)

    @property
    def failures(self) -> Counter[str]:
        counts: Counter[str] = Counter()
        for retriever in self.retrievers:
            counts.update(retriever.failures)
        return counts

    def read(self, queries: Sequence[str], documents: Sequence[str]) -> list[Reading] | None:
        members = [each.read(queries, documents) for each in self.retrievers]
        known = [each for each in members if each is not None]
        if len(known) < len(members):
            return None
        return [_together(each) for each in zip(*known, strict=True)]

    def index(self, corpus: Corpus) -> _Index:
        return _Index(self, [adopted(each.index(corpus), Index) for each in self.retrievers])


def _together(readings: Sequence[Reading]) -> Reading:
    whole = all(each.cut for each in readings)
    asked = all(each.query_cut for each in readings)
    return Reading(
        tuple(each.document for each in readings),
        readings[0].cut if whole else "",
        readings[0].query_cut if asked else "",
    )


class _Index(Index):
    def __init__(self, fusion: _Fusion, indexes: Sequence[Index]) -> None:
        self._fusion = fusion
        self._indexes = indexes

    @property
    def index_bytes(self) -> int | None:
        sizes = [index.index_bytes for index in self._indexes]
        known = [size for size in sizes if size is not None]
        return sum(known) if len(known) == len(sizes) else None

    def prepare(self) -> None:
        for index in self._indexes:
            index.prepare()

    def close(self) -> None:
        for index in self._indexes:
            index.close()

    def search(self, queries: Sequence[Query], k: int) -> Run:
        check_k(k)
        depth = max(k, self._fusion.depth)
        runs = [index.search(queries, depth) for index in self._indexes]
        return {query.id: self._joined(query, runs, k) for query in queries}

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        runs = [index.score(queries, candidates) for index in self._indexes]
        return {
            query.id: self._joined(query, runs, len(candidates.get(query.id, ())))
            for query in queries
        }

    def _joined(self, query: Query, runs: Sequence[Run], k: int) -> dict[str, float]:
        rankings = [run.get(query.id, {}) for run in runs]
        return reciprocal_ranks(rankings, k, self._fusion.k, self._fusion.weights)


def ranking(names: Sequence[str], scores: Any) -> dict[str, float]:
    """Return id -> score, best first, of an array with a score for each; ties in their order."""
    values = scores.tolist()
    return {names[place]: values[place] for place in np.argsort(-scores, kind="stable").tolist()}


def best_places(scores: Any, k: int, *, above: float = -np.inf) -> Any:
    """Return the places of the k greatest scores, greatest first, ties in order.

    scores  [N]
    above   what a score must exceed
    """
    places = np.flatnonzero(scores > above)
    found = scores[places]
    if len(places) > k:
        least = np.partition(found, len(found) - k)[len(found) - k]
        places = places[found >= least]
        found = scores[places]
    return places[np.argsort(-found, kind="stable")[:k]]


class Best:
    """The best k of scores that come in blocks, for one query.

    Documents come in corpus order, so that ties keep it.
    """

    def __init__(self, k: int) -> None:
        self._k = k
        self._scores: Any = np.empty(0, np.float32)
        self._places: Any = np.empty(0, np.int64)

    def add(self, scores: Any, start: int, *, above: float = -np.inf) -> None:
        """Take in the scores of the documents from place `start` on."""
        if len(self._scores) == self._k:  # an equal score comes too late
            above = max(above, float(self._scores[-1]))
        places = best_places(scores, self._k, above=above)
        if not len(places):
            return
        joined = np.concatenate([self._scores, scores[places]])
        order = np.argsort(-joined, kind="stable")[: self._k]
        self._scores = joined[order]
        self._places = np.concatenate([self._places, places + start])[order]

    def named(self, names: list[str]) -> dict[str, float]:
        """Return score by document, best first."""
        pairs = zip(self._places.tolist(), self._scores.tolist(), strict=True)
        return {names[place]: score for place, score in pairs}
