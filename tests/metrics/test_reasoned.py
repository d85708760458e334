"""What a stage that reasons changed."""

from __future__ import annotations

import json

import pytest

from leadline.metrics.reasoned import Judgements, Slice, reasoning_from, reasoning_of, size_name
from leadline.types import Document, Query, StageRun, Trace

CORPUS = {
    "a": Document("a", "text a", facets={"relation": "direct"}),
    "b": Document("b", "text b", facets={"relation": "indirect"}),
    "c": Document("c", "text c"),
}
QUERIES = [Query("q", "first?"), Query("r", "second?"), Query("s", "third?")]
QRELS = {"q": {"a": 1}, "r": {"a": 1, "b": 1}, "s": {"b": 1, "c": 0}}


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
    return reasoning_of(QUERIES, QRELS, CORPUS, stages)


def test_queries_are_helped_hurt_or_left() -> None:
    reasoning = told()
    assert reasoning.queries == {"helped": 1, "hurt": 1, "unchanged": 1}
    # Relevant at 2: 1 / log2 3 = 0.63093; so (0.63093 + 1 + 1) / 3 both before and after.
    assert reasoning.before == reasoning.after == pytest.approx(0.876976, abs=1e-6)
    assert reasoning.slices == (
        Slice("1", 2, pytest.approx(0.815465, abs=1e-6), pytest.approx(0.815465, abs=1e-6)),
        Slice("2 to 4", 1, 1.0, 1.0),
    )
    assert reasoning.relations == (Slice("direct", 2, 1.0, 1.0), Slice("indirect", 2, 1.0, 1.0))


def test_lengths_and_answers_are_counted() -> None:
    reasoning = told()
    assert reasoning.pairs == 7
    assert reasoning.endings == {"answered": 6, "cut": 1}
    assert reasoning.tokens == {
        "total": 280, "asked": 700, "mean": 40, "median": 40, "90 %": 70, "most": 70,
        "by query": pytest.approx(280 / 3),
    }  # fmt: skip
    assert reasoning.judgements == (
        Judgements("true", True, 3, 30.0),
        Judgements("true", False, 1, 70.0),
        Judgements("false", True, 1, 60.0),
        Judgements("false", False, 1, 20.0),
        Judgements("", False, 1, 50.0),
    )
    assert reasoning.remarks == [
        "1 of 7 pairs have no answer at all; each counts as a score of 0.5."
    ]


def test_the_document_that_explains_a_change_comes_with_its_trace() -> None:
    reasoning = told()
    ((helped,), (hurt,)) = reasoning.helped, reasoning.hurt
    assert (helped.query, helped.document_id, helped.before, helped.after) == ("first?", "a", 2, 1)
    assert (helped.trace, helped.said, helped.tokens) == ("10 words", "true", 10)
    assert (hurt.query_id, hurt.document_id, hurt.grade, hurt.before, hurt.after) == (
        "s", "b", 1, 1, 2,
    )  # fmt: skip


def test_it_is_read_back_from_what_was_written() -> None:
    reasoning = told()
    assert reasoning_from(json.loads(json.dumps(reasoning.as_json()))) == reasoning
    assert "helped" not in reasoning.as_json(examples=False)


def test_without_traces_there_is_nothing_to_tell() -> None:
    stages = [StageRun("bm25", BEFORE), StageRun("judge", AFTER)]
    assert reasoning_of(QUERIES, QRELS, CORPUS, stages) is None
    assert reasoning_of(QUERIES, QRELS, CORPUS, [StageRun("judge", AFTER, TRACES)]) is None


def test_a_model_with_one_answer_is_remarked() -> None:
    only = {key: trace("true", 5) for key in TRACES}
    reasoning = reasoning_of(
        QUERIES, QRELS, CORPUS, [StageRun("bm25", BEFORE), StageRun("judge", AFTER, only)]
    )
    assert reasoning.remarks == ["It never said false: all 7 answers are true."]


def test_sizes_have_names() -> None:
    assert [size_name(n) for n in (0, 1, 2, 4, 5, 400)] == [
        "", "1", "2 to 4", "2 to 4", "5 or more", "5 or more",
    ]  # fmt: skip
