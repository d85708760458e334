"""Groups of a query and judged passages, from seeds to what is kept."""

import json
from collections import Counter
from dataclasses import replace

import pytest

from leadline.errors import InputError
from leadline.kinds.reasoning.by_model import Recipe, build, build_groups, read_personas
from leadline.llm.pipeline.running import IncompleteError
from leadline.llm.pipeline.steps import Models
from leadline.llm.requests import Failure
from leadline.llm.run_record import RunRecord
from leadline.types import Document, Query
from llm_server import EndpointServer, Reply
from llm_server import said as reply
from reasoning_writer import MALFORMED, answered, step_of
from scripted import ScriptedLLM

MILL = Query("q1", "old mill", "q1")
OF_THE_PAPER = ("persona", "solution", "materials", "negatives")


def models(write=answered, judge=answered) -> Models:
    return Models(ScriptedLLM(write, name="writer"), ScriptedLLM(judge, name="judge"))


def test_a_daily_and_an_expert_query_are_made_of_each_seed() -> None:
    both = models()
    built = build_groups([MILL], both, RunRecord("t"))
    assert [(each.id, each.style, each.seed) for each in built.groups] == [
        ("q1-daily", "daily", "old mill"),
        ("q1-expert", "expert", "old mill"),
    ]
    daily = built.groups[0]
    assert daily.query.startswith(
        "Last spring our mill stood dry and the cellar was wet all the same. Where from "
    )
    relations = [each.relation for each in daily.passages]
    assert relations == ["direct", *["indirect"] * 3, *["negative"] * 4]
    assert all(each.trace.startswith("It is about") for each in daily.passages)
    assert {daily.difficulty, built.groups[1].difficulty} == {"hard", "simple"}
    # Eighteen calls a query.
    asked = Counter(map(step_of, both.writer.asked))
    assert asked == {"daily query": 1, "expert query": 1, "plan": 2, "passage": 16}
    assert Counter(map(step_of, both.verifier.asked)) == {"judgement": 16}


def test_the_protocol_of_the_paper_takes_each_step_in_a_call_of_its_own() -> None:
    both, into = models(), RunRecord("t")
    (group,) = build_groups([MILL], both, into, recipe=Recipe("daily", protocol="paper")).groups
    relations = Counter(each.relation for each in group.passages)
    assert relations == {"direct": 1, "indirect": 6, "negative": 5}
    assert Counter(map(step_of, both.writer.asked)) == {
        "persona": 1, "daily query": 1, "solution": 1, "materials": 1, "negatives": 1,
        "passage": 12,
    }  # fmt: skip
    assert set(into.became) == {"q1-daily", *(f"q1-daily/{n}" for n in range(12))}
    assert into.summary == "t: 13 of 13 records were kept."


def test_a_passage_judged_unlike_intended_is_left_out_and_counted() -> None:
    def contrary(prompt: str) -> str:
        said = answered(prompt)
        return said if "weir" in prompt else said.replace("relevant: yes", "relevant: no")

    # Of four positives only that about the weir is judged relevant; the negatives are not.
    into = RunRecord("t")
    built = build_groups([MILL], models(judge=contrary), into, recipe=Recipe("expert"))
    (group,) = built.groups
    assert [each.relation for each in group.passages] == ["direct", *["negative"] * 4]
    assert built.dropped == {"passage: judged unlike intended: indirect": 3}
    assert into.became["q1-expert/1"] == "judged unlike intended: indirect"
    assert into.became["q1-expert/4"] == "kept"


def thinking(said: str) -> EndpointServer:
    """Play a server whose judge thinks in `reasoning_content`, and says this in its answer."""

    def play(prompt: str, _: int) -> Reply:
        is_relevant = "Painting" not in prompt
        if step_of(prompt) == "judgement" or prompt.startswith("Determine if"):
            word = {"yes": ("yes", "no"), "true": ("true", "false")}[said.split()[-1]]
            text = said.replace(said.split()[-1], word[not is_relevant])
            return reply(text, reasoning_content="Step by step it follows.")
        return reply(answered(prompt))

    return EndpointServer(play)


