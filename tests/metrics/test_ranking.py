import math
import warnings

import pytest

from leadline.errors import InputError
from leadline.metrics.ranking import (
    MAP,
    MRR,
    NDCG,
    MeanRank,
    Precision,
    Recall,
    SetRank,
    average_precision,
    ndcg,
    precision,
    recall,
    reciprocal_rank,
)
from leadline.types import Metric, Query

GRADED = {"q": {"a": 3, "b": 2, "c": 1}}
RUN = {"q": {"b": 9.0, "x": 8.0, "a": 7.0, "y": 6.0}}
ONE, IDEAL = {"q": {"a": 1}}, 3 + 2 / math.log2(3) + 0.5
TIED, NARROW = {"q": {"b": 1.0, "c": 1.0, "a": 1.0}}, {"q": {"a": 100000001.0, "b": 100000000.0}}


@pytest.mark.parametrize(
    ("measure", "run", "qrels", "options", "value"),
    [
        # DCG = 2/log2(2) + 3/log2(4) = 3.5; ideal = 3/1 + 2/log2(3) + 1/2
        (ndcg, RUN, GRADED, {"k": 10}, 3.5 / IDEAL),
        # The first place holds b (grade 2), the ideal there is a (grade 3).
        (ndcg, RUN, GRADED, {"k": 1}, 2 / 3),
        (ndcg, RUN, GRADED, {"k": 1, "gain": "exponential"}, 3 / 7),  # (2^2 - 1) / (2^3 - 1)
        # A negative grade gains nothing.
        (ndcg, {"q": {"a": 2.0, "b": 1.0}}, {"q": {"a": -2, "b": 1}}, {"k": 10}, 1 / math.log2(3)),
        # b at 1: 1/1; a at 3: 2/3; three relevant documents, whatever k is
        (average_precision, RUN, GRADED, {}, (1 + 2 / 3) / 3),
        (average_precision, RUN, GRADED, {"k": 1}, 1 / 3),
        (precision, {"q": {"a": 1.0}}, ONE, {"k": 5}, 0.2),
        (recall, RUN, GRADED, {"k": 2}, 1 / 3),
        (recall, {"q": {}}, ONE, {"k": 10}, 0.0),
        (reciprocal_rank, RUN, ONE, {"k": 2}, 0.0),
        (reciprocal_rank, RUN, ONE, {}, 1 / 3),
        (reciprocal_rank, TIED, ONE, {}, 1 / 3),  # to the higher id, so a is last
        (reciprocal_rank, TIED, ONE, {"ties": "stable"}, 1 / 3),
        (reciprocal_rank, TIED, {"q": {"b": 1}}, {"ties": "stable"}, 1.0),
        (reciprocal_rank, TIED, ONE, {"ties": "id"}, 1.0),
        (reciprocal_rank, NARROW, ONE, {}, 0.5),  # equal as 32-bit floats
        (reciprocal_rank, NARROW, ONE, {"ties": "stable"}, 1.0),
        # Finite scores whose sum overflows.
        (reciprocal_rank, {"q": {"b": 1.7e308, "a": 1.6e308}}, ONE, {"ties": "stable"}, 0.5),
        (ndcg, {"q": {"a": 1.0}}, {"q": {"a": 0}}, {"k": 10, "no_relevant": "zero"}, 0.0),
    ],
)
def test_measures_of_one_query(measure, run, qrels, options, value):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert measure(run, qrels, **options) == {"q": pytest.approx(value)}


def test_queries_without_a_ranking_or_a_relevant_document():
    with pytest.warns(UserWarning, match="1 of 2 queries are not in the run"):
        values = ndcg({"q": {"a": 1.0}}, {**ONE, "r": {"b": 1}}, 10)
    assert values == {"q": 1.0, "r": 0.0}
    assert ndcg({}, ONE, 10, absent="leave_out") == {}
    assert ndcg({"q": {"a": 1.0}}, {"q": {"a": 0}}, 10) == {}
    assert recall({"q": {"a": 1.0}, "r": {"a": 1.0}}, ONE, 1) == {"q": 1.0}


