"""What systems scored on benchmarks: all that a report is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from statistics import fmean
from typing import Any

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
    """What systems scored on benchmarks.

    cases    the worst failures of every system on every benchmark
    not_measured  which systems have no figures on which benchmarks, and why
    created  when, as ISO 8601 in UTC
    kinds    what kinds of tests say of their reports, by name
    folder   where report, runs and scores were written; empty for nowhere
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
        """Return a row for each system and benchmark: the means of the main metrics by name."""
        return [
            {"system": report.system, "benchmark": report.benchmark}
            | {name: report.mean(name).mean for name in self._main(report)}
            for report in self.reports
        ]

    def to_frame(self) -> Any:
        """Return a frame with a row for every metric of every report: see `Report.to_frame`."""
        return frame_of(self.reports)

    def plot(self, *benchmarks: str) -> Plot:
        """Return the main metrics of every system with their intervals, as a figure.

        benchmarks  whose; without any, those of all
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
        """Return the table for people: every mean with its interval and n."""
        return [
            {"system": report.system, "benchmark": report.benchmark}
            | {label_of(name): str(report.mean(name)) for name in self._main(report)}
            for report in self.reports
        ]


def now() -> str:
    """Return the time in UTC, as ISO 8601 to the second."""
    return datetime.now(UTC).replace(microsecond=0).isoformat()


def quoted_beside(benchmarks: Sequence[Benchmark]) -> list[dict[str, Any]]:
    """Return the entries of `quoted` in report.json, for the benchmarks as they were run.

    A benchmark in several parts has entries for the whole too: their mean, where a system was
    published on every part that was run.
    """
    by_whole: dict[str, list[Benchmark]] = {}
    for benchmark in benchmarks:
        by_whole.setdefault(benchmark.name.partition("/")[0], []).append(benchmark)
    entries = []
    for whole, parts in by_whole.items():
        by_part = [_entries(part) for part in parts]
        if len(parts) > 1:
            entries += _means(whole, by_part)
        entries += [entry for part in by_part for entry in part.values()]
    return entries


def _entries(benchmark: Benchmark) -> dict[str, dict[str, Any]]:
    entries = {}
    for quoted in benchmark.quoted:
        why = _differences(benchmark, quoted)
        entries[quoted.system] = {
            "system": quoted.system,
            "benchmark": benchmark.name,
            "metrics": dict(quoted.metrics),
            "source": quoted.source,
            "comparable": not why,
            "why": why,
        }
    return entries


def _differences(benchmark: Benchmark, quoted: Quoted) -> str:
    """Say in what the benchmark as it was run differs from the published one."""
    found = [quoted.departs] if quoted.departs else []
    if len(benchmark.corpus) != quoted.documents:
        found.append(
            f"published over {quoted.documents:,} documents, measured over "
            f"{len(benchmark.corpus):,}"
        )
    if len(benchmark.queries) != quoted.queries:
        found.append(
            f"published over {quoted.queries:,} queries, measured over {len(benchmark.queries):,}"
        )
    return "; ".join(found)


def _means(whole: str, by_part: Sequence[Mapping[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    means = []
    for system, first in by_part[0].items():
        entries = [part[system] for part in by_part if system in part]
        if len(entries) < len(by_part):
            continue
        reasons = dict.fromkeys(entry["why"] for entry in entries if entry["why"])
        names = [name for name in first["metrics"] if all(name in e["metrics"] for e in entries)]
        means.append(
            first
            | {
                "benchmark": whole,
                "metrics": {n: round(fmean(e["metrics"][n] for e in entries), 6) for n in names},
                "comparable": not reasons,
                "why": "; ".join(reasons),
            }
        )
    return means
