import math

import pytest

from leadline.errors import InputError
from leadline.metrics.compliance import (
    SICR,
    WISE,
    PairwiseMRR,
    Robustness,
    ideal_wise,
    judged_changes,
    p_mrr,
    robustness,
    sicr,
    sicr_of_topic,
    wise,
)
from leadline.types import Metric, Query


def variants(topic="t", core="c"):
    return [
        Query(f"{topic}-{mode}", "?", topic=topic, facets={"mode": mode, "core": core})
        for mode in ("original", "instructed", "reversed")
    ]


# g is gold; n is relevant until the instruction comes.
QRELS = {"t-original": {"g": 1, "n": 1}, "t-instructed": {"g": 1, "n": 0}, "t-reversed": {"n": 1}}
RUN = {
    "t-original": {"n": 3.0, "g": 2.0, "x": 1.0},  # g at 2, n at 1
    "t-instructed": {"g": 3.0, "x": 2.0, "n": 1.0},  # g at 1, n at 3
    "t-reversed": {"n": 3.0, "x": 2.0, "g": 1.0},  # g at 3
}


@pytest.mark.parametrize(
    ("ranks", "n_relevant", "mode", "value"),
    [
        ((2, 1, 3), 2, "paper", 1.0),  # within N, brought to the top
        ((5, 1, 9), 2, "paper", 1 - 4 / 20),
        ((5, 4, 9), 2, "paper", (1 - 1 / 20) / 2),
        ((21, 1, 30), 2, "paper", 0.01),  # beyond K
        ((3, 5, 2), 2, "paper", -1.0),  # the wrong way in both
        ((2, 4, 9), 2, "paper", -0.5),  # fell when asked for: (2 - 4) / 4
        ((4, 2, 2), 2, "paper", -0.5),  # rose when refused: (2 - 4) / 4
        ((3, 3, 3), 2, "paper", 0.0),
        ((3, 1, 3), 2, "paper", 0.0),
        # The released code asks for a rank below N, and never gives -1 for both.
        ((2, 1, 3), 2, "code_v0.1.0", 1 - 1 / 20),
        ((1, 1, 3), 2, "code_v0.1.0", 1.0),
        ((3, 5, 2), 2, "code_v0.1.0", (3 - 5) / 5),
        ((3, 5, 2), 2, "code_head", -1.0),
        ((5, 1, 9), 2, "code_head", 1 - math.sqrt(4) / 20),  # the root of the move
    ],
)
def test_wise(ranks, n_relevant, mode, value):
    assert wise(*ranks, n_relevant, mode=mode) == pytest.approx(value)


@pytest.mark.parametrize(
    ("ranks", "scores", "mode", "value"),
    [
        ((5, 2, 9), (0.5, 0.8, 0.2), "paper", 1.0),
        ((5, 5, 9), (0.5, 0.8, 0.2), "paper", 0.0),
        ((5, 2, 9), (0.5, 0.5, 0.2), "paper", 0.0),
        ((5, 2, 9), (0.5, 0.8, 0.5), "paper", 0.0),
        ((1, 1, 2), (0.5, 0.5, 0.2), "paper", 0.0),  # first already: complies in the code only
        ((1, 1, 2), (0.5, 0.5, 0.2), "code_head", 1.0),
    ],
)
def test_sicr(ranks, scores, mode, value):
    assert sicr(*ranks, scores, mode=mode) == value


def test_the_code_counts_the_last_gold_document_only():
    assert sicr_of_topic([1.0, 0.0, 1.0]) == pytest.approx(2 / 3)
    assert sicr_of_topic([1.0, 0.0, 1.0], mode="code_head") == pytest.approx(1 / 3)


def test_ideal_wise_and_p_mrr():
    assert (ideal_wise(2, 2), ideal_wise(21, 2)) == (1.0, 0.01)
    assert (p_mrr(5, 10), p_mrr(10, 5), p_mrr(7, 7)) == (0.5, -0.5, 0.0)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: wise(0, 1, 1, 1), "start at 1, got 0"),
        (lambda: wise(1, 1, 1, 1, mode="code"), "mode must be one of paper"),
        (lambda: sicr_of_topic([]), "at least one gold document"),
    ],
)
def test_what_has_no_meaning_is_refused(call, told):
    with pytest.raises(InputError, match=told):
        call()


