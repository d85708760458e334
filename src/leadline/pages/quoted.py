"""Published results beside measured ones: tables of their own, and what they can be held against.

An entry is one of `quoted` in report.json: system, benchmark, metrics (name -> value), source,
comparable, and why not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Entries = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class QuotedTable:
    """Systems by metrics, as published.

    rows  system and its values as shown; an empty one was not published
    why   in what this benchmark differs from the published one; empty when it does not
    """

    probe: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    sources: tuple[str, ...]
    why: tuple[str, ...]


def quoted_tables(quoted: Entries, probe: str) -> list[QuotedTable]:
    """Return the tables of a benchmark and of its parts."""
    names = dict.fromkeys(str(each["benchmark"]) for each in quoted)
    return [
        _table(name, [each for each in quoted if each["benchmark"] == name])
        for name in names
        if name == probe or name.startswith(f"{probe}/")
    ]


def _table(probe: str, entries: Entries) -> QuotedTable:
    columns = tuple(dict.fromkeys(metric for each in entries for metric in each["metrics"]))
    return QuotedTable(
        probe=probe,
        columns=columns,
        rows=tuple(
            (str(each["system"]), tuple(_shown(each["metrics"].get(name)) for name in columns))
            for each in entries
        ),
        sources=tuple(dict.fromkeys(str(each["source"]) for each in entries)),
        why=tuple(dict.fromkeys(str(each["why"]) for each in entries if not each["comparable"])),
    )


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}".replace("-", "−")
