"""Which golds people should look at: those that most systems do not find, or score low.

Source: Zhou et al., Beyond Content Relevance, section 2.2, step 7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from leadline.benchmark import Benchmark
from leadline.data import sheets
from leadline.types import Run

DEEPEST = 50
_TO_FILL = ("answers the query (y/n)", "meets the condition (y/n)", "remarks")


class Doubt(NamedTuple):
    """A gold document that is not found well by its core query.

    missed  systems that do not have it among the first, by name
    low     systems that score it below the threshold
    """

    query: str
    document: str
    missed: tuple[str, ...]
    low: tuple[str, ...]


def doubtful(
    benchmark: Benchmark,
    runs: Mapping[str, Run],
    *,
    depth: int = DEEPEST,
    least: float | None = None,
) -> list[Doubt]:
    """Return golds that at least half of the systems miss, or score below a threshold.

    runs   system -> its run of the original queries
    least  threshold of the score; None for none, as scores of systems do not compare
    """
    found: dict[tuple[str, str], Doubt] = {}
    for query in benchmark.queries:
        if query.facets.get("mode") != "original":
            continue
        for id, grade in benchmark.qrels.get(query.id, {}).items():
            if grade <= 0 or (query.text, id) in found:
                continue
            of = {system: list(run.get(query.id, {})) for system, run in runs.items()}
            missed = tuple(system for system, ids in of.items() if id not in ids[:depth])
            low = tuple(
                system
                for system, run in runs.items()
                if least is not None and run.get(query.id, {}).get(id, least) < least
            )
            if 2 * len(missed) >= len(runs) or low:
                found[query.text, id] = Doubt(query.text, id, missed, low)
    return list(found.values())


def write_sheet(path: str | Path, benchmark: Benchmark, doubts: Sequence[Doubt]) -> None:
    """Write the doubtful golds as `.csv`, with columns for readers to fill in."""
    rows = (
        [
            doubt.query,
            doubt.document,
            benchmark.corpus[doubt.document].content,
            " ".join(doubt.missed),
            " ".join(doubt.low),
            *("" for _ in _TO_FILL),
        ]
        for doubt in doubts
    )
    columns = ["query", "document", "text", "missed by", "low with", *_TO_FILL]
    sheets.write_sheet(path, columns, rows)
