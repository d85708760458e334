"""Kind: everything that defines a kind of test, in one object."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from leadline.benchmark import Benchmark
from leadline.kinds.cases import Failure, missed
from leadline.kinds.reasoned import reasoning_of
from leadline.metrics.names import add_measures, parse, read_name
from leadline.metrics.ranks import Ties
from leadline.metrics.topics import Where
from leadline.report import Report
from leadline.report.results import Shown
from leadline.system import Ranking, System
from leadline.types import Metric, Query, adopted

Failures: TypeAlias = Callable[[Benchmark, Report], Iterator[Failure]]


@dataclass(frozen=True)
class Examined:
    """Findings of a kind about a ranking, in addition to scores.

    Attributes:
        benchmark: The benchmark for the metrics. Its queries may have additional facets.
        examined: Findings for the report, as in report.json.
        unseen: Query -> why the system could not see what the case compares.
    """

    benchmark: Benchmark
    examined: Mapping[str, Any]
    unseen: Mapping[str, str] = field(default_factory=dict)


Examine: TypeAlias = Callable[[Benchmark, Ranking, System], Examined]


def what_reasoning_changed(benchmark: Benchmark, ranking: Ranking, system: System) -> Examined:
    """Find what the reasoning stage changed, if there is one."""
    found = reasoning_of(benchmark, ranking.stages)
    return Examined(benchmark, {"reasoning": found} if found else {})


@dataclass(frozen=True)
class Probe:
    """How `leadline check` builds tests of a kind from a corpus, by rules.

    Attributes:
        builder: The function, or `module:function`. It takes a corpus and, by name, what it
            needs of queries, qrels, seed, limit, source, enricher and harvested. It returns a
            Benchmark.
        about: What it tests, for `leadline list kinds`.
        by_default: Whether it is built if no probes are named.
        counts: What `harvested` must count in addition to words: pairs.
        caution: A note for every report with this probe.
        stand_in: `module:function` that turns the probe and the corpus into a probe with
            documents of the corpus only, for a search that cannot index others.
    """

    builder: str | Callable[..., Benchmark]
    about: str
    by_default: bool = True
    counts: tuple[str, ...] = ()
    caution: str = ""
    stand_in: str = ""


@dataclass(frozen=True, kw_only=True)
class Kind(Shown):
    """A kind of test: its question, its metrics, and how a report presents its results.

    Attributes:
        name: Its name.
        metrics: Metrics to compute.
        decides: Metrics that decide about a repair. They use all cases, so that a system cannot
            gain by seeing fewer. Default: the first main metric and nDCG@10.
        breakdowns: Facets that divide metrics: `RBO@5[kind]`.
        ties: How ranking metrics that are given by name break ties.
        where: The queries that ranking metrics given by name apply to.
        failures: Finds failing cases in a report, and how bad each is.
        examine: Finds additional results for the report, before scores are computed.
        strict: Only documents of the highest grade count as right in the first place.
        probe: Builds the test from a corpus by rules. None if that is impossible.
        recognises: Decides by their facets whether queries are of this kind.
    """

    name: str
    metrics: tuple[Metric, ...]
    decides: tuple[Metric, ...] = ()
    breakdowns: tuple[str, ...] = ()
    ties: Ties = "trec"
    where: Where = ()
    failures: Failures = missed
    examine: Examine = what_reasoning_changed
    strict: bool = False
    probe: Probe | None = None
    recognises: Callable[[Sequence[Query]], bool] | None = None

    def __post_init__(self) -> None:
        add_measures((*self.metrics, *self.decides))
        metrics = tuple(adopted(each, Metric) for each in self.metrics)
        object.__setattr__(self, "metrics", metrics)

    def named(self, names: Iterable[str]) -> tuple[Metric, ...]:
        """Return the metrics with the given names, or all of the kind if no names are given.

        Raises:
            InputError: A name is unknown.
        """
        own = {metric.name: metric for metric in self.metrics}
        given = tuple(names)
        return tuple(
            own[name] if name in own else parse(name, ties=self.ties, where=self.where)
            for name in given or own
        )

    def breakdowns_of(self, metrics: Iterable[Metric]) -> tuple[str, ...]:
        """Return the breakdowns whose metric is among these metrics."""
        names = {metric.name for metric in metrics}
        return tuple(each for each in self.breakdowns if read_name(each).plain in names)

    def measured(self, names: Iterable[str] = ()) -> dict[str, Any]:
        """Return the fields of a `Benchmark` that its kind determines.

        Args:
            names: Names of the metrics. Default: those of the kind.
        """
        metrics = self.named(names)
        return {
            "kind": self.name,
            "metrics": metrics,
            "breakdowns": self.breakdowns_of(metrics),
        }
