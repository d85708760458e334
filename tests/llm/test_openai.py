"""An OpenAI-compatible endpoint: order, trouble, deadlines."""

import asyncio
import time

import pytest
from openai_calls import QUICK, asked

from leadline.errors import ModelError
from leadline.llm.connection import Limits
from leadline.llm.requests import NoCompletion, Request
from llm_server import EndpointServer, Reply, refused, said

pytest.importorskip("openai")

from leadline.llm.openai import OpenAILLM

pytestmark = pytest.mark.usefixtures("short_waits")


def test_answers_stand_in_the_order_of_the_prompts_whatever_arrives_first():
    def play(prompt, _):
        reply = said(f"to {prompt}")
        reply.seconds = 0.2 if prompt == "0" else 0.0
        return reply

    completions, server, _ = asked(play, [str(number) for number in range(6)])
    assert completions == [f"to {number}" for number in range(6)]
    assert set(server.calls.values()) == {1}


def test_an_answer_is_yielded_as_soon_as_it_arrives():
    def play(prompt, _):
        reply = said("there")
        reply.seconds = 0.3 if prompt == "late" else 0.0
        return reply

    with EndpointServer(play) as server:
        llm = OpenAILLM(server.url, "tiny", limits=QUICK)
        arrivals = [place for place, _ in llm.answers([Request("late", 9), Request("early", 9)])]
    assert arrivals == [1, 0]


def test_a_rate_limit_is_waited_for_and_does_not_count_as_a_retry():
    limits = Limits(concurrency=2, retries=0, call_deadline=20.0)

    def play(_, times):
        return refused(429, "slower", retry_after="0.05") if times < 4 else said("done")

    completions, server, llm = asked(play, ["a", "b"], limits)
    assert completions == ["done", "done"]
    assert server.calls == {"a": 4, "b": 4}
    assert not llm.failures


def test_a_rate_limit_that_asks_for_more_time_than_there_is_fails_at_once():
    limits = Limits(call_deadline=2.0)
    completions, server, llm = asked(
        lambda *_: refused(429, "slower", retry_after="3600"), ["a"], limits
    )
    assert str(completions[0].failure) == "rate limit: slower"
    assert server.calls == {"a": 1}
    assert llm.failures == {"rate limit": 1}


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


def test_a_request_that_the_server_refuses_is_not_tried_again():
    completions, server, _ = asked(lambda *_: refused(400, "context too long"), ["a"])
    assert str(completions[0].failure) == "bad request 400: context too long"
    assert server.calls == {"a": 1}


@pytest.mark.parametrize(
    ("status", "message", "says"),
    [
        (401, "bad key", "wants a key: name the environment variable"),
        (404, "no model", "check the address and the name of the model. It said: no model"),
        (429, "insufficient_quota: pay", "nothing left to spend"),
    ],
)
def test_trouble_that_no_call_can_survive_is_raised_at_once(status, message, says):
    with pytest.raises(ModelError, match=says):
        asked(lambda *_: refused(status, message), [str(number) for number in range(50)])


def test_an_address_where_nothing_ever_answers_is_an_error_of_the_user():
    with EndpointServer(lambda *_: said("")) as server:
        url = server.url
    llm = OpenAILLM(url, "tiny", limits=Limits(retries=1))
    with pytest.raises(ModelError, match="Nothing answers for tiny at"):
        llm.complete(["a"], max_tokens=9)


def test_answers_can_be_taken_inside_an_event_loop():
    async def main():
        return asked(lambda *_: said("done"), ["a"])[0]

    assert asyncio.run(main()) == ["done"]


def test_a_consumer_that_stops_early_ends_the_open_calls():
    with EndpointServer(lambda *_: said("done")) as server:
        llm = OpenAILLM(server.url, "tiny", limits=Limits(concurrency=2))
        arriving = llm.answers([Request(str(number), 9) for number in range(500)])
        next(arriving)
        arriving.close()
        assert llm.complete(["still there"], max_tokens=9) == ["done"]
    assert sum(server.calls.values()) < 250


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
