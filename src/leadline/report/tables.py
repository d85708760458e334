"""The tables of a report: systems by probe, breakdowns by facet, and every metric."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from leadline.metrics.names import label_of, read_name, record_of
from leadline.metrics.significance import FEWEST
from leadline.report import REFERENCE, Mean, Report
from leadline.report.results import Results
from leadline.report.wording import is_weakest, latency, surely_better

MOST_COLUMNS = 4  # systems that fit side by side on a phone


@dataclass(frozen=True)
class Bar:
    """A mean with its interval on a scale from 0 to 100."""

    mean: float
    low: float
    high: float
    chance: float | None


def bar(mean: float, low: float, high: float, *, floor: float, chance: float | None) -> Bar:
    """Return where a mean and its bounds stand between `floor` and 1, cut at the ends."""

    def place(value: float) -> float:
        return round(100 * min(1.0, max(0.0, (value - floor) / (1.0 - floor))), 2)

    return Bar(place(mean), place(low), place(high), None if chance is None else place(chance))


@dataclass(frozen=True)
class Cell:
    """A mean in a table.

    best   significantly better than every other system: `wording.surely_better`
    weakest  significantly worse than every other cell
    few    too few units for an interval
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
class Overview:
    """The main metrics of a probe, a row for each system: a cell, or None, for each of them.

    times  p50 and p95 of each system; empty if it did not run one query at a time
    """

    probe: str
    question: str
    metrics: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell | None, ...]], ...]
    times: Mapping[str, str]