def test_robustness_takes_the_worst_variant_of_each_core_query():
    # v2 has its document second: 1/log2(3)
    run = {"v1": {"a": 2.0}, "v2": {"x": 2.0, "a": 1.0}}
    worst = robustness(run, {"v1": {"a": 1}, "v2": {"a": 1}}, {"core": ["v1", "v2"]})
    assert worst == {"core": pytest.approx(1 / math.log2(3))}


def test_a_variant_that_is_not_in_the_run_counts_zero():
    with pytest.warns(UserWarning, match="not in the run"):
        worst = robustness(
            {"v1": {"a": 1.0}}, {"v1": {"a": 1}, "v2": {"a": 1}}, {"c": ["v1", "v2"]}
        )
    assert worst == {"c": 0.0}


def test_gold_stays_relevant_and_unjudged_counts_as_not():
    assert judged_changes({"a": 1, "b": 1, "c": 1, "z": 0}, {"a": 1, "b": 0, "z": 1}) == (
        ["a"],
        ["b", "c"],
    )


@pytest.mark.parametrize(
    ("metric", "name", "value"),
    [
        (WISE(), "WISE", 1.0),
        (WISE("code_head"), "WISE[mode=code_head]", 1 - 1 / 20),
        (SICR(), "SICR", 1.0),
        (SICR(scores="rank"), "SICR[scores=rank]", 1.0),
        (PairwiseMRR(), "p-MRR", 2 / 3),  # n falls from 1 to 3
    ],
)
def test_instruction_metrics_on_a_topic_that_complies(metric, name, value):
    assert isinstance(metric, Metric) and metric.name == name and metric.unit == "topic"
    assert metric(variants(), QRELS, RUN) == {"t": pytest.approx(value)}


@pytest.mark.parametrize("metric", [WISE(), SICR()])
def test_a_topic_without_its_reverse_is_left_out(metric):
    assert metric(variants()[:2], QRELS, RUN) == {}
    assert PairwiseMRR()(variants()[:2], QRELS, RUN) == {"t": pytest.approx(2 / 3)}


@pytest.mark.parametrize("metric", [WISE(), SICR(), PairwiseMRR()])
def test_a_variant_for_which_nothing_was_retrieved_leaves_the_topic_out(metric):
    assert metric(variants(), QRELS, {**RUN, "t-instructed": {}}) == {}


def test_a_topic_without_gold_stays_in_p_mrr():
    qrels = {"t-original": {"n": 1}, "t-instructed": {"n": 0}}
    assert WISE()(variants(), qrels, RUN) == {}
    assert PairwiseMRR()(variants(), qrels, RUN) == {"t": pytest.approx(2 / 3)}


def test_a_topic_in_which_nothing_became_non_relevant_stays_in_wise():
    qrels = {"t-original": {"g": 1}, "t-instructed": {"g": 1}}
    # N = 1, o = 2: beyond N, 1 - 1/20
    assert WISE()(variants(), qrels, RUN) == {"t": pytest.approx(0.95)}
    assert PairwiseMRR()(variants(), qrels, RUN) == {}


def test_a_gold_missing_when_asked_for_never_complies():
    run = {
        "t-original": {"n": -1.0, "g": -2.0},
        "t-instructed": {"n": -3.0},
        "t-reversed": {"n": -1.0, "x": -2.0, "g": -3.0},
    }
    assert SICR()(variants(), QRELS, run) == {"t": 0.0}


def test_the_code_gives_a_missing_gold_the_score_zero():
    run = {
        "t-original": {"n": -1.0, "g": -2.0},
        "t-instructed": {"g": -0.5, "n": -3.0},
        "t-reversed": {"n": -0.2, "x": -1.0},
    }
    assert SICR()(variants(), QRELS, run) == {"t": 1.0}
    assert SICR("code_head")(variants(), QRELS, run) == {"t": 0.0}


def test_two_queries_of_one_mode_in_a_topic_are_refused():
    twice = [*variants(), Query("again", "?", topic="t", facets={"mode": "reversed"})]
    with pytest.raises(InputError, match="Topic 't' has two queries with the facet mode=reversed"):
        WISE()(twice, QRELS, RUN)


def test_robustness_groups_topics_by_their_core_query():
    queries = variants("t") + variants("u")
    qrels = {"t-instructed": {"g": 1}, "u-instructed": {"g": 1}}
    run = {"t-instructed": {"g": 1.0}, "u-instructed": {"x": 2.0, "g": 1.0}}
    metric = Robustness(10)
    assert metric(queries, qrels, run) == {"c": pytest.approx(1 / math.log2(3))}
    assert metric.units(queries) == ["c"]
