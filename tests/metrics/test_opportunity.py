"""Opportunity by a reranker that reads what the originals found."""

from __future__ import annotations

from leadline.metrics.coherence import Opportunity
from leadline.types import Document, Query

CORPUS = {name: Document(name, name * 3) for name in "abcde"}


class _Backwards:
    """Puts the last letter first."""

    name = "backwards"

    def rerank(self, queries, corpus, candidates):
        assert all(query.facets["kind"] == "original" for query in queries)
        return {key: {name: float(ord(name)) for name in its} for key, its in candidates.items()}


def query(id: str, kind: str) -> Query:
    return Query(id, id, "t", facets={"kind": kind})


def test_the_document_that_the_reranker_prefers_must_stay_within_reach() -> None:
    # Of a and b, the first 2 of the original, the reranker takes b: one form of two keeps it.
    queries = [query("o", "original"), query("x", "typo"), query("y", "typo")]
    run = {
        "o": {"a": 3.0, "b": 2.0, "c": 1.0},
        "x": {"c": 3.0, "b": 2.0},
        "y": {"c": 3.0, "d": 2.0, "b": 1.0},
    }
    metric = Opportunity(_Backwards(), CORPUS, k=2)
    assert metric.name == "Opportunity@2"
    assert metric(queries, {}, run) == {"t": 0.5}


def test_a_topic_without_rephrasings_or_without_results_has_no_value() -> None:
    assert Opportunity(_Backwards(), CORPUS)([query("o", "original")], {}, {"o": {"a": 1.0}}) == {}
    queries = [query("o", "original"), query("x", "typo")]
    assert Opportunity(_Backwards(), CORPUS)(queries, {}, {"x": {"a": 1.0}}) == {}
