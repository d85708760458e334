"""The results as tables: systems by probe, breakdowns by facet, and every metric."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from leadline.drawings.curves import Bar, bar
from leadline.evidence import FEWEST
from leadline.kinds.registry import kind_or_ranking
from leadline.kinds.wording import headline_of, is_weakest, surely_better
from leadline.metrics.meanings import label_of, meaning_of
from leadline.metrics.names import read_name
from leadline.report import unranked

MOST_COLUMNS = 4  # systems that fit side by side on a phone

Results = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Cell:
    """A mean as shown.

    best   every other system is surely worse: `wording.surely_better`
    weakest  every other cell is surely better
    few    it is of too few units to have an interval
    flaw   0 (perfect) to 4, for the shade of a breakdown
    """

    mean: str
    low: str
    high: str
    n: int
    left_out: int
    bar: Bar | None = None
    best: bool = False
    weakest: bool = False
    flaw: int = 0
    few: bool = False


@dataclass(frozen=True)
class Group:
    """The main metrics of one probe, as columns."""

    probe: str
    metrics: tuple[str, ...]


@dataclass(frozen=True)
class Overview:
    """Systems by probe. A row has a cell, or None, for every metric of every group."""

    groups: tuple[Group, ...]
    rows: tuple[tuple[str, tuple[Cell | None, ...]], ...]

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """(probe, metric) of every cell in a row."""
        return tuple((group.probe, metric) for group in self.groups for metric in group.metrics)


@dataclass(frozen=True)
class Matrix:
    """A table with heads on two sides.

    corner   what the row heads are
    lower    lower is better in all of it
    """

    title: str
    corner: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell | None, ...]], ...]
    lower: bool = False


@dataclass(frozen=True)
class Setting:
    """How one system ran on some benchmarks."""

    benchmarks: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    seconds: tuple[tuple[str, str], ...]
    failures: tuple[tuple[str, str], ...] = ()


def probes_of(results: Results) -> list[str]:
    """Return the benchmarks in the order of the results."""
    return list(dict.fromkeys(str(result["benchmark"]) for result in results))


def systems_of(results: Results) -> list[str]:
    """Return the systems in the order of the results."""
    return list(dict.fromkeys(str(result["system"]) for result in results))


def metrics_by_system(results: Results, probe: str) -> dict[str, Mapping[str, Any]]:
    """Return, for each system that ran on the probe, metric name -> entry."""
    return {str(r["system"]): r["metrics"] for r in results if r["benchmark"] == probe}


def unranked_systems(results: Results, probe: str) -> set[str]:
    """Return the systems whose figures on a probe rank them with no other."""
    return {
        str(r["system"])
        for r in results
        if r["benchmark"] == probe and unranked(r.get("settings", {}))
    }


def main_metrics(results: Results, probe: str) -> tuple[str, ...]:
    """Return the few metrics of a probe that say most, of those that it has."""
    present = _names(metrics_by_system(results, probe))
    main = kind_or_ranking(kind_of(results, probe)).main
    known = tuple(name for name in main if name in present)
    return known or tuple(name for name in present if not read_name(name).facet)[:3]


def headline(results: Results, probe: str) -> str:
    """Return the main metric of a probe by which systems are ordered; empty where there is none."""
    return headline_of(main_metrics(results, probe), metrics_by_system(results, probe))


def kind_of(results: Results, probe: str) -> str:
    """Return the kind of a benchmark; empty where the results do not tell."""
    return next((str(r.get("kind", "")) for r in results if r["benchmark"] == probe), "")


def overview(results: Results) -> Overview:
    """Return the table of systems by probe."""
    groups = tuple(Group(probe, main_metrics(results, probe)) for probe in probes_of(results))
    rows = []
    for system in systems_of(results):
        cells: list[Cell | None] = []
        for group in groups:
            by_system = metrics_by_system(results, group.probe)
            ranked = by_system.keys() - unranked_systems(results, group.probe)
            cells += [_main_cell(by_system, system, metric, ranked) for metric in group.metrics]
        rows.append((system, tuple(cells)))
    return Overview(groups, tuple(rows))


def breakdowns(results: Results, probe: str) -> list[Matrix]:
    """Return a table for every metric that the probe divides by a facet of several values."""
    by_system = metrics_by_system(results, probe)
    main = main_metrics(results, probe)
    sides = kind_or_ranking(kind_of(results, probe)).sides
    divided: dict[tuple[str, str], list[tuple[str, str]]] = {}
    by_side: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for name in _names(by_system):
        parts = read_name(name)
        if parts.facet and (parts.k is None or parts.plain in main):
            divided.setdefault((parts.plain, parts.facet), []).append((parts.value, name))
        for side in parts.options.keys() & sides.keys():
            plain = str(replace(parts, options={}))
            if not parts.facet and (parts.k is None or plain in main):
                values = by_side.setdefault((plain, side), [(sides[side], plain)])
                values.append((parts.options[side], name))
    return [
        _breakdown(by_system, plain, facet, values)
        for (plain, facet), values in [*divided.items(), *by_side.items()]
        if len(values) > 1
    ]


def every_metric(results: Results, probe: str) -> Matrix:
    """Return all metrics of a probe, a row each, a column for each system."""
    by_system = metrics_by_system(results, probe)
    rows = tuple(
        (name, tuple(_cell(metrics.get(name)) for metrics in by_system.values()))
        for name in _names(by_system)
    )
    return Matrix(f"All metrics of {probe}", "Metric", tuple(by_system), rows)


def settings(results: Results) -> list[tuple[str, tuple[Setting, ...]]]:
    """Return the settings of each system; benchmarks on which it ran alike share an entry."""
    listed = []
    for system in systems_of(results):
        alike: dict[str, list[Mapping[str, Any]]] = {}
        for result in (r for r in results if r["system"] == system):
            key = json.dumps(result.get("settings", {}), sort_keys=True, default=str)
            alike.setdefault(key, []).append(result)
        listed.append((system, tuple(_setting(group) for group in alike.values())))
    return listed


def _names(by_system: Mapping[str, Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for metrics in by_system.values() for name in metrics))


def _main_cell(
    by_system: Mapping[str, Mapping[str, Any]], system: str, metric: str, ranked: Collection[str]
) -> Cell | None:
    entry = by_system.get(system, {}).get(metric)
    if entry is None:
        return None
    others = [m[metric] for name, m in by_system.items() if metric in m and name in ranked]
    others = [other for other in others if other is not entry]
    best = (
        system in ranked
        and bool(others)
        and all(surely_better(metric, entry, other) for other in others)
    )
    return _cell(entry, bar=_bar(metric, entry), best=best)


def _bar(metric: str, entry: Mapping[str, Any]) -> Bar | None:
    meaning = meaning_of(metric)
    if meaning.span is None:
        return None
    return bar(
        entry["mean"], entry["low"], entry["high"], floor=meaning.span[0], chance=meaning.chance
    )


def _breakdown(
    by_system: Mapping[str, Mapping[str, Any]],
    metric: str,
    facet: str,
    values: Sequence[tuple[str, str]],
) -> Matrix:
    """Return systems by values; turned round while the systems fit side by side on a phone."""
    rows = tuple(
        (system, shaded(metric, [metrics.get(name) for _, name in values]))
        for system, metrics in by_system.items()
    )
    title, lower = f"{label_of(metric)} by {facet}", meaning_of(metric).better == "lower"
    heads = tuple(value for value, _ in values)
    if len(rows) > MOST_COLUMNS:
        return Matrix(title, "System", heads, rows, lower)
    turned = zip(*(cells for _, cells in rows), strict=True)
    return Matrix(title, facet, tuple(by_system), tuple(zip(heads, turned, strict=True)), lower)


def shaded(metric: str, entries: Sequence[Mapping[str, Any] | None]) -> tuple[Cell | None, ...]:
    """Return cells whose shade says how far from perfect they are, the weakest marked."""
    known = [entry for entry in entries if entry is not None]
    return tuple(
        _cell(
            entry,
            weakest=entry is not None and is_weakest(metric, entry, known),
            flaw=0 if entry is None else _flaw(metric, entry["mean"]),
        )
        for entry in entries
    )


def _flaw(metric: str, mean: float) -> int:
    """Return how far a fraction is from perfect, in five steps."""
    meaning = meaning_of(metric)
    if meaning.span is None:
        return 0
    low, high = meaning.span
    missing = (mean - low if meaning.better == "lower" else high - mean) / (high - low)
    return min(4, max(0, int(missing * 5)))


def _cell(
    entry: Mapping[str, Any] | None,
    *,
    bar: Bar | None = None,
    best: bool = False,
    weakest: bool = False,
    flaw: int = 0,
) -> Cell | None:
    if entry is None:
        return None
    return Cell(
        mean=_number(entry["mean"]),
        low=_number(entry["low"]),
        high=_number(entry["high"]),
        n=int(entry["n"]),
        left_out=int(entry["left_out"]),
        bar=bar,
        best=best,
        weakest=weakest,
        flaw=flaw,
        few=entry["n"] < FEWEST,
    )


def _number(value: float) -> str:
    return f"{value:.3f}".replace("-", "−")


def _setting(results: Results) -> Setting:
    options = results[0].get("settings", {})
    return Setting(
        benchmarks=tuple(str(result["benchmark"]) for result in results),
        options=tuple(_flat(options)),
        seconds=tuple(
            (str(result["benchmark"]), _times(result.get("seconds", {}))) for result in results
        ),
        failures=tuple(
            (str(result["benchmark"]), f"{count:,} ({reason})")
            for result in results
            for reason, count in result.get("failures", {}).items()
        ),
    )


def _times(seconds: Mapping[str, float]) -> str:
    return ", ".join(f"{stage} {value:.1f} s" for stage, value in seconds.items())


def _flat(options: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield name and value of every setting; those of a stage are named `stage.setting`."""
    for name, value in options.items():
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", _shown(value)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
