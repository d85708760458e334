import pytest

from leadline.errors import InputError
from leadline.metrics.significance import compare

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
    assert difference.low <= difference.difference <= difference.high


def test_units_of_one_source_document_are_tossed_together():
    labels = dict.fromkeys(("q1", "q2", "q3"), "d1")
    both = SCORES["dense"]["nDCG@10"], SCORES["bm25"]["nDCG@10"]
    assert compare("nDCG@10", ("a", "b"), *both, clusters=labels).p == 1.0


def test_systems_without_a_shared_unit_cannot_be_compared():
    with pytest.raises(InputError, match="over no units at all"):
        compare("RBO@5", ("a", "b"), {"t": 1.0}, {"u": 1.0})
