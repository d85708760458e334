"""An OpenAI-compatible endpoint: order, trouble, deadlines."""

import asyncio
import math
import pickle
import time

import pytest

from leadline.errors import InputError, ModelError
from leadline.llm import protocol
from leadline.llm.connection import Limits
from leadline.llm.requests import Message, NoCompletion, Request
from llm_server import EndpointServer, Reply, refused, said
from tables import each_row

pytest.importorskip("openai")

from leadline.llm.openai import OpenAILLM

pytestmark = pytest.mark.usefixtures("short_waits")
QUICK = Limits(concurrency=4, timeout=5.0, call_deadline=20.0, retries=3)
KEY = "sk-entirely-secret-0123456789"


def asked(play, prompts, limits=QUICK, **options):
    """Return the completions, the server and the model after one round."""
    with EndpointServer(play) as server:
        llm = OpenAILLM(server.url, "tiny", limits=limits, **options)
        completions = llm.complete(prompts, max_tokens=9)
        llm.close()
    return completions, server, llm


def test_answers_stand_in_the_order_of_the_prompts_whatever_arrives_first():
    def play(prompt, _):
        reply = said(f"to {prompt}")
        reply.seconds = 0.2 if prompt == "0" else 0.0
        return reply

    completions, server, _ = asked(play, [str(number) for number in range(6)])
    assert completions == [f"to {number}" for number in range(6)]
    assert set(server.calls.values()) == {1}


def test_a_rate_limit_is_waited_for_and_does_not_count_as_a_retry():
    limits = Limits(concurrency=2, retries=0, call_deadline=20.0)

    def play(_, times):
        return refused(429, "slower", retry_after="0.05") if times < 4 else said("done")

    completions, server, llm = asked(play, ["a", "b"], limits)
    assert completions == ["done", "done"]
    assert server.calls == {"a": 4, "b": 4}
    assert not llm.failures


def test_fewer_calls_are_under_way_after_a_rate_limit():
    # Eight calls start together and are refused: the limit goes to 4, and each of the eight
    # answers that follow gives back less than 1/4 of a call: never more than 4 + 8/4 at once.
    most = []

    def play(_, times):
        if times == 1:
            return refused(429, "slower", retry_after="0.2")
        most.append(server.at_once)
        reply = said("done")
        reply.seconds = 0.02
        return reply

    with EndpointServer(play) as server:
        llm = OpenAILLM(server.url, "tiny", limits=Limits(concurrency=8))
        prompts = [str(number) for number in range(8)]
        assert llm.complete(prompts, max_tokens=9) == ["done"] * 8
    assert max(most) <= 6


def test_no_more_is_paid_while_answers_wait_to_be_taken():
    with EndpointServer(lambda *_: said("done")) as server:
        llm = OpenAILLM(server.url, "tiny", limits=Limits(concurrency=4))
        arriving = llm.answers([Request(str(number), 9) for number in range(100)])
        next(arriving)
        time.sleep(0.5)  # time enough for all of them, were they not held back
        assert 4 <= server.calls.total() <= 1 + 2 * 4
        assert len([*arriving]) == 99
    assert server.calls.total() == 100


def failing_first(reply):
    return lambda _, times: reply if times == 1 else said("done")


@pytest.mark.parametrize(
    "trouble",
    [
        refused(500, "broken"),
        Reply(503, "<html>overloaded</html>"),
        Reply(body='{"choices": [{"mess', headers={}),
        Reply(body={"choices": []}),
        Reply(body={"choices": [{"message": {"content": None}}]}),
        Reply(body=["not", "an", "object"]),
        Reply(body={"choices": [{"message": {"content": "half"}}]}, cut=True),
        Reply(drop=True),
    ],
    ids=["500", "503", "broken JSON", "no choice", "no content", "a list", "cut off", "dropped"],
)
def test_trouble_that_may_pass_is_tried_again(trouble):
    completions, server, llm = asked(failing_first(trouble), ["a"])
    assert completions == ["done"]
    assert server.calls == {"a": 2}
    assert not llm.failures


def test_an_answer_that_takes_too_long_is_asked_for_again():
    def play(_, times):
        reply = said("done")
        reply.seconds = 1.0 if times == 1 else 0.0
        return reply

    completions, server, _ = asked(play, ["a"], Limits(timeout=0.2, retries=2))
    assert completions == ["done"]
    assert server.calls == {"a": 2}


