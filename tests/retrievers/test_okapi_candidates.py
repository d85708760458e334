import math

import pytest

from leadline.errors import InputError
from leadline.retrievers import okapi_candidates
from leadline.retrievers.okapi_candidates import okapi_scores
from leadline.types import Document, Query

CORPUS = {
    "a": Document("a", "red car"),
    "b": Document("b", "blue car"),
    "c": Document("c", "green Bus bus"),
}
QUERY = Query("q", "Bus")


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


def test_candidates_decide_the_statistics() -> None:
    index = okapi_candidates.build().index(CORPUS)
    assert index.score([QUERY], {"q": ["a", "c"]})["q"] == {"a": 0, "c": 0}
    assert index.score([QUERY], {"q": ["a", "b", "c"]})["q"]["c"] > 0


def test_ties_stand_in_the_order_of_the_candidates() -> None:
    index = okapi_candidates.build().index(CORPUS)
    assert list(index.score([QUERY], {"q": ["b", "a", "c"]})["q"]) == ["c", "b", "a"]


@pytest.mark.parametrize("texts", [[], [""], ["", " "]])
def test_texts_without_a_word_score_0(texts: list[str]) -> None:
    assert okapi_scores("word", texts) == [0] * len(texts)


def test_a_search_without_candidates_names_another_system() -> None:
    with pytest.raises(InputError, match="bm25:method=robertson"):
        okapi_candidates.build().index(CORPUS).search([QUERY], 3)


def test_a_candidate_that_is_not_in_the_corpus_is_named() -> None:
    with pytest.raises(InputError, match="'q' name document 'x'"):
        okapi_candidates.build().index(CORPUS).score([QUERY], {"q": ["x"]})


def test_values_out_of_range_are_refused() -> None:
    with pytest.raises(InputError, match="b between 0 and 1"):
        okapi_candidates.build(b=2)


def test_an_empty_corpus_is_refused() -> None:
    with pytest.raises(InputError, match="no documents"):
        okapi_candidates.build().index({})
