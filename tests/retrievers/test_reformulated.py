from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sentence_transformers")

from leadline.errors import InputError
from leadline.models.encoder import Embedder
from leadline.retrievers import bm25, reformulated
from leadline.types import Document, Query

CORPUS = {
    "a": Document("a", "1 0"),
    "b": Document("b", "0 1"),
    "c": Document("c", "0.8 0.6"),
    "d": Document("d", "-1 0"),
}


def variant(id: str, text: str, kind: str = "paraphrase") -> Query:
    return Query(id, text, topic="t", facets={"kind": kind})


TOPIC = [variant("q", "1 0", "original"), variant("v1", "0 1"), variant("v2", "0 1")]


class Written:
    """An encoder of texts that are their own vectors."""

    settings: dict[str, Any] = {"model": "written"}  # noqa: RUF012

    def __init__(self) -> None:
        self.kept: list[list[float]] = []

    def rows(self, texts: Sequence[str], side: str) -> Any:
        start = len(self.kept)
        self.kept += [[float(number) for number in text.split()] for text in texts]
        return np.arange(start, len(self.kept))

    def vectors(self, rows: Any) -> Any:
        return np.array(self.kept, np.float32).reshape(-1, 2)[rows]


def written() -> Embedder:
    return Written()


def test_an_original_is_answered_with_the_mean_of_its_topic() -> None:
    # The mean of (1, 0), (0, 1) and (0, 1) is (1/3, 2/3).
    run = reformulated._Centroid(written()).index(CORPUS).search(TOPIC, 3)
    expected = {"c": (0.8 + 2 * 0.6) / 3, "b": 2 / 3, "a": 1 / 3}
    assert list(run["q"]) in (["c", "b", "a"], ["b", "c", "a"])  # 0.8 / 3 + 1.2 / 3 is 2 / 3 too
    assert run["q"] == pytest.approx(expected)


def test_a_rephrasing_is_answered_alone() -> None:
    run = reformulated._Centroid(written()).index(CORPUS).search(TOPIC, 1)
    assert run["v1"] == {"b": 1}


TEXTS = {
    "a": Document("a", "river bank"),
    "b": Document("b", "stream shore shore"),
    "c": Document("c", "mountain"),
}
WORDS = [variant("q", "river", "original"), variant("v1", "stream shore"), variant("v2", "bank")]


def test_best_gives_a_document_its_highest_score_over_the_topic() -> None:
    alone = bm25.build().index(TEXTS).search(WORDS, 9)
    run = reformulated._Best(bm25.build()).index(TEXTS).search(WORDS, 9)
    assert list(run["q"]) == ["b", "a"]
    assert run["q"]["b"] == alone["v1"]["b"]
    assert run["q"]["a"] == max(alone["q"]["a"], alone["v2"]["a"])
    assert run["v1"] == alone["v1"]


def test_best_scores_every_candidate_with_every_query_of_the_topic() -> None:
    index = reformulated._Best(bm25.build()).index(TEXTS)
    found = index.search(WORDS, 9)["q"]
    scored = index.score(WORDS, {"q": ["c", "a", "b"], "v1": ["a"]})
    assert scored["q"] == {**found, "c": 0}
    assert list(scored["q"]) == ["b", "a", "c"]
    assert scored["v1"] == {"a": 0}


def test_a_centroid_of_words_is_refused() -> None:
    with pytest.raises(InputError, match="Use how=best"):
        reformulated.build("bm25")
