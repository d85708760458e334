from __future__ import annotations

from leadline.benchmark import Benchmark
from leadline.diagnosis.causes import misranked
from leadline.diagnosis.slices import failing_slices
from leadline.types import Document, Query


def test_failures_are_counted_by_facet_and_by_length() -> None:
    # Twenty queries, every second one negated; the negated ones fail.
    kinds = ("x", "no")
    queries = [
        Query(f"q{n}", "a b" if n % 2 else "a b c", f"t{n}", facets={"edit": kinds[n % 2]})
        for n in range(20)
    ]
    mine = Benchmark(
        "mine", {"d": Document("d", "one two")}, queries, {q.id: {"d": 1} for q in queries}, ()
    )
    slices = failing_slices(mine, {query.id for query in queries if query.facets["edit"] == "no"})
    by_name = {(each.facet, each.value): each for each in slices}
    assert by_name["edit", "no"].share == 1.0 and by_name["edit", "no"].queries == 10
    assert by_name["edit", "x"].share == 0.0
    # All of them, then the worst.
    assert [(each.queries, each.share) for each in slices[:2]] == [(20, 0.5), (10, 1.0)]
    assert by_name["words of the query", "2"].share == 1.0
    assert ("words of the document", "2 and more") not in by_name  # all are alike: no slices


def test_a_query_whose_answer_is_not_in_the_corpus_has_no_length_and_no_cause() -> None:
    corpus = {id: Document(id, f"{id} one two") for id in ("d1", "d2")}
    queries = [Query(f"q{n}", "a b", f"t{n}") for n in range(4)]
    qrels = {query.id: {"d1": 1, "gone": 2} for query in queries} | {"q3": {"gone": 1}}
    mine = Benchmark("mine", corpus, queries, qrels, ())
    assert [each.queries for each in failing_slices(mine, {"q0"})] == [3]
    run = {query.id: {"d2": 2.0, "d1": 1.0} for query in queries}
    cases = misranked(mine, run, "bm25")
    assert [(each.query_id, each.positive.id) for each in cases] == [
        ("q0", "d1"), ("q1", "d1"), ("q2", "d1"),
    ]  # fmt: skip
