"""Report: the scores of one system on one benchmark, for each unit and as means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import ceil, nan
from statistics import fmean
from typing import Any, TypeVar

from leadline.data.tables import as_frame, as_html, as_lines
from leadline.errors import InputError, unknown
from leadline.metrics.names import record_of
from leadline.metrics.significance import (
    FEWEST,
    Bounds,
    Clusters,
    interval_of_differences,
    interval_of_mean,
    interval_of_mean_over_parts,
)
from leadline.report.drawing import Plot, plotted
from leadline.report.shapes import Mean as Mean
from leadline.types import Run, StageRun

N = TypeVar("N", int, float)


REFERENCE = " (reference)"
"""Suffix in the name of a reference system, which shows how hard the tests are."""


@dataclass(frozen=True)
class NotMeasured:
    """A system without figures on a benchmark, and why."""

    system: str
    benchmark: str
    why: str


@dataclass(frozen=True, repr=False)
class Report:
    """The scores of one system on one benchmark.

    Attributes:
        scores: metric -> unit (query or topic) -> value.
        left_out: metric -> number of units without a value.
        settings: Every setting of the system.
        seconds: stage -> wall-clock seconds.
        query_seconds: query -> its seconds, if the system ran one query at a time.
        failures: stage and reason -> cases that the stage failed on and passed on unchanged.
        asked: stage -> cases that it put to a model, if it counts them.
        run: The retrieved documents; empty for a report over several parts.
        clusters: unit -> source document or topic. Intervals resample these.
        parts: The reports on the parts, for a report on a whole benchmark.
        examined: Other findings of the kind, as in report.json, such as `causes` of failures.
        unseen: query -> why the system could not see what the case compares.
        stages: The run after every stage with its traces; empty once causes are found.
        index_bytes: Size of the index of the first stage; None if unknown.
        notes: How unusable data were handled, in sentences.
        known: Means of a report whose scores are not loaded.
    """

    system: str
    benchmark: str
    scores: Mapping[str, Mapping[str, float]]
    left_out: Mapping[str, int] = field(default_factory=dict)
    kind: str = "ranking"
    built_by: str = "published"
    settings: Mapping[str, Any] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    failures: Mapping[str, int] = field(default_factory=dict)
    asked: Mapping[str, int] = field(default_factory=dict)
    run: Run = field(default_factory=dict, repr=False)
    clusters: Mapping[str, str] = field(default_factory=dict, repr=False)
    parts: Sequence[Report] = ()
    seed: int = 0
    examined: Mapping[str, Any] = field(default_factory=dict, repr=False)
    unseen: Mapping[str, str] = field(default_factory=dict, repr=False)
    stages: Sequence[StageRun] = field(default=(), repr=False)
    index_bytes: int | None = None
    notes: Sequence[str] = ()
    known: Mapping[str, Mean] = field(default_factory=dict, repr=False)
    query_seconds: Mapping[str, float] = field(default_factory=dict, repr=False)
    _means: dict[str, Mean] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def is_reference(self) -> bool:
        """Whether the system is only a reference: it is never called best, and gates ignore it."""
        return self.system.endswith(REFERENCE)

    def mean(self, metric: str) -> Mean:
        """Return the mean of a metric with its interval.

        Args:
            metric: Its name, such as `nDCG@10`.

        Raises:
            InputError: The report does not have the metric, or no unit has a value.
        """
        if metric not in self._means:
            self._means[metric] = self._computed_mean(metric)
        return self._means[metric]

    def _computed_mean(self, metric: str) -> Mean:
        if metric in self.known:
            return self.known[metric]
        if self.parts:
            return self._mean_over_parts(metric)
        if metric not in self.scores:
            main = [name for name in self.scores if "[" not in name]
            way_out = f"{self.benchmark!r} has {', '.join(main)}."
            raise unknown("metric", metric, self.scores, way_out)
        values = list(self.scores[metric].values())
        if not values:
            raise InputError(
                f"{metric} is undefined for every query of {self.benchmark!r}, so it has no mean."
            )
        record = record_of(metric)
        interval = interval_of_differences if record.chance == 0 else interval_of_mean
        low, high = interval(
            values, self.seed, bounds=record.bounds, clusters=self._clusters_of(metric)
        )
        return Mean(fmean(values), low, high, len(values), self.left_out.get(metric, 0))

    def _clusters_of(self, metric: str) -> list[str]:
        return [self.clusters.get(unit, unit) for unit in self.scores[metric]]

    def means(self) -> dict[str, Mean]:
        """Return the mean of every metric that has one."""
        if not (self.scores or self.parts):
            return dict(self.known)
        names = dict.fromkeys(name for part in self.parts or [self] for name in part.scores)
        return {name: self.mean(name) for name in names if self._has_values(name)}

    def _has_values(self, metric: str) -> bool:
        if not self.parts:
            return bool(self.scores.get(metric))
        held = len(self._holding(metric))
        return held == len(self.parts) or (held > 0 and self._groups_parts(metric))

    def _holding(self, metric: str) -> list[Report]:
        return [part for part in self.parts if part._has_values(metric)]

    def _groups_parts(self, metric: str) -> bool:
        """Return whether a metric is by a facet that has one value in each part."""
        by, is_one, _ = metric.partition("=")
        return bool(is_one) and all(
            sum(name.partition("=")[0] == by for name in part.scores) == 1 for part in self.parts
        )

    def _mean_over_parts(self, metric: str) -> Mean:
        """Average the parts without weights. For the interval, resample within each part."""
        parts = self._holding(metric) if self._groups_parts(metric) else self.parts
        means = [part.mean(metric) for part in parts]
        low, high = interval_of_mean_over_parts(
            [list(part.scores[metric].values()) for part in parts],
            self.seed,
            bounds=record_of(metric).bounds,
            clusters=[part._clusters_of(metric) for part in parts],
        )
        return Mean(
            mean=fmean(each.mean for each in means),
            low=low,
            high=high,
            n=sum(each.n for each in means),
            left_out=sum(each.left_out for each in means),
        )

    def table(self) -> list[dict[str, Any]]:
        """Return a row for every metric: its name, mean, interval, and numbers of units."""
        return [{"metric": name, **asdict(mean)} for name, mean in self.means().items()]

    def to_frame(self) -> Any:
        """Return a data frame with a row for every metric, without bounds if there are few units.

        Raises:
            MissingExtraError: Neither pandas nor polars is installed.
        """
        return frame_of([self])

    def plot(self, *metrics: str) -> Plot:
        """Return means with their intervals as a figure.

        Args:
            metrics: Metrics to draw. Default: all that are not divided by a facet.

        Raises:
            InputError: A metric has no mean.
        """
        known = self.means()
        names = metrics or [
            name
            for name in known
            if "[" not in name and ("@" not in name or name.partition("@")[0] not in known)
        ]
        groups = {name: {self.system: self.mean(name)} for name in names}
        return Plot(plotted(f"{self.system} on {self.benchmark}", groups))

    def __repr__(self) -> str:
        means = [f"{name} {each}" for name, each in self.means().items()]
        return as_lines(f"Report of {self.system} on {self.benchmark}", means)

    def _repr_html_(self) -> str:
        few = {"low": "too few", "high": ""}
        return as_html([row | few if row["n"] < FEWEST else row for row in self.table()])

    def as_json(self) -> dict[str, Any]:
        """Return the report as an entry of report.json."""
        return {
            "system": self.system,
            "benchmark": self.benchmark,
            "kind": self.kind,
            "built_by": self.built_by,
            "settings": dict(self.settings),
            **({"notes": list(self.notes)} if self.notes else {}),
            "metrics": {name: asdict(mean) for name, mean in self.means().items()},
            "seconds": {**self.seconds, **percentiles(self.query_seconds)},
            "failures": dict(self.failures),
            "asked": dict(self.asked),
            **self.examined,
        }


def frame_of(reports: Iterable[Report]) -> Any:
    """Return a data frame with a row for every metric of the reports, as `Report.to_frame`."""
    return as_frame([
        {"system": report.system, "benchmark": report.benchmark, "metric": name, **asdict(mean)}
        | ({"low": nan, "high": nan} if mean.few else {})
        for report in reports
        for name, mean in report.means().items()
    ])  # fmt: skip


def percentiles(seconds: Mapping[str, float]) -> dict[str, float]:
    """Return the p50 and p95 of seconds per query."""
    ordered = sorted(seconds.values())
    if not ordered:
        return {}
    return {f"query_p{share}": ordered[ceil(share * len(ordered) / 100) - 1] for share in (50, 95)}


def pooled(reports: Iterable[Report]) -> dict[str, float]:
    """Return the query seconds of all reports together."""
    return {
        f"{report.benchmark} {query}": value
        for report in reports
        for query, value in report.query_seconds.items()
    }


def interval_over(
    values: Sequence[float], seed: int, bounds: Bounds, clusters: Clusters | None = None
) -> Mean:
    """Return the mean of values with its interval."""
    low, high = interval_of_mean(values, seed, bounds=bounds, clusters=clusters)
    return Mean(fmean(values), low, high, len(values))


_TOLD = ("scored", "forced", "rules")
"""Words in a reason that already say what happened to a case."""

MOST_FAILED = 0.1
"""A stage that fails on more than this share of cases is named next to its scores."""


def failing(asked: Mapping[str, int], failures: Mapping[str, int]) -> list[str]:
    """Return a sentence for each stage that failed on too many of its cases."""
    told = []
    for stage, cases in asked.items():
        reasons = {
            name.removeprefix(f"{stage}: "): count
            for name, count in failures.items()
            if name.startswith(f"{stage}: ")
        }
        failed = sum(reasons.values())
        if failed > MOST_FAILED * cases:
            listed = ", ".join(f"{count:,} {reason}" for reason, count in reasons.items())
            says_itself = all(any(word in each for word in _TOLD) for each in reasons)
            tail = "" if says_itself else ", which keep the result of the stage before"
            told.append(f"{stage} failed on {failed:,} of {cases:,} cases ({listed}){tail}.")
    return told


def over_parts(name: str, parts: Sequence[Report]) -> Report:
    """Join the reports of one system on the parts of a benchmark into one."""
    first = parts[0]
    return Report(
        system=first.system,
        benchmark=name,
        scores={},
        kind=first.kind,
        built_by=first.built_by,
        settings=first.settings,
        seconds=_summed([part.seconds for part in parts]),
        query_seconds=pooled(parts),
        failures=_summed([part.failures for part in parts]),
        asked=_summed([part.asked for part in parts]),
        parts=tuple(parts),
        seed=first.seed,
    )


def wholes(reports: Sequence[Report], benchmarks: Iterable[str] = ()) -> list[Report]:
    """Join the parts of every benchmark that ran in more than one part.

    benchmarks  what should have run: a system that lacks a part has no mean over all parts
    """
    asked = Counter(name.partition("/")[0] for name in benchmarks if "/" in name)
    parts: dict[tuple[str, str], list[Report]] = {}
    for report in reports:
        whole, slash, _ = report.benchmark.partition("/")
        if slash:
            parts.setdefault((whole, report.system), []).append(report)
    return [
        over_parts(whole, some)
        for (whole, _), some in sorted(parts.items(), key=lambda item: item[0][0])
        if len(some) > 1 and len(some) >= asked[whole]
    ]


def _summed(counts: Sequence[Mapping[str, N]]) -> dict[str, N]:
    total: dict[str, N] = {}
    for count in counts:
        for name, value in count.items():
            total[name] = total[name] + value if name in total else value
    return total
