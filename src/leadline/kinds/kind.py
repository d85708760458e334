"""Kind: all that sets one kind of test apart, in one value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from leadline.benchmark import Benchmark
from leadline.evidence import Figure
from leadline.kinds.cases import Failure, missed
from leadline.kinds.wording import ByMetric, leading_sentences
from leadline.metrics.catalogue import MetricEntry
from leadline.metrics.names import parse, read_name
from leadline.metrics.ranks import Ties
from leadline.metrics.topics import Where
from leadline.report import Report
from leadline.types import Metric, Query, adopted

Failures: TypeAlias = Callable[[Benchmark, Report], Iterator[Failure]]
Figures: TypeAlias = Callable[[str, Sequence[Report]], list[Figure]]
Sentences: TypeAlias = Callable[[Mapping[str, ByMetric], str], list[str]]


def no_figures(benchmark: str, reports: Sequence[Report]) -> list[Figure]:
    """Draw nothing."""
    return []


@dataclass(frozen=True)
class Probe:
    """How `leadline check` builds tests of a kind from a corpus, by rules.

    builder      `module:function`, imported when the probe is built, or the function itself:
                 takes a corpus and, by name, what it needs of queries, qrels, seed, limit,
                 source, enricher and harvested, and returns a Benchmark
    about        what it asks, for `--help`
    by_default   whether it is built unless probes are named
    reads_with   name of the enricher that reads the documents; empty for none
    counts       what `harvested` must have counted beside words: written, pairs
    caution      what the report says of it wherever it was run
    stand_in     `module:function` that makes of the probe and the corpus one that judges documents
                 of the corpus only, for a search that cannot be given others; empty for none
    """

    builder: str | Callable[..., Benchmark]
    about: str
    by_default: bool = True
    reads_with: str = ""
    counts: tuple[str, ...] = ()
    caution: str = ""
    stand_in: str = ""


@dataclass(frozen=True)
class Kind:
    """A kind of test: what it asks, measures, tells and shows.

    question     what it asks of a system, in one line
    metrics      what it is measured by
    main         names of the few metrics that a table shows, the most telling first
    decides      metrics by which a repair is judged: of all cases, so that no system gains by
                 seeing fewer; the first main metric and nDCG@10 where none is given
    breakdowns   what results are divided by: `RBO@5[kind]` by the facet `kind`
    sides        option of a metric that divides like a facet -> the value it has by default
    ties, where  how ranking metrics that are given by name break ties, and which queries they see
    failures     finds failing cases in a report, with how bad each is
    figures      draws the reports of all systems on one benchmark
    sentences    says what results are like, from system -> metric -> entry of report.json and the
                 most telling metric
    strict       only a document of the highest grade is right in the first place
    probe        how it is built from a corpus by rules; None where it cannot be
    recognises   tells whether queries that name no kind are of it, by their facets
    entries      what its own metrics mean, where they are in no list of `leadline list metrics`
    """

    name: str
    question: str
    metrics: tuple[Metric, ...]
    main: tuple[str, ...]
    decides: tuple[Metric, ...] = ()
    breakdowns: tuple[str, ...] = ()
    sides: Mapping[str, str] = field(default_factory=dict)
    ties: Ties = "trec"
    where: Where = ()
    failures: Failures = missed
    figures: Figures = no_figures
    sentences: Sentences = leading_sentences
    strict: bool = False
    probe: Probe | None = None
    entries: tuple[MetricEntry, ...] = ()
    recognises: Callable[[Sequence[Query]], bool] | None = None

    def __post_init__(self) -> None:
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
