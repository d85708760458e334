"""What must hold for every input, tried on random ones."""

import math
import random
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline.errors import InputError
from leadline.metrics import judged, ranking
from leadline.metrics.coherence import VARIANTS, rbo, spearman
from leadline.metrics.compliance import WISE_MODES, p_mrr, wise
from leadline.metrics.pairs import adjacent_win_rates, flip_rate, win_rate

NAMES = ("nDCG@3", "nDCG@10", "MRR@5", "MAP@10", "Recall@5", "P@3")
# Few distinct scores and ids, so that ties and missing documents are common.
SCORES = st.one_of(
    st.sampled_from([0.0, -0.0, -1.0, 1.0, 1.0 + 1e-12, 2.5, 1e39, 1e40, -1e39]),
    st.floats(-1e6, 1e6),
)
IDS = st.sampled_from([f"d{n}" for n in range(12)])
RANKINGS = st.dictionaries(IDS, SCORES, max_size=12)
GRADES = st.dictionaries(IDS, st.integers(-1, 3), max_size=8)
LISTS = st.lists(IDS, unique=True, max_size=8)
RANKS = st.integers(1, 120)
WEIGHTS = st.floats(0.01, 0.99)


@pytest.mark.parametrize("ties", ["trec", "stable", "id"])
def test_queries_in_several_blocks_have_the_values_of_each_by_itself(ties, monkeypatch):
    numbers = random.Random(0)
    run = {
        f"q{q}": {f"d{n}": round(numbers.gauss(0, 1), 1) for n in range(numbers.randint(1, 30))}
        for q in range(40)
    }
    qrels = {query: {f"d{n}": n % 3 for n in range(5)} for query in run}
    monkeypatch.setattr(judged, "_BLOCK", 100)
    together = ranking.measure(run, qrels, NAMES, ties=ties)
    for query in run:
        alone = ranking.measure({query: run[query]}, {query: qrels[query]}, NAMES, ties=ties)
        assert {name: each[query] for name, each in together.items()} == {
            name: pytest.approx(each[query], abs=1e-12) for name, each in alone.items()
        }


@given(RANKINGS, GRADES, st.sampled_from(["trec", "stable", "id"]))
def test_ranking_measures_lie_between_zero_and_one(scores, grades, ties):
    for values in ranking.measure({"q": scores}, {"q": grades}, NAMES, ties=ties).values():
        assert all(0 <= value <= 1 + 1e-12 for value in values.values())


@given(RANKINGS, GRADES)
def test_ranking_measures_do_not_change_under_a_rising_map_of_the_scores(scores, grades):
    order = {score: float(place) for place, score in enumerate(sorted(set(scores.values())))}
    mapped = {document_id: order[score] for document_id, score in scores.items()}
    for name, values in ranking.measure({"q": scores}, {"q": grades}, NAMES, ties="stable").items():
        assert values == ranking.measure({"q": mapped}, {"q": grades}, [name], ties="stable")[name]


@given(RANKINGS, GRADES, st.randoms(use_true_random=False))
def test_trec_ties_do_not_depend_on_the_order_of_the_run(scores, grades, shuffler):
    items = list(scores.items())
    shuffler.shuffle(items)
    once = ranking.measure({"q": scores}, {"q": grades}, NAMES)
    assert once == ranking.measure({"q": dict(items)}, {"q": grades}, NAMES)


@given(RANKINGS, st.sampled_from([math.nan, math.inf, -math.inf]))
@settings(max_examples=30)
def test_scores_that_are_not_finite_are_refused_by_name(scores, bad):
    with pytest.raises(InputError, match="'q': document 'bad one'"):
        ranking.ndcg({"q": {**scores, "bad one": bad}}, {"q": {"d1": 1}}, 10)


@given(LISTS, LISTS, WEIGHTS, st.sampled_from(VARIANTS))
def test_rbo_is_symmetric_and_bounded(a, b, p, variant):
    value = rbo(a, b, p=p, variant=variant)
    assert value == pytest.approx(rbo(b, a, p=p, variant=variant), abs=1e-12)
    assert -1e-12 <= value <= 1 + 1e-12


@given(LISTS, WEIGHTS, st.sampled_from(["ext", "normalised", "average_overlap"]))
def test_rbo_of_a_list_with_itself_is_one(a, p, variant):
    assert rbo(a, a, p=p, variant=variant) == pytest.approx(1.0)


@given(LISTS, LISTS, WEIGHTS)
def test_the_lower_bound_of_rbo_is_below_its_extrapolation(a, b, p):
    assert rbo(a, b, p=p, variant="min") <= rbo(a, b, p=p) + 1e-12


@given(LISTS, LISTS, st.sampled_from(["union", "intersection"]))
def test_spearman_is_symmetric_and_bounded(a, b, over):
    value, mirrored = spearman(a, b, over=over), spearman(b, a, over=over)
    assert (value is None) == (mirrored is None)
    if value is not None:
        assert value == pytest.approx(mirrored, abs=1e-12)
        assert -1 - 1e-12 <= value <= 1 + 1e-12


@given(RANKS, RANKS, RANKS, st.integers(1, 30), st.sampled_from(WISE_MODES))
def test_wise_lies_between_minus_one_and_one(original, instructed, reversed, n_relevant, mode):
    assert -1 <= wise(original, instructed, reversed, n_relevant, mode=mode) <= 1


@given(RANKS, RANKS)
def test_p_mrr_is_antisymmetric(before, after):
    assert -1 < p_mrr(before, after) < 1
    assert p_mrr(before, after) == pytest.approx(-p_mrr(after, before))


@given(st.lists(st.tuples(SCORES, SCORES), min_size=1))
def test_wins_losses_and_ties_are_all_there_is(pairs):
    better, worse = zip(*pairs, strict=True)
    total = win_rate(better, worse) + win_rate(worse, better)
    total += fmean(a == b for a, b in pairs)
    assert total == pytest.approx(1.0)


@given(st.lists(st.lists(SCORES, min_size=4, max_size=4), min_size=1))
def test_a_ladder_does_not_flip_against_itself_or_a_rising_map_of_it(ladders):
    assert flip_rate(ladders, ladders) == 0.0
    doubled = [[2 * score for score in ladder] for ladder in ladders]
    assert adjacent_win_rates(doubled) == adjacent_win_rates(ladders)
