"""Conditions searched among real documents, where none can be written."""

from __future__ import annotations

from leadline.checking import build_probes
from leadline.evaluation import evaluate
from leadline.kinds.neighbours import of_real_documents
from leadline.retrievers import bm25
from leadline.system import System
from leadline.types import Document
from notes import NOTES

CORPUS = {id: Document(id, text, title) for id, (title, text) in NOTES.items()}


def test_queries_are_those_of_the_conditions_and_all_documents_are_real() -> None:
    (conditions,) = build_probes(CORPUS, ["conditions"])
    probe = of_real_documents(conditions, CORPUS).validated()
    asked = {query.id: query.text for query in conditions.queries}
    assert len(probe.queries) > 3
    assert all(asked[query.id] == query.text for query in probe.queries)
    assert {query.facets["style"] for query in probe.queries} == {"list"}
    assert not any({"edit", "before", "after"} & set(query.facets) for query in probe.queries)
    assert list(probe.corpus) == list(CORPUS)
    assert probe.candidates is None
    judged = {id: grades for query in probe.queries for id, grades in probe.qrels[query.id].items()}
    assert judged.keys() <= CORPUS.keys() and set(judged.values()) == {1}


def test_it_is_built_by_its_name_and_measured() -> None:
    (probe,) = build_probes(CORPUS, ["neighbours"])
    report = evaluate(System(bm25.build(), depth=10), probe)
    assert float(report.mean("MRR@10")) > 0.8
    assert report.scores.keys() >= {"P@1", "MRR@10", "MRR@10[k=1]"}


def test_a_query_is_dropped_where_another_document_says_all_of_it() -> None:
    (conditions,) = build_probes(CORPUS, ["conditions"])
    first = conditions.queries[0].topic
    topics = {query.topic for query in of_real_documents(conditions, CORPUS).queries}
    assert first in topics
    again = {**CORPUS, "copy": Document("copy", f"As was told before: {CORPUS[first].text}")}
    probe = of_real_documents(conditions, again)
    assert {query.topic for query in probe.queries} == topics - {first}
    (why,) = probe.built["dropped"]
    assert why == "another document holds the words of all its conditions"


def test_a_document_that_says_one_of_two_is_a_neighbour() -> None:
    (conditions,) = build_probes(CORPUS, ["conditions"])
    texts = {
        (query.topic, query.facets["k"]): query.facets["condition"]
        for query in conditions.queries
        if query.facets["style"] == "list"
    }
    topic = next(topic for topic, k in texts if k == "2")
    near = {**CORPUS, "near": Document("near", f"Elsewhere, {texts[topic, '1']}.")}
    kept = {query.facets["k"] for query in of_real_documents(conditions, near).queries
            if query.topic == topic}  # fmt: skip
    assert "1" not in kept and "2" in kept
