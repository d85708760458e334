"""Groups of a query and judged passages, from seeds to what is kept."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass

import pytest

from leadline.errors import InputError
from leadline.llm.pipeline.running import IncompleteError
from leadline.llm.requests import Failure
from leadline.llm.run_record import RunRecord
from leadline.llm.scripted import ScriptedLLM
from leadline.synthesis.reasoning.by_llm import build
from leadline.synthesis.reasoning.making import read_personas
from leadline.synthesis.reasoning.wishes import Wishes
from leadline.types import Document, Query
from reasoning_writer import MALFORMED, answered, step_of

MILL = Query("q1", "old mill", "q1")


@dataclass
class Pair:
    """A writer and a judge that answer from functions."""

    writer: ScriptedLLM
    verifier: ScriptedLLM
    attempts: int = 3
    max_tokens: int = 500
    temperature: float = 0.8


def models(write=answered, judge=answered) -> Pair:
    return Pair(ScriptedLLM(write, name="writer"), ScriptedLLM(judge, name="judge"))


def test_a_daily_and_an_expert_query_are_made_of_each_seed() -> None:
    both = models()
    built = build([MILL], both, RunRecord("t"))
    assert [(each.id, each.style, each.seed) for each in built.groups] == [
        ("q1-daily", "daily", "old mill"),
        ("q1-expert", "expert", "old mill"),
    ]
    daily = built.groups[0]
    assert daily.query.startswith(
        "Last spring our mill stood dry and the cellar was wet all the same. Where from "
    )
    relations = [each.relation for each in daily.passages]
    assert relations == ["direct", "indirect", "indirect", "negative", "negative"]
    assert all(each.trace.startswith("It is about") for each in daily.passages)
    assert {daily.difficulty, built.groups[1].difficulty} == {"hard", "simple"}
    asked = Counter(map(step_of, both.writer.asked))
    assert asked == {
        "persona": 1, "daily query": 1, "expert query": 1, "solution": 2, "materials": 2,
        "negatives": 2, "passage": 10,
    }  # fmt: skip
    assert Counter(map(step_of, both.verifier.asked)) == {"judgement": 10}


@pytest.mark.parametrize(
    ("style", "steps"),
    [("daily", {"persona", "daily query"}), ("expert", {"expert query"}), ("plain", set())],
)
def test_a_style_alone_asks_only_its_steps(style: str, steps: set[str]) -> None:
    both = models()
    (group,) = build([MILL], both, RunRecord("t"), wishes=Wishes(style)).groups
    of_all = {"solution", "materials", "negatives", "passage"}
    assert set(map(step_of, both.writer.asked)) == steps | of_all
    assert style != "plain" or group.query == "old mill"


def test_a_passage_judged_unlike_intended_is_left_out_and_counted() -> None:
    def contrary(prompt: str) -> str:
        said = answered(prompt)
        return said if "weir" in prompt else said.replace("true", "false")

    # Of three positives only that about the weir is judged relevant; both negatives are not.
    built = build([MILL], models(judge=contrary), RunRecord("t"), wishes=Wishes("expert"))
    (group,) = built.groups
    assert [each.relation for each in group.passages] == ["direct", "negative", "negative"]
    assert built.dropped == {"passage: judged unlike intended: indirect": 2}


def test_an_expert_query_that_repeats_its_seed_is_asked_for_again() -> None:
    given: list[str] = []

    def repeating(prompt: str) -> str:
        if step_of(prompt) == "expert query" and not given:
            given.append(prompt)
            return json.dumps({"query": "Old  mill?"})
        return answered(prompt)

    into = RunRecord("t")
    (group,) = build([MILL], models(repeating), into, wishes=Wishes("expert")).groups
    assert group.query.startswith("Tables say")
    assert into.step_named("expert query").dropped == {"repeats the seed": 1}


@pytest.mark.parametrize("step", MALFORMED)
def test_a_malformed_answer_of_any_step_is_asked_for_again(step: str) -> None:
    given: Counter[str] = Counter()

    def first_malformed(prompt: str) -> str:
        name = step_of(prompt)
        given[name] += 1
        # An answer as JSON is asked for twice within an attempt.
        if name == step and given[name] <= 2:
            return MALFORMED[step]
        return answered(prompt)

    source = Document("d1", "about the old mill") if step == "seed query" else MILL
    both = models(first_malformed, first_malformed)
    built = build([source], both, RunRecord("t"))
    assert [len(each.passages) for each in built.groups] == [5, 5]
    assert built.dropped == {}


@pytest.mark.parametrize("step", [each for each in MALFORMED if each != "seed query"])
def test_malformed_answers_alone_are_told_and_never_half_kept(step: str) -> None:
    def always(prompt: str) -> str:
        return MALFORMED[step] if step_of(prompt) == step else answered(prompt)

    both = models(always, always)
    style = "expert" if step == "expert query" else "daily"
    with pytest.raises(InputError, match="Nothing that writer wrote could be kept"):
        build([MILL], both, RunRecord("t"), wishes=Wishes(style))


def test_a_call_without_an_answer_makes_the_run_incomplete() -> None:
    def failing(prompt: str):
        return Failure("timeout", transient=True) if step_of(prompt) == "solution" else answered(
            prompt
        )  # fmt: skip

    with pytest.raises(IncompleteError, match="run the same command again"):
        build([MILL], models(failing), RunRecord("t"))


def test_difficulty_and_length_of_the_trace_are_told() -> None:
    both = models()
    build([MILL], both, RunRecord("t"), wishes=Wishes("expert", "simple", "short"))
    (asked,) = [each for each in both.writer.asked if step_of(each) == "expert query"]
    assert "One step of reasoning" in asked
    assert all("at most three sentences" in each for each in both.verifier.asked)


def test_an_unknown_switch_is_told() -> None:
    with pytest.raises(InputError, match="weekly"):
        Wishes("weekly")
    with pytest.raises(InputError, match="5 to 3 is no range"):
        Wishes(materials=(5, 3))


def test_personas_come_from_our_list_or_a_file(tmp_path) -> None:
    assert len(read_personas()) == 16
    path = tmp_path / "people.txt"
    path.write_text("# people\nA diver.\n\nA cook.\n")
    assert read_personas(path) == ["A diver.", "A cook."]
    path.write_text('{"persona": "A computer\\nanalyst"}\nA cook.\n')  # as PersonaHub has them
    assert read_personas(path) == ["A computer analyst", "A cook."]
    path.write_text('A cook.\n{"name": "A computer analyst"}\n')
    with pytest.raises(InputError, match=r"people\.txt:2: a record must be"):
        read_personas(path)
    path.write_text("# none\n")
    with pytest.raises(InputError, match="holds no personas"):
        read_personas(path)
