import dataclasses

import pytest

from leadline.benchmark import Benchmark
from leadline.errors import InputError
from leadline.evaluation import evaluate, limited
from leadline.kinds.registry import kind_named
from leadline.system import System
from leadline.types import Candidates, Corpus, Document, Index, Qrels, Query, Run

DOCUMENTS = {
    "a": Document(id="a", text="the ferry leaves at seven"),
    "b": Document(id="b", text="the boiler was serviced in March"),
    "c": Document(id="c", text="the film runs for two hours"),
    "d": Document(id="d", text="rye bread needs caraway"),
}

QRELS: Qrels = {
    "1": {"a": 1},
    "1typo": {"a": 1},
    "1polite": {"a": 1},
    "2": {"b": 1},
    "2typo": {"b": 1},
}


class Fixed:
    """A first stage whose answers are known."""

    name = "fixed"

    def __init__(self, run: Run) -> None:
        self._run = run

    def index(self, corpus: Corpus) -> Index:
        return self

    def search(self, queries: list[Query], k: int) -> Run:
        return {q.id: self._run[q.id] for q in queries}

    def score(self, queries: list[Query], candidates: Candidates) -> Run:
        return self.search(queries, 0)


def rephrasings(run: Run, qrels: Qrels | None = None) -> tuple[System, Benchmark]:
    queries = [
        Query(id="1", text="ferry", topic="t1", facets={"kind": "original"}),
        Query(id="1typo", text="fery", topic="t1", facets={"kind": "typo"}),
        Query(id="1polite", text="ferry, please", topic="t1", facets={"kind": "polite"}),
        Query(id="2", text="boiler", topic="t2", facets={"kind": "original"}),
        Query(id="2typo", text="boilr", topic="t2", facets={"kind": "typo"}),
    ]
    benchmark = Benchmark(
        name="forms",
        corpus=DOCUMENTS,
        queries=queries,
        qrels=QRELS if qrels is None else qrels,
        metrics=kind_named("rephrasings").metrics,
        kind="rephrasings",
        built_by="rules",
        breakdowns=kind_named("rephrasings").breakdowns,
    )  # fmt: skip
    return System(Fixed(run)), benchmark  # type: ignore[arg-type]


RUN: Run = {
    "1": {"a": 3.0, "b": 2.0},
    "1typo": {"b": 2.0, "a": 1.0},
    "1polite": {"a": 3.0, "b": 2.0},
    "2": {"b": 1.0},
    "2typo": {"c": 1.0},
}


def test_a_metric_on_originals_reads_no_variant() -> None:
    report = evaluate(*rephrasings(RUN))
    assert report.scores["MRR@10"] == {"1": 1.0, "2": 1.0}


def test_a_breakdown_across_a_topic_keeps_its_original() -> None:
    scores = evaluate(*rephrasings(RUN)).scores
    assert scores["RBO@5[kind=polite]"] == {"t1": 1.0}
    assert scores["RBO@5[kind=typo]"]["t2"] == 0.0


def test_a_breakdown_is_over_the_topics_that_have_that_kind() -> None:
    # Topic t2 has no polite form: it is no case of it, rather than a case left out.
    mean = evaluate(*rephrasings(RUN)).mean("RBO@5[kind=polite]")
    assert (mean.n, mean.left_out) == (1, 0)


def test_units_without_a_value_are_counted() -> None:
    # The one form of t2 is not there, so t2 cannot be compared with itself.
    system, benchmark = rephrasings(RUN)
    alone = dataclasses.replace(
        benchmark,
        queries=[query for query in benchmark.queries if query.id != "2typo"],
        qrels={id: grades for id, grades in QRELS.items() if id != "2typo"},
    )
    mean = evaluate(system, alone).mean("RBO@5")
    assert (mean.n, mean.left_out) == (1, 1)


def test_a_limit_keeps_whole_topics() -> None:
    _, benchmark = rephrasings(RUN)
    first = limited(benchmark, 1)
    assert [query.id for query in first.queries] == ["1", "1typo", "1polite"]
    assert set(first.qrels) == {"1", "1typo", "1polite"}


def test_qrels_of_mostly_unknown_documents_are_refused_before_anything_runs() -> None:
    system, benchmark = rephrasings({}, qrels={"1": {"a": 1}, "2": {"ghost": 1, "other": 1}})
    with pytest.raises(InputError, match="'ghost'"):
        evaluate(system, benchmark)


class Failing(Fixed):
    """A first stage that gives up on one query in each run, and counts it."""

    failures: dict[str, int]

    def search(self, queries: list[Query], k: int) -> Run:
        self.failures = {"timed out": getattr(self, "failures", {}).get("timed out", 0) + 1}
        return super().search(queries, k)


def test_failures_are_counted_for_each_benchmark_alone() -> None:
    _, benchmark = rephrasings(RUN)
    system = System(Failing(RUN))  # type: ignore[arg-type]
    first, second = evaluate(system, benchmark), evaluate(system, benchmark)
    assert first.failures == second.failures == {"fixed: timed out": 1}
    assert first.as_json()["failures"] == {"fixed: timed out": 1}


def test_metrics_see_to_the_depth_of_the_benchmark_and_the_run_stays_short() -> None:
    deep = {"1": {"b": 3.0, "c": 2.0, "a": 1.0}}

    class Shallow(Fixed):
        def search(self, queries: list[Query], k: int) -> Run:
            return {q.id: dict(list(self._run[q.id].items())[:k]) for q in queries}

    benchmark = Benchmark(
        name="one",
        corpus=DOCUMENTS,
        queries=[Query(id="1", text="ferry", topic="1", facets={"tuple_set": "s"})],
        qrels={"1": {"a": 1}},
        metrics=kind_named("implicit-facts").metrics,
        kind="implicit-facts",
        depth=3,
    )
    report = evaluate(System(Shallow(deep), depth=1), benchmark)
    assert report.scores["MeanRank"] == {"1": 3.0}
    assert report.run == {"1": {"b": 3.0}}
    assert report.settings["ranks"].startswith("to 3; those below 1 ")
