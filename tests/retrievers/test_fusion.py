from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from leadline.errors import InputError
from leadline.retrievers.parts.rankings import fuse
from leadline.types import Candidates, Corpus, Document, Query, Run

CORPUS = {id: Document(id=id, text=id) for id in "abcd"}
QUERY = [Query(id="q", text="x")]


@dataclass
class Ranked:
    """A retriever, and its own index, that ranks documents as it is told.

    tied  documents that have the score of the first
    """

    order: str
    tied: str = ""
    name: str = "ranked"
    asked: list[int] = field(default_factory=list)

    def index(self, corpus: Corpus) -> "Ranked":
        return self

    def search(self, queries: Sequence[Query], k: int) -> Run:
        self.asked.append(k)
        return {
            query.id: {
                id: 0 if id in self.tied else -place for place, id in enumerate(self.order[:k])
            }
            for query in queries
        }

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        return {
            query.id: {
                id: -place for place, id in enumerate(self.order) if id in candidates[query.id]
            }
            for query in queries
        }


def search(*orders: str, k: int = 10, **options: object) -> Mapping[str, float]:
    return fuse([Ranked(order) for order in orders], **options).index(CORPUS).search(QUERY, k)["q"]


def test_a_score_is_the_sum_of_the_inverse_ranks() -> None:
    # a: 1/61 + 1/62 = 0.03252, b: 1/62 + 1/61, c: 1/63 from the first only.
    scores = search("abc", "ba")
    assert scores == {
        "a": pytest.approx(1 / 61 + 1 / 62),
        "b": pytest.approx(1 / 62 + 1 / 61),
        "c": pytest.approx(1 / 63),
    }


def test_ties_of_a_retriever_share_the_best_of_their_ranks() -> None:
    # a and b share rank 1 in both: 2/61 each; c is third in both: 2/63.
    both = [Ranked("abc", tied="ab"), Ranked("bac", tied="ab")]
    scores = fuse(both).index(CORPUS).search(QUERY, 3)["q"]
    assert scores["a"] == scores["b"] == pytest.approx(2 / 61)
    assert scores["c"] == pytest.approx(2 / 63)


def test_the_same_ranks_in_any_order_of_the_retrievers_are_a_tie() -> None:
    # Ranks 1, 2, 3 of a, 2, 3, 1 of b and 3, 1, 2 of c: sums added in turn differ in the last bit.
    scores = search("abc", "cab", "bca")
    assert len(set(scores.values())) == 1


def test_every_retriever_is_searched_to_the_depth_or_as_deep_as_asked() -> None:
    one = Ranked("abcd")
    index = fuse([one], depth=3).index(CORPUS)
    assert list(index.search(QUERY, 2)["q"]) == ["a", "b"]
    index.search(QUERY, 4)
    assert one.asked == [3, 4]


def test_score_fuses_the_ranks_among_the_candidates() -> None:
    # Among b and d the first puts b before d, the second d before b with rank 1, so they tie.
    index = fuse([Ranked("abcd"), Ranked("dcba")]).index(CORPUS)
    assert index.score(QUERY, {"q": ["d", "b"]})["q"] == {
        "b": pytest.approx(1 / 61 + 1 / 62),
        "d": pytest.approx(1 / 61 + 1 / 62),
    }


def test_weights_must_fit_the_retrievers() -> None:
    with pytest.raises(InputError, match="fusion of 2 systems got 1 weights"):
        fuse([Ranked("a"), Ranked("b")], weights=[1])
    with pytest.raises(InputError, match="must not be negative"):
        fuse([Ranked("a")], weights=[-1])
