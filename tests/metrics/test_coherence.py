import math

import pytest

from leadline.errors import InputError
from leadline.metrics.coherence import (
    RBO,
    Opportunity,
    Spearman,
    rbo,
    reranking_opportunity,
    spearman,
)
from leadline.types import Document, Metric, Query

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
    ("a", "b", "options", "value"),
    [
        # A_1 = 0, A_2 = 2/2 = 1 for ab against ba; p = 0.5
        ("ab", "ba", {"p": 0.5, "variant": "truncated"}, 0.5 * (0 + 0.5 * 1)),
        ("ab", "ba", {"p": 0.5, "variant": "normalised"}, 0.25 / (1 - 0.25)),
        ("ab", "ba", {"p": 0.5, "variant": "ext"}, 0.25 + 0.25 * 1),
        ("ab", "ba", {"p": 0.5, "variant": "average_overlap"}, 0.5),
        # (1-p)/p * ((0-2)p + (2-2)p^2/2 - 2 ln(1-p)) = -1 + 2 ln 2
        ("ab", "ba", {"p": 0.5, "variant": "min"}, -1 + 2 * math.log(2)),
        # s=1, l=2, X_1=1, X_2=1: (1-p)(1 + p/2 + p*1*1/(1*2)) + p^2((1-1)/2 + 1) = 0.75 + 0.25
        ("a", "ab", {"p": 0.5}, 1.0),
        ("abcdef", "abcdez", {"depth": 5}, 1.0),
        ("", "", {}, 1.0),
        ("", "a", {}, 0.0),
        ("ab", "ac", {"p": 0}, 1.0),
        ("ab", "ac", {"p": 0, "variant": "min"}, 1.0),
    ],
)
def test_rbo_of_two_lists(a, b, options, value):
    assert rbo(a, b, **options) == pytest.approx(value)


@pytest.mark.parametrize(
    ("a", "b", "over", "value"),
    [
        ("abcde", "fghij", "union", pytest.approx(-0.862, abs=0.001)),
        # a: 1,2,6 -> ranks 1,2,3; b: 1,6,2 -> ranks 1,3,2: rho = 1 - 6*2/(3*8) = 0.5
        ("ab", "ac", "union", pytest.approx(0.5)),
        ("abc", "axy", "intersection", None),
        ("abc", "bax", "intersection", pytest.approx(-1)),
        ("a", "a", "union", 1.0),
        ("", "", "union", None),
        ("", "ab", "union", None),
    ],
)
def test_spearman_of_two_lists(a, b, over, value):
    assert spearman(a, b, over=over) == value


@pytest.mark.parametrize(
    ("lists", "scores", "options", "value"),
    [
        (["ab", "b", "ac"], {"a": 0.1, "b": 0.9}, {}, 0.5),
        (["ab", "b", "ac"], {"a": 0.1, "b": 0.9}, {"members": "all"}, pytest.approx(2 / 3)),
        (["ab", "b"], {"a": 1.0, "b": 1.0}, {}, 0.0),  # a tie goes to the one retrieved first
        (["ab", "ca"], {"a": 0.0}, {"k": 1}, 0.0),
        (["a"], {"a": 1.0}, {}, None),
        (["", "a"], {}, {}, None),
    ],
)
def test_opportunity_of_a_topic(lists, scores, options, value):
    assert reranking_opportunity(lists, scores, **options) == value


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: rbo("aba", "abc"), "Document 'a' occurs twice"),
        (lambda: rbo("ab", "ab", p=1.5), "p must be in"),
        (lambda: rbo("ab", "ab", p=1, variant="min"), "p must be in"),
        (lambda: rbo("ab", "ab", p=-0.1), "p must be in"),
        (lambda: rbo("ab", "ab", variant="best"), "variant must be one of ext"),
        (lambda: reranking_opportunity(["ab", "a"], {"a": 1.0}), "gave document 'b' no finite"),
    ],
)
def test_what_has_no_meaning_is_refused(call, told):
    with pytest.raises(InputError, match=told):
        call()


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
