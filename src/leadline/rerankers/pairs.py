"""From a function that scores pairs of query and document to a run."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from leadline.distribution.spreading import in_order, is_spreading
from leadline.errors import InputError
from leadline.files.cache import cache_folder
from leadline.files.shard_results import kept_results
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
    identity: str = "",
) -> Run:
    """Score every candidate of each query, best first; ties in the order of the candidates.

    score     takes at most `block` pairs at once and returns a number for each
    identity  everything that decides a score beside the pair. With it, blocks may be spread over
              workers, where they are kept on disk as they come; `score` must then be picklable
              and change nothing but what it returns

    Raises InputError when a candidate is not in the corpus, or a score is not a number.
    """
    pairs = _pairs(queries, corpus, candidates)
    total = sum(len(set(candidates.get(query.id, ()))) for query in queries)
    found: dict[str, dict[str, float]] = {query.id: {} for query in queries}
    blocks = iter(lambda: list(islice(pairs, block)), [])
    scored = (
        _spread(score, blocks, identity) if identity and is_spreading() else _here(score, blocks)
    )
    for each, values in track(scored, label, total=total, step=block):
        for (query, document), value in zip(each, values, strict=True):
            if math.isnan(value):
                raise InputError(
                    f"The score of document {document.id!r} for query {query.id!r} is not a "
                    "number. A model in float16 does that when it overflows: dtype=float32."
                )
            found[query.id][document.id] = value
    return {query: _best_first(scores) for query, scores in found.items()}


def identity_of(model: str, settings: Mapping[str, Any]) -> str:
    """Return what changes when a model's scores may: its settings, and the state of its files."""
    folder = Path(model).expanduser()
    files = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else []
    states = [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return json.dumps([settings, states], sort_keys=True, default=str)


def _here(score: Score, blocks: Iterable[list[Pair]]) -> Iterator[tuple[list[Pair], Any]]:
    return ((each, score(each)) for each in blocks)


def _spread(
    score: Score, blocks: Iterable[list[Pair]], identity: str
) -> Iterator[tuple[list[Pair], Any]]:
    """Score blocks on workers, and put them back in their order, which decides ties."""
    every = list(blocks)
    digest = hashlib.sha256(identity.encode()).hexdigest()[:32]
    folder = cache_folder("scores") / digest
    for place, values in enumerate(in_order(kept_results(score, every, folder, _content))):
        yield every[place], values


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
