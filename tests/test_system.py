from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from leadline.errors import InputError
from leadline.retrievers import bm25
from leadline.system import System
from leadline.types import Candidates, Corpus, Document, Query, Run
from tables import each_row

TEXTS = ["cat", "cat dog", "cat dog bird", "fish"]
CORPUS = {f"d{n}": Document(id=f"d{n}", text=text) for n, text in enumerate(TEXTS)}
QUERIES = [Query(id="q", text="cat")]


@dataclass
class LongestFirst:
    """Reranks by length of text."""

    name: str = "longest"
    sign: int = 1
    seen: list[Candidates] = field(default_factory=list)

    def rerank(self, queries: Sequence[Query], corpus: Corpus, candidates: Candidates) -> Run:
        self.seen.append(candidates)
        run = {}
        for query in queries:
            scores = {id: float(self.sign * len(corpus[id].text)) for id in candidates[query.id]}
            run[query.id] = dict(sorted(scores.items(), key=lambda item: -item[1]))
        return run


def test_a_first_stage_alone_searches_to_the_depth() -> None:
    ranking = System(bm25.build(), depth=2).run(CORPUS, QUERIES)
    assert list(ranking.run["q"]) == ["d0", "d1"]
    assert set(ranking.seconds) == {"index", "search"}


def test_a_reranker_orders_what_the_first_stage_found() -> None:
    reranker = LongestFirst()
    ranking = System(bm25.build(), reranker, depth=2).run(CORPUS, QUERIES)
    assert ranking.run["q"] == {"d1": 7.0, "d0": 3.0}
    assert reranker.seen == [{"q": ("d0", "d1")}]
    assert set(ranking.seconds) == {"index", "search", "rerank"}


def test_rerankers_follow_one_another() -> None:
    last = LongestFirst(sign=-1)
    ranking = System(bm25.build(), [LongestFirst(), last]).run(CORPUS, QUERIES)
    assert list(ranking.run["q"]) == ["d0", "d1", "d2"]
    assert last.seen == [{"q": ("d2", "d1", "d0")}]


def test_given_candidates_are_scored_and_none_is_searched_or_cut() -> None:
    candidates = {"q": ["d3", "d2", "d0"]}
    ranking = System(bm25.build(), depth=1).run(CORPUS, QUERIES, candidates)
    assert list(ranking.run["q"]) == ["d0", "d2", "d3"]


def test_a_reranker_alone_ranks_the_candidates() -> None:
    reranker = LongestFirst()
    ranking = System(None, reranker).run(CORPUS, QUERIES, {"q": ["d3", "d2"]})
    assert list(ranking.run["q"]) == ["d2", "d3"]
    assert set(ranking.seconds) == {"rerank"}


def test_the_fallback_searches_only_where_no_candidates_are_given() -> None:
    system = System(None, LongestFirst(), fallback=bm25.build())
    assert list(system.run(CORPUS, QUERIES).run["q"]) == ["d2", "d1", "d0"]
    assert list(system.run(CORPUS, QUERIES, {"q": ["d3"]}).run["q"]) == ["d3"]


def test_ranks_below_the_run_follow_in_the_order_of_the_first_stage() -> None:
    # depth 2: reranked d1 7.0, d0 3.0; the first stage has d2 third, whose score is lowered
    ranking = System(bm25.build(), LongestFirst(), depth=2).run(CORPUS, QUERIES, ranks=4)
    assert ranking.run["q"] == {"d1": 7.0, "d0": 3.0}
    assert list(ranking.deep["q"]) == ["d1", "d0", "d2"]
    assert ranking.deep["q"]["d2"] < 3.0


def test_what_rerankers_do_not_see_follows_in_the_order_of_the_stage_before() -> None:
    # BM25 has d0, d1, d2; both rerankers see two. The first turns d0 and d1, the second turns them
    # back (-3 and -7); d2 follows with a score below -7.
    last = LongestFirst(sign=-1)
    system = System(bm25.build(), [LongestFirst(), last], reranked=2)
    ranking = system.run(CORPUS, QUERIES)
    assert last.seen == [{"q": ("d1", "d0")}]
    assert [list(stage.run["q"]) for stage in ranking.stages] == [
        ["d0", "d1", "d2"], ["d1", "d0", "d2"], ["d0", "d1", "d2"],
    ]  # fmt: skip
    assert ranking.run["q"]["d0"] > ranking.run["q"]["d1"] > ranking.run["q"]["d2"]
    assert list(system.index(CORPUS).search(QUERIES, 3)["q"]) == ["d0", "d1", "d2"]
    assert system.settings["reranked"] == 2
    with pytest.raises(InputError, match="depth must be at least 1, got 0"):
        System(bm25.build(), LongestFirst(), reranked=0)


@dataclass
class Forgetful:
    """A reranker that scores its first candidate only."""

    name: str = "forgetful"

    def rerank(self, queries: Sequence[Query], corpus: Corpus, candidates: Candidates) -> Run:
        return {query.id: {candidates[query.id][0]: 0.1} for query in queries}


def test_what_a_reranker_does_not_score_follows_with_its_ties() -> None:
    alike = {id: Document(id, "cat") for id in "abc"}
    (scores,) = System(bm25.build(), Forgetful()).run(alike, QUERIES).run.values()
    first, *others = scores.values()
    assert first == 0.1 > others[0] == others[1]


class Turning:
    """A first stage whose order depends on how much it is asked for, as that of a fusion does."""

    name = "turning"

    def __init__(self) -> None:
        self.asked: list[int] = []

    def index(self, corpus: Corpus) -> "Turning":
        return self

    def search(self, queries: Sequence[Query], k: int) -> Run:
        self.asked.append(k)
        few = {"d1": 0.2, "d0": 0.1}
        more = {"d3": 9.0, "d0": 8.0, "d2": 7.0, "d1": 6.0}
        return {"q": few if k == 2 else more}

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        return {}


def test_a_deeper_look_changes_nothing_in_the_run_itself() -> None:
    # d3 and d2 score higher than d0 above them: they fall by one a rank from its 0.1.
    ranking = System(Turning(), depth=2).run(CORPUS, QUERIES, ranks=4)
    assert ranking.run["q"] == {"d1": 0.2, "d0": 0.1}
    assert list(ranking.deep["q"]) == ["d1", "d0", "d3", "d2"]
    assert list(ranking.deep["q"].values()) == pytest.approx([0.2, 0.1, -0.9, -1.9])


@dataclass
class Returning:
    """A retriever of a user, whose index returns what it is told to."""

    found: object
    name: str = "mine"

    def index(self, corpus: Corpus) -> object:
        return self

    def search(self, queries: Sequence[Query], k: int) -> object:
        return self.found

    score = search


@each_row
def test_what_is_no_run_of_the_corpus_is_refused_by_name(found: object, told: str) -> None:
    with pytest.raises(InputError, match=told):
        System(Returning(found)).run(CORPUS, QUERIES)
