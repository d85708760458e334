"""A benchmark with some of its queries, for a study of those alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from leadline.benchmark import Benchmark
from leadline.types import Metric, Query


def narrowed(
    benchmark: Benchmark, queries: Sequence[Query], metrics: Sequence[Metric]
) -> Benchmark:
    """Return the benchmark with these queries of it and these metrics, and no breakdowns."""
    kept = {each.id for each in queries}
    given = benchmark.candidates
    return dataclasses.replace(
        benchmark,
        queries=list(queries),
        qrels={id: grades for id, grades in benchmark.qrels.items() if id in kept},
        candidates=None if given is None else {id: given[id] for id in given if id in kept},
        metrics=tuple(metrics),
        breakdowns=(),
    )
