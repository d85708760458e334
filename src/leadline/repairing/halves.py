"""Two halves of a benchmark that share no source document."""

from __future__ import annotations

import dataclasses
import hashlib

from leadline.benchmark import Benchmark
from leadline.metrics.topics import topic_of
from leadline.types import Query


def halves(benchmark: Benchmark, seed: int = 0) -> tuple[Benchmark, Benchmark]:
    """Divide the queries by source document; corpus and metrics stay whole.

    The source is the facet `document`, else the topic; which half it falls into depends on its
    name and the seed alone.
    """
    first = {query.id for query in benchmark.queries if _falls_first(query, seed)}
    others = {query.id for query in benchmark.queries} - first
    return _only(benchmark, first), _only(benchmark, others)


def _falls_first(query: Query, seed: int) -> bool:
    return falls_first(query.facets.get("document") or topic_of(query), seed)


def falls_first(source: str, seed: int = 0) -> bool:
    """Tell whether the queries of a source document, or of a topic, are in the first half."""
    digest = hashlib.blake2b(f"{seed}/{source}".encode("utf-8", "surrogatepass"), digest_size=8)
    return digest.digest()[0] % 2 == 0


def _only(benchmark: Benchmark, kept: set[str]) -> Benchmark:
    candidates = benchmark.candidates
    return dataclasses.replace(
        benchmark,
        queries=[query for query in benchmark.queries if query.id in kept],
        qrels={id: grades for id, grades in benchmark.qrels.items() if id in kept},
        candidates=None
        if candidates is None
        else {id: ids for id, ids in candidates.items() if id in kept},
    )
