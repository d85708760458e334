"""What goes to an endpoint, and how its answers are read."""

import math
from concurrent import futures

import pytest
from openai_calls import QUICK, asked

from leadline.errors import InputError
from leadline.llm import connection, protocol
from leadline.llm.connection import Limits
from leadline.llm.requests import Message, Request
from llm_server import EndpointServer, Reply, refused, said

pytest.importorskip("openai")

from leadline.llm.openai import OpenAILLM

pytestmark = pytest.mark.usefixtures("short_waits")


def test_a_conversation_goes_out_turn_by_turn():
    turns = (Message("system", "be brief"), Message("user", "hello"))
    with EndpointServer(lambda *_: said("hi")) as server:
        llm = OpenAILLM(server.url, "tiny", limits=QUICK, extra={"top_k": 1})
        dict(llm.answers([Request(turns, 9, stop=("END",))]))
    assert server.bodies == [
        {
            "model": "tiny",
            "messages": [
                {"role": "system", "content": "be brief"},
                {"role": "user", "content": "hello"},
            ],
            "max_tokens": 9,
            "temperature": 0.0,
            "stop": ["END"],
            "top_k": 1,
        }
    ]


@pytest.mark.parametrize(
    "reply",
    [
        said("[1]", reasoning_content="hmm"),
        said("[1]", reasoning="hmm"),
        said("<think>hmm</think>[1]"),
    ],
    ids=["reasoning_content", "reasoning", "in the text"],
)
def test_reasoning_is_kept_apart(reply):
    with EndpointServer(lambda *_: reply) as server:
        answer = dict(OpenAILLM(server.url, "tiny").answers([Request("a", 9)]))[0]
    assert (answer.text, answer.reasoning) == ("[1]", "hmm")
    assert (answer.prompt_tokens, answer.completion_tokens) == (3, 2)


def test_a_completion_keeps_its_text_as_the_model_wrote_it():
    reply = Reply(body={"choices": [{"text": " so</think> true", "finish_reason": "stop"}]})
    completions, server, _ = asked(lambda *_: reply, ["a<think>"], mode="completion")
    assert completions == [" so</think> true"]
    assert server.bodies[0]["prompt"] == "a<think>"


def test_a_server_that_names_the_length_otherwise_or_fixes_the_temperature_is_adapted_to():
    def play(_, __):
        body = server.bodies[-1]
        if "max_tokens" in body:
            return refused(400, "Use 'max_completion_tokens' instead of max_tokens.")
        if "temperature" in body:
            return refused(400, "'temperature' does not support 0.0 with this model.")
        return said("done")

    with EndpointServer(play) as server:
        llm = OpenAILLM(server.url, "tiny", limits=Limits(concurrency=1))
        assert llm.complete(["a", "b"], max_tokens=9) == ["done", "done"]
    assert server.calls == {"a": 3, "b": 1}
    assert server.bodies[-1]["max_completion_tokens"] == 9


def test_a_seed_goes_out_and_is_left_out_for_a_server_that_takes_none():
    def play(prompt, _):
        if prompt == "strict" and "seed" in server.bodies[-1]:
            return refused(400, "Unrecognized request argument supplied: seed")
        return said("done")

    with EndpointServer(play) as server:
        llm = OpenAILLM(server.url, "tiny", limits=Limits(concurrency=1))
        requests = [Request(each, 9, 1.0, seed=7) for each in ("free", "strict")]
        assert [dict(llm.answers([each]))[0].text for each in requests] == ["done", "done"]
    assert [body.get("seed") for body in server.bodies] == [7, 7, None]


def first_token(**tops):
    place = {"token": "true", "logprob": -0.5}
    place["top_logprobs"] = [{"token": t, "logprob": v} for t, v in tops.items()]
    choice = {"message": {"content": "true"}, "logprobs": {"content": [place]}}
    return Reply(body={"choices": [choice], "usage": {"completion_tokens": 1}})


def test_log_probabilities_are_those_of_the_first_token():
    with EndpointServer(lambda *_: first_token(true=-0.5, false=-2.0)) as server:
        rows = OpenAILLM(server.url, "tiny").log_probabilities(["a"], ["true", "false", "maybe"])
    assert rows == [[-0.5, -2.0, -math.inf]]
    assert server.bodies[0]["top_logprobs"] == 20
    assert server.bodies[0]["max_tokens"] == 1


def test_log_probabilities_of_plain_completions_are_read_at_every_place():
    places = [{"so": -0.1}, {" true": -0.2, " false": -1.8}]
    choice = {"text": "so true", "logprobs": {"top_logprobs": places}}
    with EndpointServer(lambda *_: Reply(body={"choices": [choice]})) as server:
        llm = OpenAILLM(server.url, "tiny", mode="completion")
        answer = dict(llm.answers([Request("a", 2, stop=(".",), top=20)]))[0]
    assert list(answer.log_probabilities) == places
    assert server.bodies[0]["logprobs"] == 20


def test_the_row_of_a_call_that_failed_is_not_a_number():
    def play(prompt, _):
        return refused(400, "no") if prompt == "bad" else first_token(true=-0.5)

    with EndpointServer(play) as server:
        rows = OpenAILLM(server.url, "tiny").log_probabilities(["bad", "a"], ["true"])
    assert math.isnan(rows[0][0])
    assert rows[1] == [-0.5]


def test_a_server_without_log_probabilities_is_told():
    with (
        EndpointServer(lambda *_: said("true")) as server,
        pytest.raises(InputError, match="gives no log-probabilities"),
    ):
        OpenAILLM(server.url, "tiny").log_probabilities(["a"], ["true"])


def test_half_of_a_surrogate_pair_is_replaced():
    completions, server, _ = asked(lambda *_: said("done"), ["a\ud800b"])
    assert completions == ["done"]
    assert list(server.calls) == ["a?b"]


def test_log_probabilities_of_a_plain_completion_may_have_the_form_of_a_chat():
    place = {"token": " Paris", "logprob": -0.5, "top_logprobs": [{"token": " a", "logprob": -2}]}
    reply = {"choices": [{"text": " Paris", "logprobs": {"content": [place]}}]}
    assert protocol.completion_answer(reply).log_probabilities == ({" Paris": -0.5, " a": -2.0},)


def test_calls_one_at_a_time_end_when_their_asker_does(monkeypatch):
    ended = []

    def wait(calls, timeout):
        ended.append(futures.wait(calls, timeout=5.0).not_done == set())

    monkeypatch.setattr(connection, "wait", wait)
    with EndpointServer(lambda *_: said("true")) as server:
        llm = OpenAILLM(server.url, "tiny", limits=Limits(concurrency=1))
        with pytest.raises(InputError, match="gives no log-probabilities"):
            llm.log_probabilities(list("abcdefgh"), ["true"])
    assert all(ended)