@dataclass(frozen=True)
class Matrix:
    """A table with heads on two sides.

    corner   the heading of the row heads
    lower    lower is better in every cell
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


def overview(results: Results, probe: str) -> Overview:
    """Return the table of the systems on a probe."""
    by_system, metrics = results.means(probe), results.main(probe)
    return Overview(
        probe,
        results.kind(probe).question,
        metrics,
        tuple(
            (system, tuple(_main_cell(by_system, system, metric) for metric in metrics))
            for system in by_system
        ),
        {report.system: latency(report.query_seconds) for report in results.on(probe)},
    )


def breakdowns(results: Results, probe: str) -> list[Matrix]:
    """Return a table for every metric that the probe divides by a facet."""
    parts = results.parts(probe)
    by_system, main = results.means(probe), results.main(probe)
    sides = results.kind(probe).sides
    divided: dict[tuple[str, str], list[tuple[str, str]]] = {}
    by_side: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for name in _names(by_system):
        parts_of_name = read_name(name)
        plain, facet, options = parts_of_name.plain, parts_of_name.facet, parts_of_name.options
        if facet and (parts_of_name.k is None or plain in main):
            divided.setdefault((plain, facet), []).append((parts_of_name.value, name))
        for side in options.keys() & sides.keys():
            plain = str(replace(parts_of_name, options={}))
            if not facet and (parts_of_name.k is None or plain in main):
                values = by_side.setdefault((plain, side), [(sides[side], plain)])
                values.append((options[side], name))
    found = [
        _breakdown(by_system, plain, facet, values)
        for (plain, facet), values in [*divided.items(), *by_side.items()]
        if len(values) > 1 and (not parts or _is_of_groups(results, values, parts))
    ]
    return [*_by_part(results, probe, parts), *found] if parts else found


def _is_of_groups(
    results: Results, values: Sequence[tuple[str, str]], parts: Sequence[str]
) -> bool:
    """Return whether the values of a facet group the parts of a benchmark."""
    names = {name for _, name in values}
    held = [
        {name for means in results.means(part).values() for name in means if name in names}
        for part in parts
    ]
    return len(names) < len(parts) and all(len(each) == 1 for each in held)


def _by_part(results: Results, probe: str, parts: Sequence[str]) -> list[Matrix]:
    """Return a table of parts by systems for each main metric of a benchmark in parts."""
    systems = results.only(lambda report: report.benchmark in parts).systems
    means = [results.means(part) for part in parts]
    heads = [part.removeprefix(f"{probe}/") for part in parts]
    tables = []
    for metric in results.main(probe):
        columns = [
            _shaded(metric, [of_part.get(system, {}).get(metric) for of_part in means])
            for system in systems
        ]
        rows = zip(heads, zip(*columns, strict=True), strict=True)
        lower = record_of(metric).better == "lower"
        title = f"{label_of(metric)} by part"
        tables.append(Matrix(title, "part", tuple(systems), tuple(rows), lower))
    return tables


def every_metric(results: Results, probe: str) -> Matrix:
    """Return all metrics of a probe as rows, with a column for each system."""
    by_system = results.means(probe)
    rows = tuple(
        (name, tuple(_cell(means.get(name)) for means in by_system.values()))
        for name in _names(by_system)
    )
    return Matrix(f"All metrics of {probe}", "Metric", tuple(by_system), rows)


def settings(results: Results) -> list[tuple[str, tuple[Setting, ...]]]:
    """Return the settings of each system. Benchmarks with equal settings share an entry."""
    listed = []
    for system in results.systems:
        alike: dict[str, list[Report]] = {}
        for report in (each for each in results.reports if each.system == system):
            key = json.dumps(report.settings, sort_keys=True, default=str)
            alike.setdefault(key, []).append(report)
        listed.append((system, tuple(map(_setting, alike.values()))))
    return listed


@dataclass(frozen=True)
class QuotedTable:
    """Systems by metrics, as published.

    rows  system and its values as shown, empty if not published
    why   how this benchmark differs from the published one, if it does
    """

    probe: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    sources: tuple[str, ...]
    why: tuple[str, ...]


def quoted_tables(quoted: Sequence[Mapping[str, Any]], probe: str) -> list[QuotedTable]:
    """Return the tables of published results on a benchmark and its parts.

    quoted  the entries of `quoted` in report.json
    """
    by_table: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for each in quoted:
        by_table.setdefault((str(each["benchmark"]), str(each["source"])), []).append(each)
    return [
        _quoted(name, entries)
        for (name, _), entries in by_table.items()
        if name == probe or name.startswith(f"{probe}/")
    ]


def _quoted(probe: str, entries: Sequence[Mapping[str, Any]]) -> QuotedTable:
    columns = tuple(dict.fromkeys(metric for each in entries for metric in each["metrics"]))
    return QuotedTable(
        probe=probe,
        columns=columns,
        rows=tuple(
            (
                str(each["system"]),
                tuple(
                    _number(each["metrics"][name]) if name in each["metrics"] else ""
                    for name in columns
                ),
            )
            for each in entries
        ),
        sources=tuple(dict.fromkeys(str(each["source"]) for each in entries)),
        why=tuple(dict.fromkeys(str(each["why"]) for each in entries if not each["comparable"])),
    )


def _names(by_system: Mapping[str, Mapping[str, Mean]]) -> list[str]:
    return list(dict.fromkeys(name for means in by_system.values() for name in means))


def _main_cell(
    by_system: Mapping[str, Mapping[str, Mean]], system: str, metric: str
) -> Cell | None:
    mean = by_system.get(system, {}).get(metric)
    if mean is None:
        return None
    others = [
        means[metric] for name, means in by_system.items() if metric in means and name != system
    ]
    best = bool(others) and all(surely_better(metric, mean, other) for other in others)
    best = best and not system.endswith(REFERENCE)
    record = record_of(metric)
    strip = None
    if record.span is not None:
        strip = bar(mean.mean, mean.low, mean.high, floor=record.span[0], chance=record.chance)
    return _cell(mean, bar=strip, best=best)


def _breakdown(
    by_system: Mapping[str, Mapping[str, Mean]],
    metric: str,
    facet: str,
    values: Sequence[tuple[str, str]],
) -> Matrix:
    """Return systems by values, or values by systems if the systems fit on a phone screen."""
    rows = tuple(
        (system, _shaded(metric, [means.get(name) for _, name in values]))
        for system, means in by_system.items()
    )
    title, lower = f"{label_of(metric)} by {facet}", record_of(metric).better == "lower"
    heads = tuple(value for value, _ in values)
    if len(rows) > MOST_COLUMNS:
        return Matrix(title, "System", heads, rows, lower)
    turned = zip(*(cells for _, cells in rows), strict=True)
    return Matrix(title, facet, tuple(by_system), tuple(zip(heads, turned, strict=True)), lower)


def _shaded(metric: str, means: Sequence[Mean | None]) -> tuple[Cell | None, ...]:
    """Return cells with a shade for their distance from perfect, and mark the weakest."""
    known = [mean for mean in means if mean is not None]
    return tuple(
        None
        if mean is None
        else _cell(mean, weakest=is_weakest(metric, mean, known), flaw=_flaw(metric, mean.mean))
        for mean in means
    )


def _flaw(metric: str, mean: float) -> int:
    """Return how far a fraction is from perfect, in five steps."""
    record = record_of(metric)
    if record.span is None:
        return 0
    low, high = record.span
    missing = (mean - low if record.better == "lower" else high - mean) / (high - low)
    return min(4, max(0, int(missing * 5)))


def _cell(mean: Mean | None, **marks: Any) -> Cell | None:
    if mean is None:
        return None
    low, high = _number(mean.low), _number(mean.high)
    few = mean.n < FEWEST
    return Cell(_number(mean.mean), low, high, mean.n, mean.left_out, few=few, **marks)


def _number(value: float) -> str:
    return f"{value:.3f}".replace("-", "−")


def _setting(reports: Sequence[Report]) -> Setting:
    return Setting(
        benchmarks=tuple(report.benchmark for report in reports),
        options=tuple(_flat(reports[0].settings)),
        seconds=tuple(
            (
                report.benchmark,
                ", ".join(f"{stage} {value:.1f} s" for stage, value in report.seconds.items()),
            )
            for report in reports
        ),
        failures=tuple(
            (report.benchmark, f"{count:,} ({reason})")
            for report in reports
            for reason, count in report.failures.items()
        ),
    )


def _flat(options: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield the name and value of every setting. Those of a stage are named `stage.setting`."""
    for name, value in options.items():
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{prefix}{name}.")
        elif isinstance(value, str):
            yield f"{prefix}{name}", value
        else:
            yield f"{prefix}{name}", json.dumps(value, ensure_ascii=False, default=str)
