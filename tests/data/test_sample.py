"""A sample keeps the answers of the queries that it keeps, and the order of the corpus."""

from __future__ import annotations

import pytest

from leadline.data.documents import sampled
from leadline.errors import InputError
from leadline.types import Document, Query

CORPUS = {str(i): Document(str(i), f"text {i}") for i in range(100)}
QUERIES = [Query(f"q{i}", f"query {i}") for i in range(30)]
QRELS = {f"q{i}": {str(i): 1, str(50 + i): 2, str(99 - i): 0} for i in range(30)}


def test_a_sample_has_as_many_documents_in_the_order_of_the_corpus():
    found, _ = sampled(CORPUS, 20, 0)
    assert len(found) == 20
    assert list(found) == sorted(found, key=int)
    assert list(found) != list(sampled(CORPUS, 20, 1)[0])
    assert found == sampled(CORPUS, 20, 0)[0]


def test_a_query_keeps_all_its_answers_or_has_no_judgement():
    found, qrels = sampled(CORPUS, 20, 0, QUERIES, QRELS)
    assert len(found) == 20
    assert len(qrels) >= 5
    for query_id, grades in qrels.items():
        relevant = {id for id, grade in QRELS[query_id].items() if grade}
        assert relevant <= set(grades) <= set(found)


def test_a_corpus_that_has_no_more_is_itself():
    assert sampled(CORPUS, 100, 0, QUERIES, QRELS) == (CORPUS, QRELS)


def test_no_documents_are_no_sample():
    with pytest.raises(InputError, match="at least 1"):
        sampled(CORPUS, 0, 0)
