import pytest

from leadline.errors import InputError
from leadline.kinds.rephrasings.published import OnComplex, complex_queries
from leadline.metrics.coherence import RBO
from leadline.types import Query

RUN = {"flat": {"a": 0.51, "b": 0.5}, "steep": {"a": 0.5, "b": 0.9}, "short": {"a": 1.0}}


def test_complex_queries_are_those_whose_scores_barely_differ():
    assert complex_queries(RUN, k=2) == ["flat"]


def test_a_threshold_of_zero_is_refused():
    with pytest.raises(InputError, match="below must be above 0"):
        complex_queries(RUN, below=0)


def test_a_metric_over_complex_topics_leaves_the_others_out():
    # Scores of "a" spread by 0.05, those of "b" by 0.5.
    queries = [
        Query("a", "a", "a", facets={"kind": "original"}),
        Query("a~1", "a?", "a"),
        Query("b", "b", "b", facets={"kind": "original"}),
        Query("b~1", "b?", "b"),
    ]
    near, far = {"x": 0.90, "y": 0.85}, {"x": 0.9, "y": 0.4}
    run = {"a": near, "a~1": near, "b": far, "b~1": far}
    metric = OnComplex(RBO(5), below=0.1, k=2)
    assert metric.name == "RBO@5[complex=0.1]"
    assert metric(queries, {}, run) == {"a": 1.0}