@pytest.mark.parametrize(
    ("run", "options", "told"),
    [
        ({"q": {"a": 1.0, "b": math.nan}}, {}, "Query 'q': document 'b' has the score"),
        ({"q": {"a": 1.0, "b": -math.inf}}, {}, "Query 'q': document 'b' has the score"),
        (RUN, {"k": 0}, r"^k must be at least 1, got 0\.$"),
        (RUN, {"ties": "random"}, "ties must be one of"),
        (RUN, {"absent": "skip"}, "absent must be"),
        (RUN, {"no_relevant": "skip"}, "no_relevant must be"),
        (RUN, {"gain": "none"}, "gain must be"),
    ],
)
def test_what_has_no_meaning_is_refused(run, options, told):
    with pytest.raises(InputError, match=told):
        ndcg(run, ONE, **{"k": 10, **options})


@pytest.mark.parametrize(
    ("metric", "name"),
    [(NDCG(10), "nDCG@10"), (MRR(10), "MRR@10"), (MAP(100), "MAP@100"), (Recall(5), "Recall@5"),
     (Precision(1), "P@1")],
)  # fmt: skip
def test_metric_objects_measure_the_queries_they_are_given(metric, name):
    assert isinstance(metric, Metric) and metric.name == name and metric.unit == "query"
    qrels = {"q": {"a": 1}, "other": {"a": 1}}
    run = {"q": {"a": 1.0}, "other": {"x": 1.0}}
    assert metric([Query("q", "?")], qrels, run) == {"q": 1.0}


def test_where_restricts_a_metric_to_queries_with_a_facet():
    queries = [Query("q", "?", facets={"kind": "original"}), Query("v", "?", facets={"kind": "x"})]
    metric = NDCG(10, where=(("kind", "original"),))
    run = {"q": {"a": 1.0}, "v": {"a": 1.0}}
    assert metric(queries, {"q": {"a": 1}, "v": {"a": 1}}, run) == {"q": 1.0}


def test_the_mean_rank_of_a_document_that_is_missing_is_the_one_after_the_last():
    queries = [Query("q", "?"), Query("r", "?"), Query("absent", "?")]
    qrels = {"q": {"b": 1}, "r": {"z": 1}, "absent": {"b": 1}}
    run = {"q": {"a": 2.0, "b": 1.0}, "r": {"a": 2.0, "b": 1.0}}
    assert MeanRank()(queries, qrels, run) == {"q": 2.0, "r": 3.0}


def test_the_set_rank_counts_documents_of_the_tuple_set_only():
    # a1 and a2 are of one set, b of another: a2 is second of its set, whatever stands between.
    queries = [
        Query("one", "?", facets={"tuple_set": "a"}),
        Query("two", "?", facets={"tuple_set": "a"}),
        Query("three", "?", facets={"tuple_set": "b"}),
        Query("none", "?"),
    ]
    qrels = {"one": {"a1": 1}, "two": {"a2": 1}, "three": {"b": 1}, "none": {"b": 1}}
    ranking = {"b": 3.0, "a1": 2.0, "a2": 1.0}
    run = dict.fromkeys(("one", "two", "three", "none"), ranking)
    assert SetRank()(queries, qrels, run) == {"one": 1.0, "two": 2.0, "three": 1.0}
    # On some of the queries, the sets are those of all.
    seeing = SetRank().within(queries, qrels)
    assert seeing(queries[1:2], qrels, run) == {"two": 2.0}
    assert SetRank()(queries[1:2], qrels, run) == {"two": 1.0}
    assert SetRank()(queries[:2], qrels, {"two": {"b": 1.0, "a1": 0.5}}) == {"two": 2.0}
