"""The reports of several systems on several benchmarks, and how their kinds present them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from leadline.metrics.names import may_rank, read_name
from leadline.report import Mean, Report
from leadline.report.shapes import Figure
from leadline.report.wording import ByMetric, leading_sentences


@dataclass(frozen=True, kw_only=True)
class Shown:
    """How a report presents a kind of test.

    Attributes:
        question: What it asks of a system, in one line.
        main: Names of the few metrics in tables, the most important first.
        sides: A metric option that divides results like a facet -> its default value.
        figures: Draws the reports of all systems on one benchmark.
        sentences: Puts results into words; takes {system: {metric: mean}} and the main metric.
    """

    question: str = ""
    main: tuple[str, ...] = ()
    sides: Mapping[str, str] = field(default_factory=dict)
    figures: Callable[[str, Sequence[Report]], list[Figure]] = lambda benchmark, reports: []
    sentences: Callable[[Mapping[str, ByMetric], str], list[str]] = leading_sentences


@dataclass(frozen=True)
class Results:
    """Reports, one for each system and benchmark.

    kinds  name of a kind -> how it presents its reports
    """

    reports: Sequence[Report]
    kinds: Mapping[str, Shown] = field(default_factory=dict)

    @property
    def probes(self) -> list[str]:
        """The benchmarks in the order of the reports."""
        return list(dict.fromkeys(report.benchmark for report in self.reports))

    @property
    def systems(self) -> list[str]:
        """The systems in the order of the reports."""
        return list(dict.fromkeys(report.system for report in self.reports))

    @property
    def wholes(self) -> Results:
        """These results without the parts of a benchmark whose whole is there too."""
        parts = {part for probe in self.probes for part in self.parts(probe)}
        return self.only(lambda report: report.benchmark not in parts)

    def only(self, wanted: Callable[[Report], bool]) -> Results:
        """Return some of the reports."""
        return Results([report for report in self.reports if wanted(report)], self.kinds)

    def on(self, probe: str) -> list[Report]:
        """Return the reports on a benchmark."""
        return [report for report in self.reports if report.benchmark == probe]

    def parts(self, probe: str) -> list[str]:
        """Return the benchmarks named `probe/part`, in the order of the reports."""
        return [name for name in self.probes if name.startswith(f"{probe}/")]

    def means(self, probe: str) -> dict[str, dict[str, Mean]]:
        """Return, for each system that ran on the benchmark, metric -> mean."""
        return {report.system: report.means() for report in self.on(probe)}

    def kind(self, probe: str) -> Shown:
        """Return the kind of a benchmark."""
        found = next((report.kind for report in self.on(probe)), "")
        return self.kinds.get(found) or self.kinds.get("ranking") or Shown()

    def main(self, probe: str) -> tuple[str, ...]:
        """Return the main metrics that a benchmark has."""
        present = dict.fromkeys(name for each in self.means(probe).values() for name in each)
        known = tuple(name for name in self.kind(probe).main if name in present)
        return known or tuple(name for name in present if not read_name(name).facet)[:3]

    def headline(self, probe: str) -> str:
        """Return the first main metric that all systems have, else that any has, else nothing.

        A metric that only qualifies another one, such as `Unseen`, is never the headline.
        """
        means = self.means(probe).values()
        able = [name for name in self.main(probe) if may_rank(name)]
        of_all = [name for name in able if all(name in each for each in means)]
        of_some = [name for name in able if any(name in each for each in means)]
        return next(iter([*of_all, *of_some]), "")
