import math
import warnings

import pytest

from leadline.errors import InputError
from leadline.metrics.ranking import (
    MAP,
    MRR,
    NDCG,
    Precision,
    Recall,
    average_precision,
    ndcg,
    precision,
    recall,
    reciprocal_rank,
)
from leadline.types import Metric, Query

GRADED = {"q": {"a": 3, "b": 2, "c": 1}}
RUN = {"q": {"b": 9.0, "x": 8.0, "a": 7.0, "y": 6.0}}


def test_ndcg_discounts_linear_gains_by_the_logarithm_of_the_rank():
    # DCG = 2/log2(2) + 3/log2(4) = 3.5; ideal = 3/1 + 2/log2(3) + 1/2
    ideal = 3 + 2 / math.log2(3) + 0.5
    assert ndcg(RUN, GRADED, 10) == {"q": pytest.approx(3.5 / ideal)}


def test_ndcg_cuts_the_ideal_at_k_as_well():
    # first place holds b (grade 2), the ideal there is a (grade 3)
    assert ndcg(RUN, GRADED, 1) == {"q": pytest.approx(2 / 3)}


def test_exponential_gain_weighs_grades_by_powers_of_two():
    # (2^2 - 1) / (2^3 - 1)
    assert ndcg(RUN, GRADED, 1, gain="exponential") == {"q": pytest.approx(3 / 7)}


def test_a_negative_grade_gains_nothing():
    assert ndcg({"q": {"a": 2.0, "b": 1.0}}, {"q": {"a": -2, "b": 1}}, 10) == {
        "q": pytest.approx(1 / math.log2(3))
    }


def test_average_precision_divides_by_all_relevant_documents_not_by_k():
    # b at 1: 1/1; a at 3: 2/3; three relevant documents
    assert average_precision(RUN, GRADED) == {"q": pytest.approx((1 + 2 / 3) / 3)}
    assert average_precision(RUN, GRADED, 1) == {"q": pytest.approx(1 / 3)}


def test_precision_divides_by_k_even_when_the_run_is_shorter():
    assert precision({"q": {"a": 1.0}}, {"q": {"a": 1}}, 5) == {"q": 0.2}


def test_recall_counts_what_stands_above_the_cut():
    assert recall(RUN, GRADED, 2) == {"q": pytest.approx(1 / 3)}


def test_reciprocal_rank_is_zero_when_the_gold_is_below_k():
    run = {"q": {"x": 3.0, "y": 2.0, "a": 1.0}}
    assert reciprocal_rank(run, {"q": {"a": 1}}, 2) == {"q": 0.0}
    assert reciprocal_rank(run, {"q": {"a": 1}}) == {"q": pytest.approx(1 / 3)}


def test_trec_ties_go_to_the_higher_document_id():
    assert reciprocal_rank({"q": {"a": 1.0, "b": 1.0}}, {"q": {"a": 1}}) == {"q": 0.5}


def test_trec_ties_arise_from_rounding_to_32_bits():
    run = {"q": {"a": 100000001.0, "b": 100000000.0}}
    assert reciprocal_rank(run, {"q": {"a": 1}}) == {"q": 0.5}
    assert reciprocal_rank(run, {"q": {"a": 1}}, ties="stable") == {"q": 1.0}


def test_stable_ties_keep_the_order_of_the_run():
    run = {"q": {"b": 1.0, "c": 1.0, "a": 1.0}}
    assert reciprocal_rank(run, {"q": {"a": 1}}, ties="stable") == {"q": pytest.approx(1 / 3)}


def test_ties_by_id_go_to_the_lower_document_id():
    run = {"q": {"b": 1.0, "a": 1.0}}
    assert reciprocal_rank(run, {"q": {"a": 1}}, ties="id") == {"q": 1.0}


def test_a_query_absent_from_the_run_counts_zero_and_warns():
    with pytest.warns(UserWarning, match="1 of 2 queries are not in the run"):
        values = ndcg({"q": {"a": 1.0}}, {"q": {"a": 1}, "r": {"b": 1}}, 10)
    assert values == {"q": 1.0, "r": 0.0}


def test_a_query_absent_from_the_run_can_be_left_out():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        values = ndcg({}, {"q": {"a": 1}}, 10, absent="leave_out")
    assert values == {}


def test_a_query_with_an_empty_ranking_counts_zero_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert recall({"q": {}}, {"q": {"a": 1}}, 10) == {"q": 0.0}


def test_a_query_without_relevant_documents_is_left_out():
    assert ndcg({"q": {"a": 1.0}}, {"q": {"a": 0}}, 10) == {}


def test_a_query_without_relevant_documents_can_count_zero():
    assert ndcg({"q": {"a": 1.0}}, {"q": {"a": 0}}, 10, no_relevant="zero") == {"q": 0.0}


def test_a_query_in_the_run_only_is_ignored():
    assert recall({"q": {"a": 1.0}, "r": {"a": 1.0}}, {"q": {"a": 1}}, 1) == {"q": 1.0}


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_score_that_is_not_finite_is_refused_by_name(bad):
    with pytest.raises(InputError, match="Query 'q': document 'b' has the score"):
        ndcg({"q": {"a": 1.0, "b": bad}}, {"q": {"a": 1}}, 10)


def test_finite_scores_whose_sum_overflows_are_accepted():
    run = {"q": {"a": 1.7e308, "b": 1.6e308}}
    assert reciprocal_rank(run, {"q": {"b": 1}}, ties="stable") == {"q": 0.5}


def test_k_below_one_is_refused():
    with pytest.raises(InputError, match=r"^k must be at least 1, got 0\.$"):
        ndcg(RUN, GRADED, 0)


def test_an_unknown_option_is_refused():
    with pytest.raises(InputError, match="ties must be one of"):
        ndcg(RUN, GRADED, 10, ties="random")
    with pytest.raises(InputError, match="absent must be"):
        ndcg(RUN, GRADED, 10, absent="skip")


@pytest.mark.parametrize(
    ("metric", "name"),
    [
        (NDCG(10), "nDCG@10"),
        (MRR(10), "MRR@10"),
        (MAP(100), "MAP@100"),
        (Recall(5), "Recall@5"),
        (Precision(1), "P@1"),
    ],
)
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
