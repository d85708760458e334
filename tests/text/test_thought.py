import json
import time

import pytest

from leadline.llm.requests import THOUGHT_ONLY, Answer, Failure, settled
from leadline.llm.structured import read_json
from leadline.text.thought import after_thought
from scripted import ScriptedLLM

CLOSED = [
    "<think>Is it [2]?</think>\n[1]",
    "<THINK>\nIs it [2]?\n</THINK>[1]",
    "<thinking>Is it [2]?</thinking>[1]",
    "<seed:think>Is it [2]?</seed:think>[1]",
    "<reasoning>Is it [2]?</reasoning>[1]",
    "<thought>Is it [2]?</thought>[1]",
    "[THINK]Is it [2]?[/THINK][1]",
    "◁think▷Is it [2]?◁/think▷[1]",
    "<|begin_of_thought|>Is it [2]?<|end_of_thought|>\n<|begin_of_solution|>[1]<|end_of_solution|>",
    "<|START_THINKING|>Is it [2]?<|END_THINKING|>[1]",
    "<|channel|>analysis<|message|>Is it [2]?<|end|><|start|>assistant<|channel|>final<|message|>"
    "[1]<|return|>",
    "analysisWe wonder: is it [2]?assistantfinal[1]",
    "Is it [2]?</think>[1]",  # the model's template opened the thought
    "I use <think> in a thought. Is it [2]?</think>[1]",
    "<think>Is it [2]?</think>[1]\n<reason>since [3] is none</reason>",
    "[1]",
]

OPEN = [
    "<think>\nPassage [2] talks of it",
    "  \n<Thinking> Passage [2]",
    "<think>a</think>\n<think>Passage [2]",
    "<reasoning>Passage [2]",
    "[THINK]Passage [2]",
    "◁think▷ [2]",
    "<|channel|>analysis<|message|>Passage [2] talks of it",
    "<|channel|>analysis<|message|>Passage [2]<|end|><|start|>assistant",
    "<|channel|> analysis <|message|>[2]",
    "analysisWe need to rank [2]",
    "Sure!\n<think>Passage [2]",
]


@pytest.mark.parametrize("text", CLOSED)
def test_the_answer_stands_after_the_thought(text):
    assert after_thought(text) == "[1]"
    assert settled(Answer(text, finish="stop")).text == "[1]"


@pytest.mark.parametrize("text", OPEN)
@pytest.mark.parametrize("finish", ["length", "stop", ""])
def test_a_thought_that_does_not_end_holds_no_answer(text, finish):
    assert after_thought(text) == ""
    answer = settled(Answer(text, finish=finish, completion_tokens=27))
    cut = "cut off while it thought, at 27 tokens: max_tokens=4096"
    assert answer.failure == Failure(cut if finish == "length" else THOUGHT_ONLY)


def test_an_answer_that_quotes_a_mark_is_no_thought():
    quoting = json.dumps({"facts": ["the model opens <think> and says analysis first"]})
    assert read_json(quoting)["facts"]
    assert settled(Answer(quoting, finish="stop")).failure is None


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        # Four times the tokens that were not enough: 4 * 2048 = 8192.
        (Answer("", "hm", None, "length", completion_tokens=2048),
         "cut off while it thought, at 2,048 tokens: max_tokens=8192"),
        (Answer("", "", None, "length", completion_tokens=16),
         "cut off before it answered, at 16 tokens: max_tokens=4096"),
        (Answer("", "", None, "length", completion_tokens=16, is_estimated=True),
         "cut off before it answered: max_tokens=4096"),
        (Answer("", "hm", None, "stop"), THOUGHT_ONLY),
        (Answer("<think>hm</think> ", finish="stop"), THOUGHT_ONLY),
        (Answer(" ", finish="stop"), None),
        (Answer("a plain answer that was", finish="length"), None),
    ],
)  # fmt: skip
def test_no_answer_after_a_thought_is_a_failure_with_its_reason(answer, kind):
    failure = settled(answer).failure
    assert failure == (Failure(kind) if kind else None)


def test_a_hostile_text_is_read_in_a_moment():
    started = time.perf_counter()
    for mark in ("<think>\n", "</think>\n", "<|channel|> ", " \t", "<reason>", "analysis"):
        after_thought(mark * 50_000)
    assert time.perf_counter() - started < 5


def test_every_reader_of_answers_is_given_them_without_thoughts():
    from leadline.llm.requests import Request, answers_of

    llm = ScriptedLLM(["<think>[2]", "<think>[2]</think>[1]"])
    open_, closed = answers_of(llm, [Request("a", 9), Request("b", 9)])
    assert open_.failure == Failure(THOUGHT_ONLY)
    assert closed.text == "[1]"
