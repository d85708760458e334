import math

import pytest

from leadline.errors import InputError
from leadline.metrics.pairs import (
    Adjacent,
    FlipRate,
    ScoreDifference,
    TieRate,
    WinRate,
    adjacent_win_rates,
    decline,
    flip_rate,
    ladder_of_columns,
    mean_difference,
    win_rate,
)
from leadline.types import Metric, Query


def conditions_query(id, k, style="list", **facets):
    return Query(id, "?", topic="t", facets={"style": style, "k": str(k), **facets})


# One topic with two conditions. Under q1: d2 meets the condition, e does not.
# Under q2 and its prose form: the ladder d0, d1, d2.
QUERIES = [
    conditions_query("q1", 1),
    conditions_query("q2", 2),
    conditions_query("p2", 2, style="prose"),
]
QRELS = {
    "q1": {"d2": 1, "e": 0},
    "q2": {"d2": 2, "d1": 1, "d0": 0},
    "p2": {"d2": 2, "d1": 1, "d0": 0},
}
RUN = {
    "q1": {"e": 2.0, "d2": 1.0},  # lost
    "q2": {"d2": 3.0, "d0": 2.0, "d1": 1.0},  # d2 beats d1; d1 loses to d0
    "p2": {"d1": 2.0, "d2": 2.0, "d0": 1.0},  # d2 ties with d1; d1 beats d0
}


@pytest.mark.parametrize(
    ("found", "value"),
    [
        (lambda: win_rate([1.0, 2.0, 3.0], [1.0, 1.0, 4.0]), 1 / 3),  # a tie is a loss
        (lambda: win_rate([math.nan, 2.0], [1.0, 1.0], nan="loss"), 0.5),
        (lambda: flip_rate([[0, 1]], [[0, math.nan]], nan="loss"), 1.0),
        (lambda: mean_difference([1.0, 2.0], [2.0, 5.0]), -2.0),
        # inf - inf is no number and is left out; 3 - 1 = 2 stays.
        (lambda: mean_difference([math.inf, 3.0], [math.inf, 1.0]), 2.0),
        (lambda: decline([0.25, 0.5, 0.75]), -0.5),
        # k=1: 1>0 and 1>2 no -> 1/2; k=2: 2>1 and 3>1 -> 1
        (lambda: adjacent_win_rates([[0, 1, 2], [2, 1, 3]]), [0.5, 1.0]),
        # item 1: win against tie flips, win against win does not; item 2: tie against loss does
        # not, win against loss flips: 2 of 4
        (lambda: flip_rate([[0, 1, 2], [1, 1, 2]], [[1, 1, 2], [1, 0, 0]]), 0.5),
        (
            lambda: ladder_of_columns(
                {"Query10_Positive": 9.0, "Query10_HN1": 8.0, "Query10_HN2": 7.0}
            ),
            [7.0, 8.0, 9.0],
        ),
    ],
)
def test_pairs_and_ladders(found, value):
    assert found() == pytest.approx(value)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: win_rate([math.nan], [1.0]), "not a number"),
        (lambda: win_rate([], []), "needs at least one pair"),
        (lambda: win_rate([1.0, 2.0], [1.0]), "got 2 and 1"),
        (lambda: mean_difference([math.inf, -math.inf], [0.0, 0.0]), "infinite on both sides"),
        (lambda: adjacent_win_rates([[0, 1, 2], [0, 1]]), r"at least 2, got \[2, 3\]"),
        (lambda: flip_rate([[0, 1], [0, 1]], [[0, 1]]), "got 2 and 1"),
        (lambda: ladder_of_columns({"Query10_Positive": 9.0, "Query10_HN2": 7.0}), "without gaps"),
        (lambda: WinRate(1)(QUERIES, {"q1": {"d2": 1}}, RUN), "'q1' needs one document of grade 0"),
        (
            lambda: WinRate()([Query("q", "?", topic="t", facets={"style": "list"})], QRELS, RUN),
            "The facet 'k' of query 'q' must be",
        ),
    ],
)
def test_what_has_no_meaning_is_refused(call, told):
    with pytest.raises(InputError, match=told):
        call()


@pytest.mark.parametrize(
    ("metric", "name", "value"),
    [
        (WinRate(), "WinRate", 0.5),  # lost under q1, won under q2
        (WinRate(1), "WinRate@1", 0.0),
        (WinRate(2), "WinRate@2", 1.0),
        (WinRate(style="prose"), "WinRate[style=prose]", 0.0),  # a tie
        (Adjacent(), "Adjacent", 0.5),
        (Adjacent(1), "Adjacent@1", 0.0),
        (Adjacent(2), "Adjacent@2", 1.0),
        (Adjacent(2, "prose"), "Adjacent@2[style=prose]", 0.0),
        (FlipRate(), "FlipRate", 1.0),  # both pairs turn
        (TieRate(style="prose"), "TieRate[style=prose]", 1.0),
        (ScoreDifference(), "ScoreDifference", 0.5),  # (1 - 2 + 3 - 1) / 2
    ],
)
def test_condition_metrics_on_a_topic_of_two_conditions(metric, name, value):
    assert isinstance(metric, Metric) and metric.name == name and metric.unit == "topic"
    assert metric(QUERIES, QRELS, RUN) == {"t": value}


@pytest.mark.parametrize("metric", [WinRate(3), Adjacent(3), WinRate(style="haiku")])
def test_a_topic_without_that_many_conditions_is_left_out(metric):
    assert metric(QUERIES, QRELS, RUN) == {}


def test_a_missing_document_scores_below_every_other():
    assert WinRate(1)(QUERIES, QRELS, {"q1": {"d2": -9.0}}) == {"t": 1.0}


def test_two_missing_documents_tie_and_so_lose():
    assert WinRate(1)(QUERIES, QRELS, {"q1": {}}) == {"t": 0.0}
    assert TieRate(1)(QUERIES, QRELS, {"q1": {}}) == {"t": 1.0}


def test_a_score_difference_needs_both_documents():
    assert ScoreDifference(1)(QUERIES, QRELS, {"q1": {"d2": 1.0}}) == {}


def test_a_single_pair_is_no_ladder():
    queries = [conditions_query("q1", 1)]
    assert Adjacent()(queries, QRELS, RUN) == {}


def test_flip_rate_leaves_out_a_topic_without_prose():
    assert FlipRate()(QUERIES[:2], QRELS, RUN) == {}
