"""Benchmarks in parts: the page leads with the whole and lists the parts in its section."""

from __future__ import annotations

from collections.abc import Sequence

from leadline.metrics.meanings import label_of, meaning_of
from leadline.pages.tables import (
    Matrix,
    Results,
    main_metrics,
    metrics_by_system,
    probes_of,
    shaded,
    systems_of,
)


def parts_of(results: Results, probe: str) -> list[str]:
    """Return the benchmarks named `probe/part`, in the order of the results."""
    return [name for name in probes_of(results) if name.startswith(f"{probe}/")]


def without_parts(results: Results) -> Results:
    """Return the results but for those on parts whose whole is there too."""
    parts = {part for probe in probes_of(results) for part in parts_of(results, probe)}
    return [result for result in results if result["benchmark"] not in parts]


def by_part(results: Results, probe: str) -> list[Matrix]:
    """Return a table of parts by systems for each main metric of a benchmark in parts."""
    parts = parts_of(results, probe)
    if not parts:
        return []
    systems = systems_of([r for r in results if r["benchmark"] in parts])
    return [_table(results, probe, parts, systems, m) for m in main_metrics(results, probe)]


def _table(
    results: Results, probe: str, parts: Sequence[str], systems: Sequence[str], metric: str
) -> Matrix:
    by_part = [metrics_by_system(results, part) for part in parts]
    columns = [
        shaded(metric, [by_system.get(system, {}).get(metric) for by_system in by_part])
        for system in systems
    ]
    heads = [part.removeprefix(f"{probe}/") for part in parts]
    rows = zip(heads, zip(*columns, strict=True), strict=True)
    lower = meaning_of(metric).better == "lower"
    return Matrix(f"{label_of(metric)} by part", "part", tuple(systems), tuple(rows), lower)
