import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.errors import InputError
from leadline.llm.requests import Answer, Failure
from leadline.rerankers.listwise import NO_CALL, NO_RANKING, Listwise, build, conversation
from leadline.rerankers.parts.orders import parse_permutation, windows
from leadline.types import Document, Query, Ranked
from llm_server import EndpointServer, said
from scripted import ScriptedLLM
from tables import yaml_of

QUERY = Query("q", "find the greatest")
PUBLISHED = yaml_of(Path(__file__).with_name("orders.yaml"))


def documents(*texts):
    return {f"d{place}": Document(f"d{place}", text) for place, text in enumerate(texts)}


def numbers(n):
    """A corpus whose documents hold one number each, the greatest last."""
    return documents(*(f"number {number}" for number in range(n)))


def greatest_first(prompt):
    """Order the passages of a prompt by the number in each."""
    found = re.findall(r"^\[(\d+)\] number (\d+)$", prompt, re.MULTILINE)
    return " > ".join(f"[{rank}]" for rank, _ in sorted(found, key=lambda pair: -int(pair[1])))


def reranked(llm, corpus, queries=(QUERY,), **options):
    """Return the orders that come out, best first."""
    reranker = Listwise(llm, **options)
    run = reranker.rerank(queries, corpus, {query.id: list(corpus) for query in queries})
    return {query: list(scores) for query, scores in run.items()}, reranker


def test_the_default_prompt_is_that_of_the_paper_to_the_letter():
    turns = conversation("default", "why [7]?", ["one [1]", "two"])
    assert [[turn.role, turn.content] for turn in turns] == PUBLISHED["listwise"]


def test_chat_models_may_get_one_turn_for_each_passage():
    turns = conversation("turns", "q", ["a", "b"])
    assert [turn.role for turn in turns] == ["system"] + ["user", "assistant"] * 3 + ["user"]
    assert [turn.content for turn in turns[2:7]] == [
        "Okay, please provide the passages.",
        "[1] a",
        "Received passage [1].",
        "[2] b",
        "Received passage [2].",
    ]


def test_the_window_carries_the_best_from_the_bottom_to_the_top():
    # 100 documents, window 20, step 10: nine windows. Each carries its best ten on, so the ten
    # greatest numbers, which stood last, come out first.
    orders, reranker = reranked(ScriptedLLM(greatest_first), numbers(100))
    assert orders["q"][:10] == [f"d{place}" for place in range(99, 89, -1)]
    assert reranker.asked == 9


def test_windows_without_a_ranking_keep_their_order_and_are_counted():
    llm = ScriptedLLM(["no idea", Failure("timeout"), "[2]"])
    queries = [Query(f"q{number}", "?") for number in range(3)]
    orders, reranker = reranked(llm, numbers(2), queries)
    assert orders == {"q0": ["d0", "d1"], "q1": ["d0", "d1"], "q2": ["d1", "d0"]}
    assert reranker.failures == {NO_RANKING: 1, f"{NO_CALL} (timeout)": 1}
    assert reranker.repaired == 1


def scores_after(answers, scores, **options):
    """Return the run over documents that had these scores before."""
    reranker = Listwise(ScriptedLLM(answers), **options)
    corpus = numbers(len(scores))
    ranked = Ranked(dict(zip(corpus, scores, strict=True)))
    return reranker.rerank([QUERY], corpus, {"q": ranked})["q"]


def test_a_window_without_a_ranking_leaves_ties_as_ties():
    # d1 and d2 were a tie and share rank 2; d3 is the fourth.
    found = scores_after(["I cannot rank these."], [9.0, 5.0, 5.0, 1.0])
    assert found == {"d0": 1, "d1": 1 / 2, "d2": 1 / 2, "d3": 1 / 4}
    assert set(scores_after([Failure("HTTP 500")], [0.0, 0.0]).values()) == {1.0}


