"""From scores of pairs to a run that goes on where it was broken off."""

from collections.abc import Sequence
from typing import Any

import pytest

from leadline.rerankers.parts.pairs import Pair, PairReranker, rerank_pairs
from leadline.types import Document, Query

CORPUS = {f"d{n}": Document(f"d{n}", "x" * n) for n in range(1, 8)}
QUERIES = [Query("q", "any"), Query("r", "other")]
CANDIDATES = {"q": list(CORPUS), "r": ["d2", "d1"]}


class Lengths(PairReranker):
    """Scores a document by its length, until it is killed."""

    identity = ""

    def __init__(self, blocks: int | None = None, identity: str = "lengths") -> None:
        self.blocks = blocks
        self.identity = identity
        self.asked: list[str] = []

    def scores(self, pairs: Sequence[Pair]) -> list[float]:
        if self.blocks is not None and len(self.asked) >= self.blocks * 3:
            raise KeyboardInterrupt
        self.asked += [document.id for _, document in pairs]
        return [float(len(document.text)) for _, document in pairs]


def reranked(model: Lengths, **options: Any) -> Any:
    return rerank_pairs(
        model.scores, QUERIES, CORPUS, CANDIDATES, block=3, identity=model.identity, **options
    )


def test_a_run_that_was_killed_goes_on_where_it_stopped() -> None:
    killed = Lengths(blocks=2)
    with pytest.raises(KeyboardInterrupt):
        reranked(killed)
    assert killed.asked == ["d1", "d2", "d3", "d4", "d5", "d6"]
    again = Lengths()
    run = reranked(again)
    assert again.asked == ["d7", "d2", "d1"]  # the blocks of three that were missing
    assert list(run["q"]) == ["d7", "d6", "d5", "d4", "d3", "d2", "d1"]
    assert run["r"] == {"d2": 2.0, "d1": 1.0}


def test_a_reranker_has_the_scores_of_its_model_and_keeps_them() -> None:
    first, second = Lengths(), Lengths()
    run = first.rerank(QUERIES, CORPUS, CANDIDATES)
    assert second.rerank(QUERIES, CORPUS, CANDIDATES) == run
    assert (len(first.asked), second.asked) == (9, [])
    second.cache = False
    second.rerank(QUERIES, CORPUS, CANDIDATES)
    assert len(second.asked) == 9
