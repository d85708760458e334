"""From a function that scores pairs of query and document to a run."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

from leadline.data.cache import cache_folder
from leadline.data.shard_results import kept_results
from leadline.data.spreading import in_order, is_spreading, spread
from leadline.errors import InputError
from leadline.progress import track
from leadline.types import Candidates, Corpus, Document, Query, Reading, Reads, Reranker, Run

Pair = tuple[Query, Document]
Score = Callable[[Sequence[Pair]], Sequence[float]]


class PairModel(Protocol):
    """A model in this process that scores pairs; it can be pickled."""

    @property
    def settings(self) -> dict[str, Any]:
        """What a report tells of the model."""
        ...

    @property
    def identity(self) -> str:
        """What decides a score beside the pair."""
        ...

    def scores(self, pairs: Sequence[Pair]) -> Sequence[float]:
        """Return a number for each pair."""
        ...


@dataclass(frozen=True, slots=True)
class PairReranker(Reranker):
    """A reranker on a model that scores pairs.

    cache  keep scores on disk, so that a run that was broken off goes on from there
    """

    name: str
    model: PairModel
    cache: bool = True

    @property
    def settings(self) -> dict[str, Any]:
        """What a report tells of the reranker."""
        return self.model.settings

    def read(self, queries: Sequence[str], documents: Sequence[str]) -> list[Reading] | None:
        """Return what the model reads of each query and its document; None if it cannot tell."""
        return self.model.read(queries, documents) if isinstance(self.model, Reads) else None

    def rerank(self, queries: Sequence[Query], corpus: Corpus, candidates: Candidates) -> Run:
        """Score every candidate of each query, best first."""
        return rerank_pairs(
            self.model.scores,
            queries,
            corpus,
            candidates,
            identity=self.model.identity,
            keep=self.cache,
        )


def rerank_pairs(
    score: Score,
    queries: Sequence[Query],
    corpus: Corpus,
    candidates: Candidates,
    *,
    block: int = 1024,
    label: str = "Reranking",
    identity: str = "",
    keep: bool = True,
) -> Run:
    """Score every candidate of each query, best first; ties in the order of the candidates.

    score     takes at most `block` pairs at once and returns a number for each
    identity  everything that decides a score beside the pair. With it, blocks are kept on disk
              as they come and may be spread over workers; `score` must then be picklable and
              change nothing but what it returns
    keep      whether blocks are kept on disk, where there is an identity

    Raises InputError when a candidate is not in the corpus, or a score is not a number.
    """
    pairs = _pairs(queries, corpus, candidates)
    total = sum(len(set(candidates.get(query.id, ()))) for query in queries)
    found: dict[str, dict[str, float]] = {query.id: {} for query in queries}
    blocks = iter(lambda: list(islice(pairs, block)), [])
    scored = _scored(score, blocks, identity, keep)
    for each, values in track(scored, label, total=total, step=block):
        for (query, document), value in zip(each, values, strict=True):
            if math.isnan(value):
                raise InputError(
                    f"The score of document {document.id!r} for query {query.id!r} is not a "
                    "number. A model in float16 does that when it overflows: dtype=float32."
                )
            found[query.id][document.id] = value
    return {query: _best_first(scores) for query, scores in found.items()}


def _scored(
    score: Score, blocks: Iterable[list[Pair]], identity: str, keep: bool
) -> Iterator[tuple[list[Pair], Any]]:
    """Yield blocks with their scores, in order, which decides ties."""
    digest = hashlib.sha256(identity.encode()).hexdigest()[:32]
    folder = cache_folder("scores") / digest if identity and keep else None

    def arriving(some: Iterable[list[Pair]]) -> Iterator[tuple[int, Any]]:
        if folder is None:
            return spread(score, some)
        return kept_results(score, some, folder, _content)

    if identity and is_spreading():
        every = list(blocks)
        yield from zip(every, in_order(arriving(every)), strict=True)
        return
    for each in blocks:  # one at a time: a corpus may be larger than memory
        if folder is None:
            yield each, score(each)
        else:
            ((_, values),) = arriving([each])
            yield each, values


def _content(block: Sequence[Pair]) -> list[list[str]]:
    return [[query.content, document.content] for query, document in block]


def _pairs(queries: Sequence[Query], corpus: Corpus, candidates: Candidates) -> Iterator[Pair]:
    for query in queries:
        for name in dict.fromkeys(candidates.get(query.id, ())):
            if name not in corpus:
                raise InputError(
                    f"The candidates of query {query.id!r} name document {name!r}, "
                    "which is not in the corpus."
                )
            yield query, corpus[name]


def _best_first(scores: dict[str, float]) -> dict[str, float]:
    return dict(sorted(scores.items(), key=lambda item: -item[1]))
