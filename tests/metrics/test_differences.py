import pytest

from leadline.errors import InputError
from leadline.metrics.differences import compare, compare_systems

SCORES = {
    "bm25": {"nDCG@10": {"q1": 0.0, "q2": 0.0, "q3": 0.5}},
    "dense": {"nDCG@10": {"q1": 1.0, "q2": 1.0, "q3": 0.5, "q4": 1.0}, "RBO@5": {"t": 0.5}},
    "hybrid": {"nDCG@10": {"q1": 1.0, "q2": 0.0, "q3": 0.5}},
}


def test_systems_are_compared_on_the_units_they_share():
    difference = compare("nDCG@10", ("dense", "bm25"), SCORES["dense"]["nDCG@10"],
                         SCORES["bm25"]["nDCG@10"])  # fmt: skip
    assert (difference.n, difference.left_out) == (3, 1)
    assert difference.difference == pytest.approx(2 / 3)
    # differences 1, 1, 0: of 4 sign patterns of the two, 2 are as extreme
    assert difference.p == 0.5
    assert difference.dominance == pytest.approx(2 / 3)
    assert difference.low <= difference.difference <= difference.high


def test_every_pair_of_systems_is_compared_and_corrected_for_being_several():
    found = compare_systems(SCORES)
    assert [(each.metric, each.a, each.b) for each in found] == [
        ("nDCG@10", "bm25", "dense"),
        ("nDCG@10", "bm25", "hybrid"),
        ("nDCG@10", "dense", "hybrid"),
    ]
    # p-values 0.5, 1, 1: three tests, so 1.5 cut to 1
    assert [each.p for each in found] == [0.5, 1.0, 1.0]
    assert [each.p_holm for each in found] == [1.0, 1.0, 1.0]


def test_a_baseline_is_compared_with_all_others():
    found = compare_systems(SCORES, baseline="bm25")
    assert [(each.a, each.b) for each in found] == [("dense", "bm25"), ("hybrid", "bm25")]


def test_an_unknown_baseline_is_refused_with_the_nearest_name():
    with pytest.raises(InputError, match="Did you mean 'bm25'"):
        compare_systems(SCORES, baseline="bm52")


def test_units_of_one_source_document_are_tossed_together():
    labels = dict.fromkeys(("q1", "q2", "q3"), "d1")
    found = compare_systems(SCORES, baseline="bm25", clusters=labels)
    assert found[0].p == 1.0


def test_systems_without_a_shared_unit_cannot_be_compared():
    with pytest.raises(InputError, match="over no units at all"):
        compare("RBO@5", ("a", "b"), {"t": 1.0}, {"u": 1.0})