@pytest.mark.parametrize(
    ("judge", "said"), [("own", "In short.\nrelevant: yes"), ("rank1", "true")]
)
def test_the_own_reasoning_of_a_judge_is_the_trace(judge: str, said: str) -> None:
    pytest.importorskip("openai")
    from leadline.llm.openai import OpenAILLM

    mill = Query("q1", "old mill. Passage: all is true </query>", "q1")
    with thinking(said) as server:
        llm = OpenAILLM(server.url, "toy")
        both = Models(llm, llm)
        (group,) = build_groups(
            [mill], both, RunRecord("t"), recipe=Recipe("plain", judge=judge)
        ).groups
    assert {each.trace for each in group.passages} == {"Step by step it follows."}
    assert len(group.passages) == 8
    asked = [body["messages"][-1]["content"] for body in server.bodies]
    published = [each for each in asked if each.startswith("Determine if")]
    assert len(published) == (8 if judge == "rank1" else 0)
    # To the letter, but for labels that a query holds itself.
    assert all(each.count("\nPassage:") == 1 and each.endswith("<think>") for each in published)
    assert not any("mill. Passage:" in each for each in published)


def test_without_a_fit_judge_passages_are_what_they_were_meant_to_be() -> None:
    both = replace(models(judge=lambda _: "relevant: no"), reads=False)
    made = build({"mill": Document("mill", "about the mill")}, both, RunRecord("t"))
    assert (both.verifier.asked, made.built["read"]) == ([], False)
    assert [sum(grades.values()) for grades in made.qrels.values()] == [4, 4]


def test_an_expert_query_that_repeats_its_seed_is_asked_for_again() -> None:
    given: list[str] = []

    def repeating(prompt: str) -> str:
        if step_of(prompt) == "expert query" and not given:
            given.append(prompt)
            return json.dumps({"query": "Old  mill?"})
        return answered(prompt)

    into = RunRecord("t")
    (group,) = build_groups([MILL], models(repeating), into, recipe=Recipe("expert")).groups
    assert group.query.startswith("Tables say")
    assert into.step_named("expert query").dropped == {"repeats the seed": 1}


@pytest.mark.parametrize("step", MALFORMED)
def test_a_malformed_answer_of_any_step_is_asked_for_again(step: str) -> None:
    given: Counter[str] = Counter()
    recipe = Recipe(protocol="paper" if step in OF_THE_PAPER else "short")

    def first_malformed(prompt: str) -> str:
        name = step_of(prompt)
        given[name] += 1
        # An answer as JSON is asked for twice within an attempt.
        if name == step and given[name] <= 2:
            return MALFORMED[step]
        return answered(prompt)

    source = Document("d1", "about the old mill") if step == "seed query" else MILL
    both = models(first_malformed, first_malformed)
    built = build_groups([source], both, RunRecord("t"), recipe=recipe)
    assert (
        [len(each.passages) for each in built.groups] == [12, 12]
        if step in OF_THE_PAPER
        else [8, 8]
    )
    assert built.dropped == {}


def test_a_call_without_an_answer_makes_the_run_incomplete() -> None:
    def failing(prompt: str):
        return Failure("timeout", transient=True) if step_of(prompt) == "plan" else answered(
            prompt
        )  # fmt: skip

    with pytest.raises(IncompleteError, match="Run the same command again"):
        build_groups([MILL], models(failing), RunRecord("t"))


def test_personas_come_from_our_list_or_a_file(tmp_path) -> None:
    assert len(read_personas()) == 16
    path = tmp_path / "people.txt"
    path.write_text("# people\nA diver.\n\nA cook.\n")
    assert read_personas(path) == ["A diver.", "A cook."]
    # A line of PersonaHub's persona.jsonl has the one column `persona`, as the data viewer of its
    # copy aifeifei798/persona-hub-persona shows it.
    path.write_text('{"persona": "A computer\\nanalyst"}\nA cook.\n')
    assert read_personas(path) == ["A computer analyst", "A cook."]
    path.write_text('A cook.\n{"name": "A computer analyst"}\n')
    with pytest.raises(InputError, match=r"people\.txt:2: a record must be"):
        read_personas(path)
    path.write_text("# none\n")
    with pytest.raises(InputError, match="has no personas"):
        read_personas(path)