def test_a_window_that_is_too_long_is_asked_again_with_shorter_passages():
    def play(prompt):
        if len(prompt.split()) > 1500:
            return Failure("bad request 400", 400, detail="maximum context length is 2000 tokens")
        return "[2] > [1]"

    llm = ScriptedLLM(play)
    orders, reranker = reranked(llm, documents("a " * 3000, "b " * 3000))
    assert orders["q"] == ["d1", "d0"]
    assert len(llm.asked) > 1
    assert not reranker.failures


@pytest.mark.parametrize("options", [{"step": 21}, {"step": 0}, {"window": 1}, {"passes": 0}])
def test_options_out_of_range_are_told(options):
    with pytest.raises(InputError, match="listwise needs"):
        Listwise(ScriptedLLM(), **options)


class Given:
    """A model that gives these answers."""

    name = "given"

    def __init__(self, *given):
        self.given = given

    def answers(self, requests):
        return enumerate(self.given[: len(requests)])


def test_a_thought_that_was_cut_off_is_no_ranking():
    thought = "<think>\nPassage [2] talks of the tide four times, [3] less."
    llm = Given(Answer(thought, finish="length", completion_tokens=27))
    orders, reranker = reranked(llm, numbers(3))
    assert orders["q"] == ["d0", "d1", "d2"]
    cut = "cut off while it thought, at 27 tokens: max_tokens=4096"
    assert reranker.failures == {f"{NO_CALL} ({cut})": 1}


def test_only_a_model_that_thinks_gets_room_for_a_thought():
    def play(prompt, _):
        if "wander" in prompt:
            return length("I would say that the first, which is")
        thinks = server.bodies[-1]["max_tokens"] < 4096
        return length("<think>The first of them") if thinks else said("[2] > [1]")

    def length(text):
        reply = said(text)
        reply.body["choices"][0]["finish_reason"] = "length"
        return reply

    queries = [Query("a", "think"), Query("b", "wander")]
    with EndpointServer(play) as server:
        reranker = build("tiny", llm=server.url, cache=False)
        for query in queries:
            run = reranker.rerank([query], numbers(2), {query.id: ["d0", "d1"]})
            asked = [body["max_tokens"] for body in server.bodies]
            server.bodies.clear()
            if query.id == "a":
                assert (asked, list(run["a"])) == ([256, 4096], ["d1", "d0"])
        assert asked == [4096]  # the model is known to think
        reranker = build("tiny", llm=server.url, cache=False)
        reranker.rerank([queries[1]], numbers(2), {"b": ["d0", "d1"]})
    assert [body["max_tokens"] for body in server.bodies] == [256]
    cut = "cut off with documents missing, at 2 tokens: max_tokens=4096"
    assert reranker.failures == {f"{NO_CALL} ({cut})": 1}


@pytest.mark.parametrize("response", ["[2] > [1]", "[2]>[1]>[2]>[3]", "[2] > [1] > [3] > [9]"])
def test_missing_repeated_and_invented_numbers_are_repaired(response):
    read = parse_permutation(response, 3)
    assert (read.order, read.repaired, read.failed) == ((1, 0, 2), True, False)


@pytest.mark.parametrize("response", ["", "no idea", "[9]", "⒈ > 2", "<think>[2]</think>"])
def test_an_answer_without_a_ranking_keeps_the_order_and_is_a_failure(response):
    read = parse_permutation(response, 2)
    assert (read.order, read.repaired, read.failed) == ((0, 1), False, True)


@given(st.text(), st.integers(0, 30), st.sampled_from(["default", "strict"]))
def test_whatever_a_model_writes_becomes_a_permutation(response, n, mode):
    assert sorted(parse_permutation(response, n, mode).order) == list(range(n))


@given(st.integers(1, 120), st.integers(1, 30), st.data())
def test_windows_cover_every_candidate_from_the_bottom_up(n, window, data):
    step = data.draw(st.integers(1, window))
    spans = windows(n, window, step)
    assert spans[0][1] == n and spans[-1][0] == 0
    assert all(end - start <= window for start, end in spans)
    assert all(above[1] >= below[0] for below, above in pairwise(spans))
