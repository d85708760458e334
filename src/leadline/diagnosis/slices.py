"""The share of failures in every slice of a benchmark, with intervals."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from leadline.benchmark import Benchmark, of_corpus
from leadline.metrics.significance import SHARE, interval_of_mean
from leadline.metrics.topics import topic_of, values_of
from leadline.types import Corpus, Query

FEW = 5
"""Slices with fewer queries are not reported."""

ALL = "all"

MOST_VALUES = 12
"""Facets with more values are skipped: they would label each query."""


@dataclass(frozen=True)
class Slice:
    """The queries with one value of a facet.

    share      share of failed queries, with its 95 % interval
    """

    facet: str
    value: str
    queries: int
    share: float
    low: float
    high: float


def failing_slices(benchmark: Benchmark, failed: Collection[str], *, seed: int = 0) -> list[Slice]:
    """Return the share of failures in all, then by every facet and length, worst first.

    failed  ids of the queries that failed

    Lengths are divided into three groups. The length of a document is that of a query's best one.
    """
    qrels = of_corpus(benchmark.qrels, benchmark.corpus)
    judged = [query for query in benchmark.queries if qrels.get(query.id)]
    divided = {facet: _by_facet(judged, facet) for facet in _facets(judged)}
    divided["words of the query"] = _in_thirds(
        judged, [len(query.content.split()) for query in judged]
    )
    divided["words of the document"] = _in_thirds(
        judged, [_length(benchmark.corpus, qrels[query.id]) for query in judged]
    )
    found = [
        _slice(facet, value, queries, failed, seed)
        for facet, groups in divided.items()
        if len(groups) > 1
        for value, queries in groups.items()
        if len(queries) >= FEW
    ]
    found.sort(key=lambda each: (-each.low, -each.share, each.facet, each.value))
    return [_slice("queries", ALL, judged, failed, seed), *found] if judged else []


def _facets(queries: Sequence[Query]) -> list[str]:
    names = dict.fromkeys(name for query in queries for name in query.facets)
    return [name for name in names if 1 < len(values_of(queries, name)) <= MOST_VALUES]


def _by_facet(queries: Sequence[Query], facet: str) -> dict[str, list[Query]]:
    groups: dict[str, list[Query]] = {value: [] for value in values_of(queries, facet)}
    for query in queries:
        if facet in query.facets:
            groups[query.facets[facet]].append(query)
    return groups


def _in_thirds(queries: Sequence[Query], lengths: Sequence[int]) -> dict[str, list[Query]]:
    """Divide queries by a length into three groups, or fewer if lengths are equal."""
    ordered = sorted(lengths)
    bounds = [ordered[len(ordered) * part // 3] for part in (1, 2)] if ordered else []
    groups: dict[str, list[Query]] = {}
    for query, length in zip(queries, lengths, strict=True):
        groups.setdefault(_named(length, bounds), []).append(query)
    return groups


def _named(length: int, bounds: Sequence[int]) -> str:
    low, high = bounds
    if length < low:
        return f"under {low}"
    if length >= high:
        return f"{high} and more"
    return str(low) if low == high - 1 else f"{low} to {high - 1}"


def _length(corpus: Corpus, grades: Mapping[str, int]) -> int:
    return len(corpus[max(grades, key=grades.__getitem__)].content.split())


def _slice(
    facet: str, value: str, queries: Sequence[Query], failed: Collection[str], seed: int
) -> Slice:
    values = [float(query.id in failed) for query in queries]
    clusters = [query.facets.get("document") or topic_of(query) for query in queries]
    low, high = interval_of_mean(values, seed, bounds=SHARE, clusters=clusters)
    return Slice(facet, value, len(queries), sum(values) / len(values), low, high)
