"""leadline list: what there is to name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from leadline.cli import options

if TYPE_CHECKING:
    from leadline.kinds.kind import Kind as KindOfTest
    from leadline.metrics.record import Record
    from leadline.systems.registry import Here


class Kind(StrEnum):
    """What can be listed."""

    systems = "systems"
    benchmarks = "benchmarks"
    metrics = "metrics"
    kinds = "kinds"


def show(
    kind: Annotated[Kind, typer.Argument(help="What to list.", show_default=False)],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print all that is known, as JSON, and nothing else.")
    ] = False,
) -> None:
    """List systems, benchmarks, metrics or kinds of tests by the names that other commands take.

    Of a system: ✓ can run here now; otherwise what it lacks.

    Of a metric: ↑ higher is better, ↓ lower is better; options, the default first.

    With --json a system comes with every setting that its name stands for, and where each was
    read: the repository, path and version, or under `unverified` that no source was found.
    """
    if as_json:
        options.print_json(_ENTRIES[kind]())
        return
    from leadline.cli.tables import print_groups, print_rows
    from leadline.systems import registry

    if kind is Kind.systems:
        from leadline.systems.registry import systems_here

        print_groups(
            (
                each.family,
                f"{'✓' if not each.missing else '·'} {each.name}",
                each.about,
                _terms(each),
            )
            for each in systems_here()
        )
    elif kind is Kind.benchmarks:
        print_rows(
            ["benchmark", "what it tests", "options, after a colon"],
            [(row.name, row.about, "\n".join(row.options)) for row in registry.benchmarks()],
        )
    elif kind is Kind.kinds:
        from leadline.kinds.registry import kinds

        print_rows(
            ["kind", "what it asks", "probe of `leadline check`"],
            [(row.name, row.question, _probe(row)) for row in kinds()],
        )
    else:
        print_rows(
            ["metric", "range", "what it says", "source"],
            [(row.name, _range(row), _meaning(row), row.source) for row in _every_metric()],
        )


def _systems() -> list[dict[str, Any]]:
    from leadline.systems.catalog import ROWS, Row
    from leadline.systems.registry import systems_here

    entries = []
    for each in systems_here():
        row = ROWS.get(each.name, Row(each.name, each.family, each.about))
        read = {
            "options": dict(row.options),
            "systems": list(row.systems),
            "sources": {field: row.source_of[field] for field in sorted(row.source_of)},
            "unverified": dict(row.unverified),
        }
        entries.append({**asdict(each), **read})
    return entries


def _benchmarks() -> list[dict[str, Any]]:
    from leadline.systems import registry

    return [asdict(row) for row in registry.benchmarks()]


def _every_metric() -> tuple[Record, ...]:
    from leadline.kinds.registry import kinds
    from leadline.metrics.names import catalogue

    kinds()  # those that only one of them has
    return catalogue()


def _metrics() -> list[dict[str, Any]]:
    return [asdict(row) for row in _every_metric()]


def _kinds() -> list[dict[str, Any]]:
    from leadline.kinds.registry import kinds

    return [
        {
            "name": row.name,
            "question": row.question,
            "metrics": [metric.name for metric in row.metrics],
            "main": list(row.main),
            "breakdowns": list(row.breakdowns),
            "probe": None if row.probe is None else row.probe.about,
            "probe_by_default": row.probe is not None and row.probe.by_default,
        }
        for row in kinds()
    ]


_ENTRIES: Mapping[Kind, Callable[[], list[dict[str, Any]]]] = {
    Kind.systems: _systems,
    Kind.benchmarks: _benchmarks,
    Kind.metrics: _metrics,
    Kind.kinds: _kinds,
}


def _probe(kind: KindOfTest) -> str:
    if kind.probe is None:
        return "–"
    return "built by default" if kind.probe.by_default else f"--probe {kind.name}"


def _terms(system: Here) -> str:
    """Say what a system takes: its size, memory and licence, and what it lacks here."""
    memory = f"{system.memory / 1e9:.1f} GB of memory" if system.memory else ""
    lacks = f"not here: {system.missing}" if system.missing else ""
    terms = (_size(system.parameters), memory, system.license, lacks)
    return " · ".join(term for term in terms if term)


def _range(row: Record) -> str:
    return f"{row.range}\u00a0{({'higher': '↑', 'lower': '↓'}).get(row.better, '')}".rstrip()


def _meaning(row: Record) -> str:
    beside = f" (only beside {row.qualifies})" if row.qualifies else ""
    options = row.options.replace("|", " | ")
    return f"{row.meaning}{beside}\n{options}".rstrip()


def _size(millions: float) -> str:
    if not millions:
        return ""
    return f"{millions / 1000:.1f}B weights" if millions >= 1000 else f"{millions:.0f}M weights"
