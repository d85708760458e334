"""leadline list: the names of systems, benchmarks, metrics and kinds of tests."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Literal

from leadline.cli import options


def show(
    kind: Literal["systems", "benchmarks", "metrics", "kinds"], *, as_json: bool = False
) -> None:
    """List the systems, benchmarks, metrics or kinds of tests that you can name in other commands.

    Systems: ✓ can run here now; · lacks something, which is named.

    Metrics: ↑ higher is better, ↓ lower is better. The default of an option comes first.

    --json also lists every setting of a system and its source: repository, path and version.
    Settings without a known source are listed under `unverified`.

    Options:
        kind: What to list.
    """
    listed = {
        "systems": _systems, "benchmarks": _benchmarks, "metrics": _metrics, "kinds": _kinds,
    }  # fmt: skip
    listed[kind](as_json)


def _systems(as_json: bool) -> None:
    from leadline.cli.tables import print_groups
    from leadline.systems.catalog import ROWS, Row, systems_here

    entries: list[dict[str, Any]] = []
    shown = []
    for each in systems_here():
        row = ROWS.get(each.name, Row(each.name, each.family, each.about))
        read = {
            "options": dict(row.options),
            "systems": list(row.systems),
            "sources": {field: row.source_of[field] for field in sorted(row.source_of)},
            "unverified": dict(row.unverified),
        }
        entries.append({**asdict(each), **read})
        terms = (
            _size(each.parameters),
            f"{each.memory / 1e9:.1f} GB of memory" if each.memory else "",
            each.license,
            f"not here: {each.missing}" if each.missing else "",
        )
        name = f"{'·' if each.missing else '✓'} {each.name}"
        shown.append((each.family, name, each.about, " · ".join(filter(None, terms))))
    options.print_json(entries) if as_json else print_groups(shown)


def _size(millions: float) -> str:
    if not millions:
        return ""
    return f"{millions / 1000:.1f}B weights" if millions >= 1000 else f"{millions:.0f}M weights"


def _benchmarks(as_json: bool) -> None:
    from leadline.cli.tables import print_rows
    from leadline.systems.catalog import benchmarks

    rows = benchmarks()
    if as_json:
        options.print_json([asdict(row) for row in rows])
        return
    columns = ["benchmark", "what it tests", "options, after a colon"]
    print_rows(columns, [(row.name, row.about, "\n".join(row.options)) for row in rows])


def _metrics(as_json: bool) -> None:
    from leadline.cli.tables import print_rows
    from leadline.kinds.registry import kinds
    from leadline.metrics.names import catalogue

    kinds()  # columns that only one of the lists has
    rows = catalogue()
    if as_json:
        options.print_json([asdict(row) for row in rows])
        return
    shown = []
    for row in rows:
        arrow = {"higher": "↑", "lower": "↓"}.get(row.better, "")
        beside = f" (only beside {row.qualifies})" if row.qualifies else ""
        meaning = f"{row.meaning}{beside}\n{row.options.replace('|', ' | ')}".rstrip()
        shown.append((row.name, f"{row.range}\u00a0{arrow}".rstrip(), meaning, row.source))
    print_rows(["metric", "range", "what it says", "source"], shown)


def _kinds(as_json: bool) -> None:
    from leadline.cli.tables import print_rows
    from leadline.kinds.registry import kinds

    rows = kinds()
    if as_json:
        options.print_json([
            {
                "name": row.name,
                "question": row.question,
                "metrics": [metric.name for metric in row.metrics],
                "main": list(row.main),
                "breakdowns": list(row.breakdowns),
                "probe": None if row.probe is None else row.probe.about,
                "probe_by_default": row.probe is not None and row.probe.by_default,
            }
            for row in rows
        ])  # fmt: skip
        return
    shown = []
    for row in rows:
        how = f"--probe {row.name}" if row.probe else "–"
        if row.probe and row.probe.by_default:
            how = "built by default"
        shown.append((row.name, row.question, how))
    print_rows(["kind", "what it asks", "probe of `leadline check`"], shown)
