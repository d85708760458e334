"""Scores of a teacher for the texts of training examples."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from leadline.errors import InputError
from leadline.retrievers import bm25
from leadline.training.teacher import scored
from leadline.types import Candidates, Corpus, Query, Run, TrainingExample


def test_a_teacher_scores_the_positive_first_and_then_each_negative() -> None:
    example = TrainingExample("red boat", "a red boat", ("a red car", "green grass"))
    (done,) = scored([example], bm25.build())
    assert len(done.scores) == 3
    assert done.scores[0] > done.scores[1] > done.scores[2]
    assert done.query == example.query and done.negatives == example.negatives


def test_a_text_that_is_positive_and_negative_of_other_queries_is_scored_for_each() -> None:
    one = TrainingExample("red boat", "a red boat", ("a green car",))
    other = TrainingExample("green car", "a green car", ("a red boat",))
    first, second = scored([one, other], bm25.build())
    assert first.scores[0] > first.scores[1]
    assert second.scores[0] > second.scores[1]


class Silent:
    """A first stage that gives no score to the last candidate."""

    name = "silent"

    def index(self, corpus: Corpus) -> Silent:
        return self

    def search(self, queries: Sequence[Query], k: int) -> Run:
        return {}

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        return {query.id: dict.fromkeys(candidates[query.id][:-1], 1.0) for query in queries}


def test_a_teacher_that_leaves_a_text_without_a_score_is_named() -> None:
    example = TrainingExample("red boat", "a red boat", ("a red car", "green grass"))
    with pytest.raises(InputError, match=r"--teacher silent gives no score to 1 of the 3 texts"):
        scored([example], Silent())
