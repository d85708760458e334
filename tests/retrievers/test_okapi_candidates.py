import math

import pytest

from leadline.errors import InputError
from leadline.retrievers import okapi_candidates
from leadline.retrievers.okapi_candidates import okapi_scores
from leadline.types import Document

CORPUS = {
    "a": Document("a", "red car"),
    "b": Document("b", "blue car"),
    "c": Document("c", "green Bus bus"),
}


def test_a_score_is_idf_times_saturated_frequency_among_the_candidates() -> None:
    # 3 texts of 2, 2 and 3 words, 7 / 3 on average. "bus" is in one: idf = ln(2.5 / 1.5); it
    # stands twice among 3 words.
    expected = math.log(2.5 / 1.5) * 2 * 2.5 / (2 + 1.5 * (0.25 + 0.75 * 3 / (7 / 3)))
    texts = [document.text for document in CORPUS.values()]
    assert okapi_scores("BUS", texts) == [0, 0, pytest.approx(expected)]


def test_a_word_of_most_candidates_weighs_a_share_of_the_mean() -> None:
    # "car" is in 2 of 3: ln(1.5 / 2.5) < 0; the other four words are in one: ln(2.5 / 1.5) each.
    # The mean of the five is 3/5 ln(5/3), a quarter of it the weight. Both texts have 2 words.
    weight = 0.25 * 3 / 5 * math.log(5 / 3)
    score = weight * 2.5 / (1 + 1.5 * (0.25 + 0.75 * 2 / (7 / 3)))
    texts = [document.text for document in CORPUS.values()]
    assert okapi_scores("car", texts) == [pytest.approx(score), pytest.approx(score), 0]


def test_values_out_of_range_are_refused() -> None:
    with pytest.raises(InputError, match="b between 0 and 1"):
        okapi_candidates.build(b=2)
