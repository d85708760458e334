"""From a function that scores pairs of query and document to a run."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from leadline.errors import InputError
from leadline.progress import track
from leadline.types import Candidates, Corpus, Document, Query, Run

Pair = tuple[Query, Document]
Score = Callable[[Sequence[Pair]], Sequence[float]]


def rerank_pairs(
    score: Score,
    queries: Sequence[Query],
    corpus: Corpus,
    candidates: Candidates,
    *,
    block: int = 1024,
    label: str = "Reranking",
) -> Run:
    """Score every candidate of each query, best first; ties in the order of the candidates.

    score  takes at most `block` pairs at once and returns a number for each

    Raises InputError when a candidate is not in the corpus, or a score is not a number.
    """
    pairs = _pairs(queries, corpus, candidates)
    total = sum(len(set(candidates.get(query.id, ()))) for query in queries)
    found: dict[str, dict[str, float]] = {query.id: {} for query in queries}
    blocks = iter(lambda: list(islice(pairs, block)), [])
    for each in track(blocks, label, total=total, step=block):
        for (query, document), value in zip(each, score(each), strict=True):
            if math.isnan(value):
                raise InputError(
                    f"The score of document {document.id!r} for query {query.id!r} is not a "
                    "number. A model in float16 does that when it overflows: dtype=float32."
                )
            found[query.id][document.id] = value
    return {query: _best_first(scores) for query, scores in found.items()}


def in_batches(lengths: Sequence[int], batch_size: int) -> Iterator[list[int]]:
    """Yield positions in batches of like length, the longest first, so that memory is known."""
    ordered = sorted(range(len(lengths)), key=lambda position: -lengths[position])
    for start in range(0, len(ordered), batch_size):
        yield ordered[start : start + batch_size]


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