def test_one_request_that_fails_for_good_stops_no_other_and_is_counted():
    def play(prompt, _):
        return refused(500, "broken") if prompt == "bad" else said("fine")

    completions, server, llm = asked(play, ["a", "bad", "b"])
    assert completions == ["fine", "", "fine"]
    assert isinstance(completions[1], NoCompletion)
    assert str(completions[1].failure) == "server error 500: broken"
    assert server.calls["bad"] == 4  # one attempt and three retries
    assert llm.failures == {"server error 500": 1}
    assert llm.line.answered == 2


@each_row
def test_trouble_that_no_call_can_survive_is_raised_at_once(status, message, says):
    with pytest.raises(ModelError, match=says):
        asked(lambda *_: refused(status, message), [str(number) for number in range(50)])


def test_answers_can_be_taken_inside_an_event_loop():
    async def main():
        return asked(lambda *_: said("done"), ["a"])[0]

    assert asyncio.run(main()) == ["done"]


def test_a_consumer_that_stops_early_slows_no_later_call():
    def play(prompt, _):
        reply = said("done")
        reply.seconds = 0.5 if prompt == "slow" else 0.0
        return reply

    with EndpointServer(play) as server:
        llm = OpenAILLM(server.url, "tiny", limits=Limits(concurrency=8))
        arriving = llm.answers([Request("quick", 9), *[Request("slow", 9)] * 7])
        next(arriving)
        while server.calls.total() < 8:
            time.sleep(0.01)
        arriving.close()
        while server.at_once:
            time.sleep(0.01)
        server.most_at_once = 0
        assert llm.complete(["slow"] * 8, max_tokens=9) == ["done"] * 8
    assert server.most_at_once == 8


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
        pytest.raises(InputError, match="does not return log-probabilities"),
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


def test_the_key_reaches_the_server_and_no_message(monkeypatch):
    monkeypatch.setenv("TINY_KEY", KEY)

    def play(prompt, _):
        if prompt == "answer":
            return said(f"your key is {KEY}", reasoning_content=f"{KEY}!")
        return refused(400, f"no good with {KEY}")

    with EndpointServer(play) as server:
        llm = OpenAILLM(server.url, "tiny", "TINY_KEY", limits=QUICK)
        found = dict(llm.answers([Request("answer", 9), Request("refuse", 9)]))
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert found[0].text == "your key is [key]"
    assert KEY not in f"{found} {llm.settings} {llm.failures} {pickle.dumps(llm)!r}"


def test_only_the_key_that_was_named_is_sent(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, KEY)
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"X-Secret: {KEY}\nAuthorization: Bearer {KEY}")
    with EndpointServer(lambda *_: said("done")) as server:
        OpenAILLM(server.url, "tiny", limits=QUICK).complete(["a"], max_tokens=9)
    assert KEY not in str(server.headers)


@pytest.mark.parametrize("key_env", ["NO_SUCH_VARIABLE", KEY])
def test_a_variable_that_is_not_set_is_told_and_what_may_be_a_key_is_not_shown(key_env):
    with pytest.raises(InputError, match="is not set") as caught:
        OpenAILLM("http://localhost/v1", "tiny", key_env)
    assert ("NO_SUCH_VARIABLE" in str(caught.value)) == (key_env == "NO_SUCH_VARIABLE")
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("url", ["", "localhost:80", "ftp://host", "http://user:pass@host/v1"])
def test_an_address_that_is_none_or_holds_a_secret_is_refused(url):
    with pytest.raises(InputError, match="address") as caught:
        OpenAILLM(url, "tiny")
    assert "pass@" not in str(caught.value)


@pytest.mark.parametrize("end", ["/aZ9hunter2Qx/v1", "/v1;token=hunter2", "/v1#token=hunter2"])
def test_a_key_in_an_address_is_told_as_a_hash_and_is_sent(end):
    llm = OpenAILLM("http://localhost" + end, "tiny")
    assert "hunter2" not in str(llm.settings)
    assert llm.settings["base_url"].startswith("http://localhost")
    assert llm.base_url == "http://localhost" + end
    assert llm.identity != OpenAILLM("http://localhost/v1", "tiny").identity


def test_a_key_that_no_header_can_carry_is_refused(monkeypatch):
    monkeypatch.setenv("TINY_KEY", "schlüssel")
    with pytest.raises(InputError, match="TINY_KEY is not a key") as caught:
        OpenAILLM("http://localhost/v1", "tiny", "TINY_KEY")
    assert "schlüssel" not in str(caught.value)
