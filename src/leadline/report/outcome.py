"""Outcome: the reports, cases and notes of all systems on all benchmarks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from statistics import fmean
from typing import Any, TypeAlias

from leadline import __version__
from leadline.benchmark import Benchmark, Quoted
from leadline.data.tables import as_html, as_lines
from leadline.metrics.names import label_of
from leadline.report import NotMeasured, Report, frame_of
from leadline.report.drawing import Plot, plotted
from leadline.report.results import Results, Shown
from leadline.report.shapes import Case, Mean


@dataclass(frozen=True, repr=False)
class Outcome:
    """The results of `check`: everything that the report shows.

    Attributes:
        cases: The worst failures of every system on every benchmark.
        not_measured: Which systems have no figures on which benchmarks, and why.
        created: The time, as ISO 8601 in UTC.
        kinds: How each kind of test presents its reports, by name.
        folder: The output folder; empty if nothing was written.
    """

    benchmarks: Sequence[Benchmark]
    reports: Sequence[Report]
    cases: Sequence[Case]
    created: str
    folder: str = field(default="", compare=False)
    not_measured: Sequence[NotMeasured] = ()
    kinds: Mapping[str, Shown] = field(default_factory=dict, compare=False)

    def as_json(self) -> dict[str, Any]:
        """Return report.json."""
        record: dict[str, Any] = {
            "leadline": __version__,
            "created": self.created,
            "results": [report.as_json() for report in self.reports],
        }
        if self.not_measured:
            record["not_measured"] = [asdict(each) for each in self.not_measured]
        if quoted := quoted_beside(self.benchmarks):
            record["quoted"] = quoted
        return record

    def table(self) -> list[dict[str, Any]]:
        """Return a row for each system and benchmark, with the means of the main metrics."""
        return [
            {"system": report.system, "benchmark": report.benchmark}
            | {name: report.mean(name).mean for name in self._main(report)}
            for report in self.reports
        ]

    def to_frame(self) -> Any:
        """Return a data frame with a row for every metric of every report."""
        return frame_of(self.reports)

    def plot(self, *benchmarks: str) -> Plot:
        """Return the main metrics of every system with their intervals, as a figure.

        Args:
            benchmarks: Benchmarks to draw. Default: all.
        """
        groups: dict[str, dict[str, Mean | None]] = {}
        for report in self.reports:
            if not benchmarks or report.benchmark in benchmarks:
                for name in self._main(report):
                    group = groups.setdefault(f"{report.benchmark}: {name}", {})
                    group[report.system] = report.mean(name)
        return Plot(plotted("Main metrics, with 95 % intervals", groups))

    def __repr__(self) -> str:
        lines = [
            f"{report.system} on {report.benchmark}: "
            + ", ".join(f"{label_of(name)} {report.mean(name)}" for name in self._main(report))
            for report in self.reports
        ]
        return as_lines("Outcome", lines)

    def _repr_html_(self) -> str:
        return as_html(self._shown())

    def _main(self, report: Report) -> tuple[str, ...]:
        return Results([report], self.kinds).main(report.benchmark)

    def _shown(self) -> list[dict[str, str]]:
        """Return a readable table: every mean with its interval and n."""
        return [
            {"system": report.system, "benchmark": report.benchmark}
            | {label_of(name): str(report.mean(name)) for name in self._main(report)}
            for report in self.reports
        ]


def now() -> str:
    """Return the time in UTC, as ISO 8601 to the second."""
    return datetime.now(UTC).replace(microsecond=0).isoformat()


def quoted_beside(benchmarks: Sequence[Benchmark]) -> list[dict[str, Any]]:
    """Return published results of the benchmarks, as `quoted` in report.json.

    A benchmark in parts also has entries for the whole: the published one, else the mean over its
    parts, if a result was published for each of them.
    """
    by_whole: dict[str, list[Benchmark]] = {}
    for benchmark in benchmarks:
        by_whole.setdefault(benchmark.name.partition("/")[0], []).append(benchmark)
    entries: list[dict[str, Any]] = []
    for whole, parts in by_whole.items():
        by_part = [_entries(part) for part in parts]
        if len(parts) > 1:
            means = _means(whole, by_part)
            for key, entry in _entries_of_whole(whole, parts).items():
                metrics = means.get(key, {}).get("metrics", {}) | entry["metrics"]
                means[key] = entry | {"metrics": metrics}
            entries += means.values()
        entries += [entry for part in by_part for entry in part.values()]
    return entries


_Entries: TypeAlias = dict[tuple[str, str], dict[str, Any]]
"""Published results of one benchmark, by system and source."""


def _entries(benchmark: Benchmark) -> _Entries:
    return {
        (quoted.system, quoted.source): _entry(
            benchmark.name, quoted, _differences(benchmark, quoted)
        )
        for quoted in benchmark.quoted
        if not quoted.parts
    }


def _entries_of_whole(name: str, parts: Sequence[Benchmark]) -> _Entries:
    """Return the results that were published for all parts together."""
    found = {}
    for quoted in parts[0].quoted:
        if quoted.parts:
            key = quoted.system, quoted.source
            why = dict.fromkeys(
                _differences(part, other)
                for part in parts
                for other in part.quoted
                if other.parts and (other.system, other.source) == key
            )
            if quoted.parts != len(parts):
                why[f"published over {quoted.parts} parts, measured over {len(parts)}"] = None
            found[key] = _entry(name, quoted, "; ".join(filter(None, why)))
    return found


def _entry(benchmark: str, quoted: Quoted, why: str) -> dict[str, Any]:
    return {
        "system": quoted.system,
        "benchmark": benchmark,
        "metrics": dict(quoted.metrics),
        "source": quoted.source,
        "comparable": not why,
        "why": why,
    }


def _differences(benchmark: Benchmark, quoted: Quoted) -> str:
    """Return how the benchmark differs from the published one."""
    found = [quoted.departs] if quoted.departs else []
    measured = {
        "documents": len(benchmark.corpus),
        "queries": len(benchmark.queries),
        "topics": len({query.topic for query in benchmark.queries}),
    }
    found += [
        f"published over {count:,} {what}, measured over {measured[what]:,}"
        for what, count in quoted.sizes.items()
        if measured[what] != count
    ]
    return "; ".join(found)


def _means(whole: str, by_part: Sequence[_Entries]) -> _Entries:
    means: _Entries = {}
    for key, first in by_part[0].items():
        entries = [part[key] for part in by_part if key in part]
        names = [name for name in first["metrics"] if all(name in e["metrics"] for e in entries)]
        if len(entries) < len(by_part) or not names:
            continue
        reasons = dict.fromkeys(entry["why"] for entry in entries if entry["why"])
        means[key] = first | {
            "benchmark": whole,
            "metrics": {n: round(fmean(e["metrics"][n] for e in entries), 6) for n in names},
            "comparable": not reasons,
            "why": "; ".join(reasons),
        }
    return means
