"""A plain function as a first stage."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from leadline.errors import InputError
from leadline.progress import track
from leadline.types import Candidates, Corpus, Index, Query, Retriever, Run

CANDIDATE_DEPTH = 1000

Search = Callable[[Sequence[Query], int, Corpus], list[Any]]
"""Queries, k and corpus -> the ranking of each query, in any of the forms of `ranked`."""


@dataclass(frozen=True)
class Searcher(Retriever):
    """A retriever that only searches: scores of candidates are picked from a deep search.

    own_corpus  whether it searches documents of its own, whatever corpus it is given; what it
                finds outside of that corpus is then passed over and counted
    """

    find: Search
    name: str
    candidate_depth: int = CANDIDATE_DEPTH
    own_corpus: bool = False
    tally: Counter[str] = field(default_factory=Counter)

    @property
    def settings(self) -> dict[str, Any]:
        """What a report tells of it."""
        return {"candidate_depth": self.candidate_depth, **self.tally}

    def index(self, corpus: Corpus) -> _Index:
        """Return the search as it stands."""
        return _Index(self, corpus)


@dataclass(frozen=True)
class _Index(Index):
    searcher: Searcher
    corpus: Corpus

    def search(self, queries: Sequence[Query], k: int) -> Run:
        """Return the first k documents of each ranking that are in the corpus.

        Raises InputError for one that is not, or where none is that a search of its own found.
        """
        if k < 1:
            raise InputError(f"k must be at least 1, got {k}.")
        rankings = self.searcher.find(queries, k, self.corpus)
        if len(rankings) != len(queries):
            raise InputError(
                f"{self.searcher.name} gave {len(rankings)} rankings for {len(queries)} queries."
            )
        run: dict[str, dict[str, float]] = {}
        outside: list[tuple[str, str]] = []
        for query, ranking in zip(queries, rankings, strict=True):
            scores = ranked(ranking, self.searcher.name)
            outside += [(id, query.id) for id in scores if id not in self.corpus]
            inside = [(id, score) for id, score in scores.items() if id in self.corpus]
            run[query.id] = dict(inside[:k])
        if outside and (not self.searcher.own_corpus or not any(run.values())):
            id, asked = outside[0]
            raise InputError(
                f"{self.searcher.name} found document {id[:80]!r} for query {asked!r}, "
                "which is not in the corpus. It must give the ids of the corpus."
            )
        if outside:
            self.searcher.tally["outside_corpus"] += len(outside)
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


def function_at(path: Path, module: Any, name: str) -> Searcher:
    """Return the first stage that a function of a user's file is.

    module  the file, imported
    name    of the function; empty for `search`, or the only one that the file has

    Raises InputError when there is none.
    """
    found = getattr(module, name, None) if name else _only_function(module)
    if not callable(found):
        lacks = (
            f"has no function {name}" if name else "has no function build(**options), nor search"
        )
        raise InputError(
            f"{path} {lacks}. A file has build(), which returns a system, or a function (query, k) "
            f"that searches: -s {path.name}:NAME."
        )
    function: Callable[..., Any] = found
    one_by_one = next(iter(_parameters(function)), "") != "queries"
    return function_retriever(function, f"{path.stem}.{function.__name__}", one_by_one=one_by_one)


def _only_function(module: Any) -> Any:
    if callable(getattr(module, "search", None)):
        return module.search
    own = [
        each
        for name, each in vars(module).items()
        if inspect.isfunction(each) and each.__module__ == module.__name__ and name[:1] != "_"
    ]
    return own[0] if len(own) == 1 else None


def function_retriever(
    function: Callable[..., Any],
    name: str,
    candidate_depth: int = CANDIDATE_DEPTH,
    *,
    one_by_one: bool | None = None,
) -> Searcher:
    """Return the first stage that a function is.

    function    from query texts to their rankings, in any of the forms of `ranked`; it is given
                `k` and `corpus` where it has such parameters, and without the second it is taken
                to search a corpus of its own
    one_by_one  whether it takes one text and gives one ranking; None: if that is called `query`
    """
    takes = _parameters(function)
    if one_by_one is None:
        one_by_one = takes[:1] == ["query"]

    def find(queries: Sequence[Query], k: int, corpus: Corpus) -> list[Any]:
        extras = {name: value for name, value in (("k", k), ("corpus", corpus)) if name in takes}
        texts = [query.content for query in queries]
        if one_by_one:
            return [function(text, **extras) for text in track(texts, f"Asking {name}")]
        return list(function(texts, **extras))

    return Searcher(find, name, candidate_depth, own_corpus="corpus" not in takes)


def _parameters(function: Callable[..., Any]) -> list[str]:
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):  # some functions written in C do not tell
        return []


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
