import pytest

from leadline.errors import InputError
from leadline.metrics.complexity import complex_queries, score_spread

RUN = {"flat": {"a": 0.51, "b": 0.5}, "steep": {"a": 0.5, "b": 0.9}, "short": {"a": 1.0}}


def test_the_spread_is_between_the_first_and_the_kth_score():
    assert score_spread(RUN, 2) == {"flat": pytest.approx(0.01), "steep": pytest.approx(0.4)}


def test_complex_queries_are_those_whose_scores_barely_differ():
    assert complex_queries(RUN, k=2) == ["flat"]


def test_a_threshold_of_zero_is_refused():
    with pytest.raises(InputError, match="below must be above 0"):
        complex_queries(RUN, below=0)
