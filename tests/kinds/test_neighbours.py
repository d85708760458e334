"""Statements of a document searched among real documents, where none can be written."""

from leadline.checking import build_probes
from leadline.evaluation import evaluate
from leadline.kinds.neighbours import build, in_place_of
from leadline.retrievers import bm25
from leadline.system import System
from leadline.types import Document
from notes import NOTES

CORPUS = {id: Document(id, text, title) for id, (title, text) in NOTES.items()}


def test_queries_are_made_of_statements_and_all_documents_are_real() -> None:
    (conditions,) = build_probes(CORPUS, ["conditions"], limit=5)
    probe = in_place_of(conditions, CORPUS).validated()
    assert probe.built["limit"] == 5 and probe.built["kept"] == 5
    assert list(probe.corpus) == list(CORPUS)
    assert probe.candidates is None
    for query in probe.queries:
        assert query.facets["condition"].rstrip(".") in query.text
        assert query.facets["condition"].rstrip(".") in " ".join(CORPUS[query.topic].text.split())
        assert probe.qrels[query.id][query.topic] == 1
    assert {query.facets["k"] for query in probe.queries} >= {"1", "2", "3"}


def test_it_is_built_by_its_name_and_measured() -> None:
    (probe,) = build_probes(CORPUS, ["neighbours"])
    report = evaluate(System(bm25.build(), depth=10), probe)
    assert float(report.mean("MRR@10")) > 0.8
    assert report.scores.keys() >= {"P@1", "MRR@10", "MRR@10[k=1]"}


def test_a_document_that_says_all_of_a_query_is_right_too() -> None:
    topic = build(CORPUS).queries[0].topic
    again = {**CORPUS, "copy": Document("copy", CORPUS[topic].text, CORPUS[topic].title)}
    probe = build(again)
    mine = [query.id for query in probe.queries if query.topic in (topic, "copy")]
    assert mine and all({topic, "copy"} <= probe.qrels[id].keys() for id in mine)


def test_a_query_that_many_documents_answer_is_dropped() -> None:
    topic = build(CORPUS).queries[0].topic
    same = {f"copy {n}": Document(f"copy {n}", CORPUS[topic].text, CORPUS[topic].title)
            for n in range(5)}  # fmt: skip
    probe = build({**CORPUS, **same})
    assert not {query.topic for query in probe.queries} & {topic, *same}
    assert "many documents hold the words of a query" in probe.built["dropped"]


def test_a_document_without_a_statement_is_not_asked() -> None:
    probe = build({**CORPUS, "short": Document("short", "See above.", "Nothing")})
    assert "short" not in {query.topic for query in probe.queries}
    assert probe.built["dropped"]["no sentence, table row or field that stands by itself"] == 1
