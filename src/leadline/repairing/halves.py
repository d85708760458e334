"""Two halves of a benchmark that share no source document."""

from __future__ import annotations

import hashlib

from leadline.benchmark import Benchmark
from leadline.metrics.topics import topic_of
from leadline.types import Query


def halves(benchmark: Benchmark, seed: int = 0) -> tuple[Benchmark, Benchmark]:
    """Divide the queries by source document; corpus and metrics stay whole.

    The source is the facet `document`, else the topic; which half it falls into depends on its
    name and the seed alone.
    """

    def is_first(query: Query) -> bool:
        source = query.facets.get("document") or topic_of(query)
        text = f"{seed}/{source}".encode("utf-8", "surrogatepass")
        return hashlib.blake2b(text, digest_size=8).digest()[0] % 2 == 0

    first = [query for query in benchmark.queries if is_first(query)]
    others = [query for query in benchmark.queries if not is_first(query)]
    return benchmark.only(first), benchmark.only(others)
