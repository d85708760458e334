import math

import pytest

from leadline.errors import InputError
from leadline.metrics.coherence import (
    RBO,
    Spearman,
    rbo,
    reranking_opportunity,
    spearman,
)
from leadline.types import Metric, Query

TOPIC = [
    Query("o", "?", topic="t", facets={"kind": "original"}),
    Query("v", "?", topic="t", facets={"kind": "typo"}),
    Query("w", "?", topic="t", facets={"kind": "keywords"}),
]
RUN = {
    "o": {"a": 2.0, "b": 1.0},
    "v": {"a": 2.0, "b": 1.0},
    "w": {"b": 2.0, "a": 1.0},
}


@pytest.mark.parametrize(
    ("variant", "value"),
    [
        # A_1 = 0, A_2 = 2/2 = 1 for ab against ba; p = 0.5
        ("truncated", 0.5 * (0 + 0.5 * 1)),
        ("normalised", 0.25 / (1 - 0.25)),
        ("ext", 0.25 + 0.25 * 1),
        ("average_overlap", 0.5),
        # (1-p)/p * ((0-2)p + (2-2)p^2/2 - 2 ln(1-p)) = -1 + 2 ln 2
        ("min", -1 + 2 * math.log(2)),
    ],
)
def test_rbo_of_two_swapped_documents(variant, value):
    assert rbo("ab", "ba", p=0.5, variant=variant) == pytest.approx(value)


def test_rbo_extrapolates_lists_of_different_lengths():
    # s=1, l=2, X_1=1, X_2=1, p=0.5: (1-p)(1 + p/2 + p*1*1/(1*2)) + p^2((1-1)/2 + 1) = 0.75 + 0.25
    assert rbo("a", "ab", p=0.5) == pytest.approx(1.0)


def test_rbo_cuts_the_lists_first():
    assert rbo("abcdef", "abcdez", depth=5) == 1.0


def test_rbo_of_empty_lists():
    assert rbo([], []) == 1.0
    assert rbo([], ["a"]) == 0.0


def test_rbo_refuses_duplicates():
    with pytest.raises(InputError, match="Document 'a' stands twice"):
        rbo("aba", "abc")


@pytest.mark.parametrize("options", [{"p": 1.5}, {"p": 1, "variant": "min"}, {"p": -0.1}])
def test_rbo_refuses_a_weight_outside_its_range(options):
    with pytest.raises(InputError, match="p must lie in"):
        rbo("ab", "ab", **options)


def test_rbo_at_p_0_looks_at_the_first_rank_only():
    assert rbo("ab", "ac", p=0) == 1.0
    assert rbo("ab", "ac", p=0, variant="min") == 1.0


def test_an_unknown_variant_is_refused():
    with pytest.raises(InputError, match="variant must be one of ext"):
        rbo("ab", "ab", variant="best")


def test_spearman_of_disjoint_lists_is_not_minus_one():
    assert spearman("abcde", "fghij") == pytest.approx(-0.862, abs=0.001)


def test_spearman_over_the_union_puts_missing_documents_below_the_cut():
    # a: 1,2,6 -> ranks 1,2,3; b: 1,6,2 -> ranks 1,3,2: rho = 1 - 6*2/(3*8) = 0.5
    assert spearman("ab", "ac") == pytest.approx(0.5)


def test_spearman_over_the_intersection_needs_two_shared_documents():
    assert spearman("abc", "axy", over="intersection") is None
    assert spearman("abc", "bax", over="intersection") == pytest.approx(-1)


def test_spearman_of_one_and_the_same_document_is_one():
    assert spearman("a", "a") == 1.0


def test_spearman_without_an_order_is_undefined():
    assert spearman([], []) is None
    assert spearman([], "ab") is None


def test_opportunity_counts_rephrasings_that_keep_the_best_document():
    scores = {"a": 0.1, "b": 0.9}
    lists = [["a", "b"], ["b"], ["a", "c"]]
    assert reranking_opportunity(lists, scores) == 0.5
    assert reranking_opportunity(lists, scores, members="all") == pytest.approx(2 / 3)


def test_opportunity_breaks_reranker_ties_by_retrieval_rank():
    assert reranking_opportunity([["a", "b"], ["b"]], {"a": 1.0, "b": 1.0}) == 0.0


def test_opportunity_cuts_both_lists_at_k():
    assert reranking_opportunity([["a", "b"], ["c", "a"]], {"a": 0.0}, k=1) == 0.0


def test_opportunity_is_undefined_without_rephrasings_or_results():
    assert reranking_opportunity([["a"]], {"a": 1.0}) is None
    assert reranking_opportunity([[], ["a"]], {}) is None


def test_opportunity_refuses_a_document_without_a_score():
    with pytest.raises(InputError, match="Document 'b' has no finite reranker score"):
        reranking_opportunity([["a", "b"], ["a"]], {"a": 1.0})


def test_rbo_metric_averages_the_rephrasings_against_the_original():
    # o and v agree: 1; o against w, depth 2, p=0.9: 0.1*(0 + 0.9) + 0.81 = 0.9
    metric = RBO(5)
    assert isinstance(metric, Metric) and metric.unit == "topic"
    assert metric(TOPIC, {}, RUN) == {"t": pytest.approx(0.95)}


def test_rbo_metric_over_all_pairs_compares_rephrasings_too():
    # (o,v) 1, (o,w) 0.9, (v,w) 0.9
    assert RBO(5, pairs="all")(TOPIC, {}, RUN) == {"t": pytest.approx(2.8 / 3)}


def test_a_topic_without_an_original_is_left_out():
    assert RBO(5)(TOPIC[1:], {}, RUN) == {}


def test_a_topic_of_one_query_is_left_out():
    assert RBO(5)(TOPIC[:1], {}, RUN) == {}
    assert Spearman(5)(TOPIC[:1], {}, RUN) == {}


def test_a_rephrasing_that_is_not_in_the_run_retrieved_nothing():
    assert RBO(5)(TOPIC[:2], {}, {"o": RUN["o"]}) == {"t": 0.0}


def test_two_originals_in_a_topic_are_refused():
    with pytest.raises(InputError, match="Topic 't' has 2 originals"):
        RBO(5)([TOPIC[0], Query("p", "?", topic="t", facets={"kind": "original"})], {}, RUN)


def test_a_nan_score_is_refused_by_name():
    with pytest.raises(InputError, match="Query 'o': document 'a' has the score nan"):
        RBO(5)(TOPIC, {}, {**RUN, "o": {"a": math.nan}})


def test_spearman_metric_skips_pairs_without_a_correlation():
    # o-v share a, b in one order: 1; x shares nothing with o
    run = {"o": RUN["o"], "v": RUN["v"], "w": {"x": 1.0}}
    assert Spearman(5, over="intersection")(TOPIC, {}, run) == {"t": pytest.approx(1.0)}


def test_options_that_are_not_the_default_are_named():
    assert RBO(5).name == "RBO@5"
    assert RBO(10, p=0.8, variant="min").name == "RBO@10[p=0.8,variant=min]"
    assert Spearman(5, over="intersection").name == "Spearman@5[over=intersection]"
