import math

import pytest

from leadline.errors import InputError
from leadline.metrics.ranking import MeanRank, SetRank
from leadline.types import Query

QUERIES = [Query(f"q{n}", "?", facets={"tuple_set": "s"}) for n in (1, 2, 3)]
QRELS = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}


def test_mean_rank_puts_a_missing_document_after_the_last():
    run = {"q1": {"x": 2.0, "a": 1.0}, "q2": {"x": 2.0, "y": 1.0}, "q3": {}}
    assert MeanRank()(QUERIES, QRELS, run) == {"q1": 2.0, "q2": 3.0, "q3": 1.0}


def test_mean_rank_leaves_out_a_query_that_is_not_in_the_run():
    assert MeanRank()(QUERIES, QRELS, {}) == {}


def test_set_rank_counts_documents_of_the_same_set_only():
    # x belongs to no query of the set: above a stands c alone
    run = {"q1": {"x": 4.0, "c": 3.0, "a": 2.0, "b": 1.0}}
    assert SetRank()(QUERIES, QRELS, run) == {"q1": 2.0}


def test_set_rank_puts_a_missing_document_after_those_of_the_set_that_were_found():
    assert SetRank()(QUERIES, QRELS, {"q1": {"x": 2.0, "b": 1.0}}) == {"q1": 2.0}


def test_set_rank_leaves_out_a_query_without_the_facet():
    assert SetRank()([Query("q1", "?")], QRELS, {"q1": {"a": 1.0}}) == {}


@pytest.mark.parametrize("metric", [MeanRank(), SetRank()])
def test_a_nan_score_is_refused_by_name(metric):
    with pytest.raises(InputError, match="Query 'q1': document 'a'"):
        metric(QUERIES, QRELS, {"q1": {"a": math.nan}})


def test_set_rank_remembers_its_sets_when_queries_are_left_out():
    # b and c stand above a; without q2 and q3 nothing else tells that they are of the set
    run = {"q1": {"b": 3.0, "c": 2.0, "a": 1.0}}
    metric = SetRank().within(QUERIES, QRELS)
    assert SetRank()(QUERIES[:1], QRELS, run) == {"q1": 1.0}
    assert metric(QUERIES[:1], QRELS, run) == {"q1": 3.0}
    assert metric == SetRank()
