"""Topics, which are the variants of one query, and subsets of them by facet.

All metrics that compare variants follow three rules:

* a query without a topic is its own topic;
* a topic without a variant that the metric needs has no value, rather than 0;
* a document that is not in a ranking has the rank after its last one (`ranks.rank_of`) and a score
  below all others (`ranks.score_of`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from leadline.errors import InputError
from leadline.types import Metric, Query

Where: TypeAlias = tuple[tuple[str, str], ...]
"""(facet, value) pairs that a query must all have."""


def topic_of(query: Query) -> str:
    """Return the topic of a query, or its id if it has none."""
    return query.topic or query.id


def by_topic(queries: Iterable[Query]) -> dict[str, list[Query]]:
    """Group queries by topic, both in the order in which they come."""
    topics: dict[str, list[Query]] = {}
    for query in queries:
        topics.setdefault(topic_of(query), []).append(query)
    return topics


def is_original(query: Query) -> bool:
    """Return whether the facet `kind` or `mode` marks a query as the original of its topic."""
    return "original" in (query.facets.get("kind"), query.facets.get("mode"))


def original_of(variants: Sequence[Query]) -> Query | None:
    """Return the original among the queries of a topic, or None.

    Raises InputError if there are several.
    """
    originals = [query for query in variants if is_original(query)]
    if len(originals) > 1:
        raise InputError(
            f"Topic {topic_of(originals[0])!r} has {len(originals)} originals "
            f"({originals[0].id!r}, {originals[1].id!r}). Only one query may have the facet "
            "kind=original or mode=original."
        )
    return originals[0] if originals else None


def matching(queries: Iterable[Query], where: Where) -> list[Query]:
    """Return the queries that have every one of the facet values."""
    return [
        query
        for query in queries
        if all(query.facets.get(facet) == value for facet, value in where)
    ]


def select(
    queries: Iterable[Query], facet: str, value: str, *, keep_originals: bool = False
) -> list[Query]:
    """Return the queries with a facet value, in their order.

    keep_originals  also keep the originals of their topics
    """
    queries = list(queries)
    kept = {query.id for query in queries if query.facets.get(facet) == value}
    if keep_originals:
        topics = {topic_of(query) for query in queries if query.id in kept}
        kept |= {q.id for q in queries if is_original(q) and topic_of(q) in topics}
    return [query for query in queries if query.id in kept]


def units_of(metric: Metric, queries: Iterable[Query]) -> list[str]:
    """Return the units that a metric applies to."""
    queries = list(queries)
    own = metric.units(queries)
    if own is not None:
        return list(own)
    if metric.unit == "topic":
        return list(by_topic(queries))
    return [query.id for query in matching(queries, metric.where)]


def values_of(queries: Iterable[Query], facet: str) -> list[str]:
    """Return the distinct values of a facet, sorted by number if all are numbers, else by name."""
    values = {query.facets[facet] for query in queries if facet in query.facets}
    if all(_NUMBER.fullmatch(value) for value in values):
        return sorted(values, key=lambda value: (float(value), value))
    return sorted(values)


_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?")
