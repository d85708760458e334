"""Kind: all that sets one kind of test apart, in one value."""

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
    """What a kind finds in a ranking beside its scores.

    benchmark  as its metrics read it: queries may have more facets
    examined   joins the report, as report.json has it
    unseen     query -> why the system could not see what it compares
    """

    benchmark: Benchmark
    examined: Mapping[str, Any]
    unseen: Mapping[str, str] = field(default_factory=dict)


Examine: TypeAlias = Callable[[Benchmark, Ranking, System], Examined]


def what_reasoning_changed(benchmark: Benchmark, ranking: Ranking, system: System) -> Examined:
    """Find what a stage that reasons changed, where there is one."""
    found = reasoning_of(benchmark, ranking.stages)
    return Examined(benchmark, {"reasoning": found} if found else {})


@dataclass(frozen=True)
class Probe:
    """How `leadline check` builds tests of a kind from a corpus, by rules.

    builder      `module:function`, imported when the probe is built, or the function itself:
                 takes a corpus and, by name, what it needs of queries, qrels, seed, limit,
                 source, enricher and harvested, and returns a Benchmark
    about        what it asks, for `--help`
    by_default   whether it is built unless probes are named
    counts       what `harvested` must have counted beside words: pairs
    caution      what the report says of it wherever it was run
    stand_in     `module:function` that makes of the probe and the corpus one that judges documents
                 of the corpus only, for a search that cannot be given others; empty for none
    """

    builder: str | Callable[..., Benchmark]
    about: str
    by_default: bool = True
    counts: tuple[str, ...] = ()
    caution: str = ""
    stand_in: str = ""


@dataclass(frozen=True, kw_only=True)
class Kind(Shown):
    """A kind of test: what it asks, measures, tells and shows.

    metrics      what it is measured by
    decides      metrics by which a repair is judged: of all cases, so that no system gains by
                 seeing fewer; the first main metric and nDCG@10 where none is given
    breakdowns   what results are divided by: `RBO@5[kind]` by the facet `kind`
    ties, where  how ranking metrics that are given by name break ties, and which queries they see
    failures     finds failing cases in a report, with how bad each is
    examine      finds what the report holds beside scores, before these are computed
    strict       only a document of the highest grade is right in the first place
    probe        how it is built from a corpus by rules; None where it cannot be
    recognises   tells whether queries that name no kind are of it, by their facets
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
        """Return the metrics with the given names, or all of the kind where none is given.

        Raises InputError on an unknown name.
        """
        own = {metric.name: metric for metric in self.metrics}
        given = tuple(names)
        return tuple(
            own[name] if name in own else parse(name, ties=self.ties, where=self.where)
            for name in given or own
        )

    def breakdowns_of(self, metrics: Iterable[Metric]) -> tuple[str, ...]:
        """Return those of the breakdowns that the metrics allow."""
        names = {metric.name for metric in metrics}
        return tuple(each for each in self.breakdowns if read_name(each).plain in names)

    def measured(self, names: Iterable[str] = ()) -> dict[str, Any]:
        """Return the fields of a `Benchmark` that its kind decides.

        names  of the metrics, where it has others than its kind
        """
        metrics = self.named(names)
        return {
            "kind": self.name,
            "metrics": metrics,
            "breakdowns": self.breakdowns_of(metrics),
        }
