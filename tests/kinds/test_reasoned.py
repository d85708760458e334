"""What a stage that reasons changed."""

import pytest

from leadline.benchmark import Benchmark
from leadline.kinds.reasoned import reasoning_of
from leadline.report.reasoning import remarks
from leadline.types import Document, Query, StageRun, Trace

CORPUS = {
    "a": Document("a", "text a", facets={"relation": "direct"}),
    "b": Document("b", "text b", facets={"relation": "indirect"}),
    "c": Document("c", "text c"),
}
QUERIES = [Query("q", "first?"), Query("r", "second?"), Query("s", "third?")]
QRELS = {"q": {"a": 1}, "r": {"a": 1, "b": 1}, "s": {"b": 1, "c": 0}}
BENCHMARK = Benchmark("b", CORPUS, QUERIES, QRELS, [])


def ranking(*ids: str) -> dict[str, float]:
    return {id: float(-place) for place, id in enumerate(ids)}


BEFORE = {"q": ranking("b", "a"), "r": ranking("a", "b", "c"), "s": ranking("b", "c")}
AFTER = {"q": ranking("a", "b"), "r": ranking("a", "b", "c"), "s": ranking("c", "b")}


def trace(said: str, tokens: int, ending: str = "answered") -> Trace:
    return Trace(f"{tokens} words", said, ending, tokens, 100)


TRACES = {
    ("q", "a"): trace("true", 10), ("q", "b"): trace("false", 20),
    ("r", "a"): trace("true", 30), ("r", "b"): trace("true", 40), ("r", "c"): trace("", 50, "cut"),
    ("s", "b"): trace("false", 60), ("s", "c"): trace("true", 70),
}  # fmt: skip


def told():
    stages = [StageRun("bm25", BEFORE), StageRun("judge", AFTER, TRACES)]
    return reasoning_of(BENCHMARK, stages)


def test_queries_are_helped_hurt_or_left() -> None:
    reasoning = told()
    assert reasoning["queries"] == {"helped": 1, "hurt": 1, "unchanged": 1}
    # Relevant at 2: 1 / log2 3 = 0.63093; so (0.63093 + 1 + 1) / 3 both before and after.
    assert reasoning["before"] == reasoning["after"] == pytest.approx(0.876976, abs=1e-6)
    about = pytest.approx(0.815465, abs=1e-6)
    assert [list(each.values()) for each in reasoning["slices"]] == [
        ["1", 2, about, about], ["2 to 4", 1, 1.0, 1.0],
    ]  # fmt: skip
    assert [list(each.values()) for each in reasoning["relations"]] == [
        ["direct", 2, 1.0, 1.0], ["indirect", 2, 1.0, 1.0],
    ]  # fmt: skip


def test_lengths_and_answers_are_counted() -> None:
    reasoning = told()
    assert reasoning["pairs"] == 7
    assert reasoning["endings"] == {"answered": 6, "cut": 1}
    assert reasoning["tokens"] == {
        "total": 280, "asked": 700, "mean": 40, "median": 40, "90 %": 70, "most": 70,
        "by query": pytest.approx(280 / 3),
    }  # fmt: skip
    assert [tuple(each.values()) for each in reasoning["judgements"]] == [
        ("true", True, 3, 30.0),
        ("true", False, 1, 70.0),
        ("false", True, 1, 60.0),
        ("false", False, 1, 20.0),
        ("", False, 1, 50.0),
    ]
    assert remarks(reasoning) == ["1 of 7 pairs have no answer. Each gets a score of 0.5."]


def test_the_document_that_explains_a_change_comes_with_its_trace() -> None:
    reasoning = told()
    ((helped,), (hurt,)) = reasoning["helped"], reasoning["hurt"]
    assert (helped["query"], helped["document_id"], helped["before"], helped["after"]) == (
        "first?",
        "a",
        2,
        1,
    )
    assert (helped["trace"], helped["said"], helped["tokens"]) == ("10 words", "true", 10)
    assert (hurt["query_id"], hurt["document_id"], hurt["grade"]) == ("s", "b", 1)
    assert (hurt["before"], hurt["after"]) == (1, 2)


def test_without_traces_there_is_nothing_to_tell() -> None:
    stages = [StageRun("bm25", BEFORE), StageRun("judge", AFTER)]
    assert reasoning_of(BENCHMARK, stages) is None
    assert reasoning_of(BENCHMARK, [StageRun("judge", AFTER, TRACES)]) is None
