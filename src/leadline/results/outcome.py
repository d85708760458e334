"""What systems scored on benchmarks: all that a report is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any

from leadline import __version__
from leadline.benchmark import Benchmark
from leadline.data.tables import as_html, as_text
from leadline.drawings.plot import Plot, bars
from leadline.evidence import Case, Interval
from leadline.kinds.registry import kind_or_ranking
from leadline.metrics.meanings import label_of
from leadline.report import NotMeasured, Report, interval_of
from leadline.results.quoted import quoted_beside


@dataclass(frozen=True, repr=False)
class Outcome:
    """What systems scored on benchmarks.

    cases    the worst failures of every system on every benchmark
    not_measured  which systems have no figures on which benchmarks, and why
    created  when, as ISO 8601 in UTC
    folder   where report, runs and scores were written; empty for nowhere
    """

    benchmarks: Sequence[Benchmark]
    reports: Sequence[Report]
    cases: Sequence[Case]
    created: str
    folder: str = field(default="", compare=False)
    not_measured: Sequence[NotMeasured] = ()

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
        return [_row(report) for report in self.reports]

    def plot(self, *benchmarks: str) -> Plot:
        """Return the main metrics of every system with their intervals, as a figure.

        benchmarks  whose; without any, those of all
        """
        groups: dict[str, dict[str, Interval | None]] = {}
        for report in self.reports:
            if not benchmarks or report.benchmark in benchmarks:
                for name in _main(report):
                    group = groups.setdefault(f"{report.benchmark}: {name}", {})
                    group[report.system] = interval_of(report.mean(name))
        return Plot(bars("Main metrics, with 95 % intervals", groups))

    def __repr__(self) -> str:
        systems = dict.fromkeys(report.system for report in self.reports)
        benchmarks = dict.fromkeys(report.benchmark for report in self.reports)
        head = f"Outcome of {', '.join(systems)} on {', '.join(benchmarks)}"
        return f"{head}\n{as_text(self._shown())}" if self.reports else head

    def _repr_html_(self) -> str:
        return as_html(self._shown())

    def _shown(self) -> list[dict[str, str]]:
        """Return the table for people: every mean with its interval and n."""
        return [
            {"system": report.system, "benchmark": report.benchmark}
            | {label_of(name): str(report.mean(name)) for name in _main(report)}
            for report in self.reports
        ]


def now() -> str:
    """Return the time in UTC, as ISO 8601 to the second."""
    return datetime.now(UTC).replace(microsecond=0).isoformat()


def _row(report: Report) -> dict[str, Any]:
    means = {name: report.mean(name).mean for name in _main(report)}
    return {"system": report.system, "benchmark": report.benchmark} | means


def _main(report: Report) -> list[str]:
    """Return the metrics that a table shows of a report."""
    means = report.means()
    main = [name for name in kind_or_ranking(report.kind).main if name in means]
    return main or list(means)[:3]
