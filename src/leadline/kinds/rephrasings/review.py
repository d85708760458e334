"""A sheet for people who read queries with their rephrasings."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from leadline.data import sheets
from leadline.metrics.topics import by_topic, is_original
from leadline.types import Query

QUERIES = 100
_TO_FILL = ("equivalent (y/n)", "reads well (y/n)", "remarks")


def write_sheet(path: str | Path, queries: Sequence[Query], *, seed: int = 0) -> int:
    """Write 100 queries drawn by the seed, each with all its rephrasings, as `.csv`.

    Returns how many queries it holds. Raises InputError when the file cannot be written.
    """
    topics = by_topic(queries)
    drawn = random.Random(f"{seed} review").sample(sorted(topics), min(QUERIES, len(topics)))
    rows = [row for topic in drawn for row in _rows(topics[topic])]
    sheets.write_sheet(path, ["id", "query", "kind", "rephrasing", *_TO_FILL], rows)
    return len(drawn)


def _rows(queries: Sequence[Query]) -> Iterator[list[str]]:
    original = next((each.text for each in queries if is_original(each)), "")
    for query in queries:
        if not is_original(query):
            kind = query.facets.get("kind", "")
            yield [query.id, original, kind, query.text, *("" for _ in _TO_FILL)]
