"""A plain function as a first stage."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leadline.errors import InputError
from leadline.types import Candidates, Corpus, Query, Run

Search = Callable[[Sequence[Query], int, Corpus], list[Any]]
"""Queries, k and corpus -> the ranking of each query, in any of the forms of `ranked`."""


@dataclass(frozen=True)
class Searcher:
    """A retriever that only searches: scores of candidates are picked from a deep search."""

    find: Search
    name: str
    candidate_depth: int

    def index(self, corpus: Corpus) -> _Index:
        """Return the search as it stands."""
        return _Index(self, corpus)


@dataclass(frozen=True)
class _Index:
    searcher: Searcher
    corpus: Corpus

    def search(self, queries: Sequence[Query], k: int) -> Run:
        """Return the first k documents of each ranking; one outside the corpus is an error."""
        if k < 1:
            raise InputError(f"k must be at least 1, got {k}.")
        rankings = self.searcher.find(queries, k, self.corpus)
        if len(rankings) != len(queries):
            raise InputError(
                f"{self.searcher.name} gave {len(rankings)} rankings for {len(queries)} queries."
            )
        run: dict[str, dict[str, float]] = {}
        for query, ranking in zip(queries, rankings, strict=True):
            scores = ranked(ranking, self.searcher.name)
            for id in scores:
                if id not in self.corpus:
                    raise InputError(
                        f"{self.searcher.name} found document {id[:80]!r} for query {query.id!r}, "
                        "which is not in the corpus. It must give the ids of the corpus."
                    )
            run[query.id] = dict(list(scores.items())[:k])
        return run

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        """Return the candidates that a deep search finds."""
        wanted = max((len(candidates.get(query.id, ())) for query in queries), default=0)
        deep = self.search(queries, max(self.searcher.candidate_depth, wanted))
        asked = {query.id: set(candidates.get(query.id, ())) for query in queries}
        return {
            id: {name: score for name, score in scores.items() if name in asked[id]}
            for id, scores in deep.items()
        }


def function_retriever(function: Callable[..., Any], name: str, candidate_depth: int) -> Searcher:
    """Return the first stage that a function from query texts to their rankings is."""
    try:
        takes = set(inspect.signature(function).parameters)
    except (TypeError, ValueError):  # some functions written in C do not tell
        takes = set()

    def find(queries: Sequence[Query], k: int, corpus: Corpus) -> list[Any]:
        extras = {name: value for name, value in (("k", k), ("corpus", corpus)) if name in takes}
        return list(function([query.content for query in queries], **extras))

    return Searcher(find, name, candidate_depth)


def ranked(ranking: Any, name: str) -> dict[str, float]:
    """Return id -> score, best first; ids alone get 1/rank."""
    if isinstance(ranking, Mapping):
        pairs = [(str(id), float(score)) for id, score in ranking.items()]
    elif isinstance(ranking, str) or not hasattr(ranking, "__iter__"):
        raise InputError(f"{name} gave {ranking!r:.80} as the ranking of a query, not a list.")
    else:
        items = list(ranking)
        if all(isinstance(item, tuple | list) and len(item) == 2 for item in items):
            pairs = [(str(id), float(score)) for id, score in items]
        else:
            pairs = [(str(id), 1 / rank) for rank, id in enumerate(items, start=1)]
    scores: dict[str, float] = {}
    for id, score in sorted(pairs, key=lambda pair: -pair[1]):
        scores.setdefault(id, score)
    return scores
