import dataclasses

from leadline.benchmark import Benchmark
from leadline.kinds.cases import WORST, worst
from leadline.kinds.conditions import curve_by_k
from leadline.kinds.registry import kind_named
from leadline.report import Report
from leadline.report.shapes import Case
from leadline.types import Document, Qrels, Query, Run


def condition(topic: str, k: int, edit: str, before: str, after: str) -> Query:
    facets = {
        "style": "list", "k": str(k), "edit": edit, "before": before, "after": after,
        "document": topic, "span": "0-20",
    }  # fmt: skip
    return Query(id=f"{topic}~list~{k}", text="find it", topic=topic, facets=facets)


def conditions(*queries: Query) -> Benchmark:
    corpus: dict[str, Document] = {}
    qrels: dict[str, dict[str, int]] = {}
    for query in queries:
        good, bad = f"{query.id} good", f"{query.id} bad"
        corpus |= {id: Document(id=id, text=f"text of {id}") for id in (good, bad)}
        k = int(query.facets["k"])
        qrels[query.id] = {good: k, bad: k - 1}
    return Benchmark(
        "conditions", corpus, queries, qrels, kind_named("conditions").metrics, kind="conditions"
    )


def worst_cases(benchmark: Benchmark, report: Report, count: int = WORST) -> list[Case]:
    return worst(kind_named(benchmark.kind).failures(benchmark, report), count)


def report(benchmark: Benchmark, run: Run, **scores: dict[str, float]) -> Report:
    return Report(system="s", benchmark=benchmark.name, scores=scores, run=run)


def pair(query: Query, good: float, bad: float) -> dict[str, float]:
    return {f"{query.id} good": good, f"{query.id} bad": bad}


def test_a_tie_is_shown_as_a_pair_that_cannot_be_told_apart() -> None:
    query = condition("t", 1, "negation", "is", "is not")
    benchmark = conditions(query)
    [case] = worst_cases(benchmark, report(benchmark, {query.id: pair(query, 2.0, 2.0)}))
    assert case.headline == (
        "Cannot tell the two apart, though in one condition 1 is broken: “is” became “is not”."
    )
    assert case.expected.id.endswith("good")
    assert case.retrieved.id.endswith("bad")


def test_what_a_system_could_not_see_comes_last_once_for_each_reason() -> None:
    words = ("not", "not", "no")
    unseen = [condition(t, 1, "negation", "", w) for t, w in zip("acd", words, strict=True)]
    queries = [*unseen, condition("b", 1, "number", "3", "4")]
    benchmark = conditions(*queries)
    run = {q.id: pair(q, 1.0, 1.0) for q in queries}
    seen = {q.id: f"stop word: {word}" for q, word in zip(unseen, words, strict=True)}
    found = dataclasses.replace(report(benchmark, run), unseen=seen)
    assert [case.facts["document"] for case in worst_cases(benchmark, found)] == ["b", "a"]


def test_the_worst_come_first_and_every_kind_of_edit_before_a_second_of_one() -> None:
    queries = [
        condition("a", 1, "number", "1", "2"),
        condition("b", 1, "number", "3", "4"),
        condition("c", 1, "date", "May", "June"),
    ]
    benchmark = conditions(*queries)
    margins = {"a": 0.9, "b": 0.8, "c": 0.1}
    run = {q.id: pair(q, 1.0 - margins[q.topic], 1.0) for q in queries}
    cases = worst_cases(benchmark, report(benchmark, run))
    assert [case.facts["document"] for case in cases] == ["a", "c", "b"]


def forms(run: Run, qrels: Qrels) -> tuple[Benchmark, Report]:
    queries = [
        Query(id="o", text="ferry times", topic="t", facets={"kind": "original"}),
        Query(id="v", text="fery times", topic="t", facets={"kind": "typo"}),
    ]
    corpus = {id: Document(id=id, text=id) for id in "abcdef"}
    benchmark = Benchmark(
        "rephrasings", corpus, queries, qrels, kind_named("rephrasings").metrics, kind="rephrasings"
    )
    return benchmark, report(benchmark, run)


def test_a_form_that_loses_the_expected_document_says_from_where_to_where() -> None:
    run = {"o": {"a": 3.0, "b": 2.0}, "v": {"b": 2.0, "c": 1.5, "a": 1.0}}
    [case] = worst_cases(*forms(run, {"o": {"a": 1}, "v": {"a": 1}}))
    assert case.headline == (
        "In its form “typo” the query shares 2 of its first 5 documents with the original; "
        "the expected document falls from rank 1 to 3."
    )
    assert (case.query, case.compared) == ("fery times", "ferry times")
    assert (case.expected.id, case.retrieved.id) == ("a", "b")
    assert case.expected.rank == 3


def test_a_missed_document_is_shown_beside_the_first() -> None:
    query = Query(id="q", text="ferry", topic="q", answer="seven")
    corpus = {id: Document(id=id, text=id) for id in "ab"}
    benchmark = Benchmark("pool", corpus, [query], {"q": {"b": 1}}, kind_named("ranking").metrics)
    [case] = worst_cases(benchmark, report(benchmark, {"q": {"a": 2.0, "b": 1.0}}))
    assert case.headline == "The relevant document is at rank 2."
    assert case.facts["answer"] == "seven"


def test_the_curve_has_a_gap_between_numbers_of_conditions_and_ends_with_the_last() -> None:
    benchmark = conditions(condition("t", 1, "number", "1", "2"))
    scores = {"WinRate@1": {"t": 1.0}, "WinRate@2": {}, "WinRate@3": {"t": 0.0}}
    found = report(benchmark, {}, **scores, **{"Adjacent@1": {"t": 1.0}, "Adjacent@2": {"t": 0.0}})
    curve = curve_by_k("WinRate", "conditions", [found])
    assert curve is not None
    first, second, third = curve.lines["s"]
    assert first is not None
    assert third is not None
    assert (first.mean, first.n, third.mean) == (1.0, 1, 0.0)
    assert second is None
    assert curve.x == (1, 2, 3)
    neighbours = curve_by_k("Adjacent", "conditions", [found])
    assert neighbours is not None
    assert [point and point.mean for point in neighbours.lines["s"]] == [1.0, 0.0]
    assert curve_by_k("Adjacent", "conditions", [report(benchmark, {})]) is None


def test_where_the_first_document_stays_both_lists_are_shown_with_what_moved() -> None:
    queries = [
        Query("t", "one", "t", facets={"kind": "original"}),
        Query("t~typo", "oen", "t", facets={"kind": "typo"}),
    ]
    corpus = {id: Document(id, f"text of {id}", id.upper()) for id in "abcd"}
    benchmark = Benchmark(
        "rephrasings", corpus, queries, {}, kind_named("rephrasings").metrics, kind="rephrasings"
    )
    run = {"t": {"a": 3.0, "b": 2.0, "c": 1.0}, "t~typo": {"a": 3.0, "c": 2.0, "d": 1.0}}
    [case] = worst_cases(benchmark, report(benchmark, run))
    moved = {label: [(e.id, e.moved) for e in listed] for label, listed in case.rankings.items()}
    assert moved == {
        "First for the original": [("a", "stays"), ("b", "gone"), ("c", "to 2")],
        "First for this form": [("a", "stays"), ("c", "from 3"), ("d", "new")],
    }
