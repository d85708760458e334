"""When calls end: what is fatal, what is given up, what is waited for, and what is kept."""

import sqlite3
import time
from contextlib import closing

import pytest

from leadline.errors import ModelError
from leadline.llm.account import Account, BudgetReachedError
from leadline.llm.cached import CachedLLM
from leadline.llm.connection import Limits, OutageError
from leadline.llm.openai import OpenAILLM
from leadline.llm.prices import Prices
from leadline.llm.requests import Request
from llm_server import EndpointServer, Reply, refused, said

pytestmark = pytest.mark.usefixtures("short_waits")
pytest.importorskip("openai")
PROMPTS = [f"prompt {number}" for number in range(200)]


def endpoint(server, **limits):
    return OpenAILLM(server.url, "tiny", limits=Limits(**limits))


def kept(path):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT COUNT(*) FROM answers").fetchone()[0]


def test_one_403_stops_no_other_call_and_throws_no_answer_away(tmp_path):
    def play(prompt, _):
        if prompt == "prompt 0":
            return refused(403, "moderated")  # it comes back first: the others take a while
        reply = said("done")
        reply.seconds = 0.1
        return reply

    with EndpointServer(play) as server:
        llm = CachedLLM(endpoint(server, concurrency=8), tmp_path / "a.sqlite")
        answers = llm.complete(PROMPTS[:16], max_tokens=9)
    assert (answers[0].failure.kind, answers[0].failure.status) == ("not allowed", 403)
    assert answers[1:] == ["done"] * 15
    assert set(server.calls.values()) == {1}


@pytest.mark.parametrize("status", [403, 404])
def test_an_answer_in_the_cache_shows_that_an_endpoint_works(tmp_path, status):
    def play(prompt, _):
        return refused(status, "not this one") if prompt == "bad" else said("done")

    with EndpointServer(play) as server:
        CachedLLM(endpoint(server), tmp_path / "a.sqlite").complete(["good"], max_tokens=9)
        again = CachedLLM(endpoint(server, concurrency=1), tmp_path / "a.sqlite")
        answers = again.complete(["good", "bad", "other"], max_tokens=9)
        fresh = CachedLLM(endpoint(server, concurrency=1), tmp_path / "b.sqlite")
        with pytest.raises(ModelError, match=r"allows no call|was not found"):
            fresh.complete(["bad", "good"], max_tokens=9)
    assert answers == ["done", "", "done"]
    assert answers[1].failure.status == status


def test_an_endpoint_that_once_answered_and_now_refuses_all_is_given_up(tmp_path):
    def play(prompt, _):
        return said("done") if prompt == "good" else refused(404, "gone")

    with EndpointServer(play) as server:
        CachedLLM(endpoint(server), tmp_path / "a.sqlite").complete(["good"], max_tokens=9)
        again = CachedLLM(endpoint(server, concurrency=4), tmp_path / "a.sqlite")
        with pytest.raises(
            OutageError, match=r"10 requests in a row .*not found.*It last said: go"
        ):
            again.complete(["good", *PROMPTS], max_tokens=9)
    assert server.calls.total() <= 15


def test_a_refused_key_ends_all_calls_and_those_under_way_are_kept(tmp_path):
    def play(prompt, _):
        if prompt == "prompt 3":
            return refused(401, "expired")
        reply = said("done")
        reply.seconds = 0.3
        return reply

    with EndpointServer(play) as server:
        llm = CachedLLM(endpoint(server, concurrency=8), tmp_path / "a.sqlite")
        with pytest.raises(ModelError, match="wants a key"):
            llm.complete(PROMPTS, max_tokens=9)
    assert server.calls.total() == 8
    assert kept(tmp_path / "a.sqlite") == 7


def test_a_server_that_hangs_is_given_up(tmp_path):
    def play(prompt, _):
        return Reply(body={}, seconds=4) if prompt != "prompt 0" else said("done")

    started = time.monotonic()
    with EndpointServer(play) as server:
        llm = CachedLLM(endpoint(server, concurrency=8, timeout=1.0), tmp_path / "a.sqlite")
        with pytest.raises(
            OutageError, match=r"Gave up on .*: nothing was answered for \d+ s.*again"
        ):
            llm.complete(PROMPTS, max_tokens=9)
    assert time.monotonic() - started < 30
    assert kept(tmp_path / "a.sqlite") == 1


def test_a_server_that_fails_call_after_call_is_given_up():
    with EndpointServer(lambda *_: refused(500, "broken")) as server:
        llm = endpoint(server, concurrency=2, retries=0)
        with pytest.raises(
            OutageError, match=r"10 requests in a row failed for good .*500.*broken"
        ):
            llm.complete(PROMPTS, max_tokens=9)
    assert server.calls.total() <= 12


def test_a_wait_of_a_day_fails_that_call_and_stalls_no_other():
    def play(prompt, _):
        late = refused(429, "tomorrow", retry_after="86400")
        return late if prompt == "prompt 0" else said("done")

    started = time.monotonic()
    with EndpointServer(play) as server:
        answers = endpoint(server, concurrency=4).complete(PROMPTS[:20], max_tokens=9)
    assert time.monotonic() - started < 20
    assert (answers[0].failure.kind, answers[0].failure.transient) == ("rate limit", True)
    assert answers[1:] == ["done"] * 19


def test_an_answer_that_cannot_be_used_is_asked_for_again_by_the_next_run(tmp_path):
    cut = said("half")
    cut.body["choices"][0]["finish_reason"] = "length"
    replies = {"a": [said(""), said("done")], "b": [cut, said("done")]}
    with EndpointServer(lambda prompt, times: replies[prompt][times - 1]) as server:
        for answers in (["", "half"], ["done", "done"], ["done", "done"]):
            llm = CachedLLM(endpoint(server), tmp_path / "a.sqlite")
            assert llm.complete(["a", "b"], max_tokens=9) == answers
    assert server.calls == {"a": 2, "b": 2}


def test_each_attempt_has_an_answer_of_its_own(tmp_path):
    with EndpointServer(lambda _, times: said(f"answer {times}")) as server:
        for _ in range(2):
            llm = CachedLLM(endpoint(server), tmp_path / "a.sqlite")
            requests = [Request("a", 9, attempt=attempt) for attempt in (0, 1)]
            found = [dict(llm.answers([each]))[0].text for each in requests]
            assert found == ["answer 1", "answer 2"]


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"prompt_tokens": -50, "completion_tokens": -50}, (6, 1)),
        ({}, (6, 1)),
        ({"prompt_tokens": 10**9, "completion_tokens": 1}, (6, 1)),
        ({"prompt_tokens": 3, "completion_tokens": 10**6}, (6, 1)),
        ({"prompt_tokens": "3", "completion_tokens": True}, (6, 1)),
        ({"prompt_tokens": 3, "completion_tokens": 2}, (3, 2)),
    ],
)
def test_counts_that_cannot_be_true_are_ours_and_cost_what_was_set_aside(tmp_path, usage, tokens):
    prices = tmp_path / "prices.json"
    prices.write_text('[{"model": "tiny", "prompt": 1000000, "answer": 1000000}]')
    reply = said("done")
    reply.body["usage"] = usage
    account = Account(Prices(prices))
    with EndpointServer(lambda *_: reply) as server, account.kept():
        endpoint(server).complete(["b c"], max_tokens=2)
    (line,) = account.lines
    assert (line.prompt_tokens, line.completion_tokens) == tokens
    # At most: 3 bytes of prompt and 32 for a template, and two tokens of an answer.
    assert line.cost == (5 if tokens == (3, 2) else 37)


def test_a_server_that_exceeds_the_length_passes_a_limit_by_one_call_at_most(tmp_path):
    prices = tmp_path / "prices.json"
    prices.write_text('[{"model": "tiny", "prompt": 0, "answer": 1000}]')
    reply = said("word " * 30)
    reply.body["usage"] = {"prompt_tokens": 3, "completion_tokens": 30}  # asked for 10: 0.03 each
    account = Account(Prices(prices), max_cost=0.1)
    with EndpointServer(lambda *_: reply) as server, account.kept():
        llm = endpoint(server, concurrency=32)
        with pytest.raises(BudgetReachedError):
            llm.complete(PROMPTS, max_tokens=10)
    assert server.calls.total() * 0.03 <= 0.1


@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": -9_000, "completion_tokens": -9_000},
        {},
        {"prompt_tokens": 10**12, "completion_tokens": 0},
    ],
)
def test_counts_that_cannot_be_true_pass_no_limit(tmp_path, usage):
    prices = tmp_path / "prices.json"
    prices.write_text('[{"model": "tiny", "prompt": 0, "answer": 1000}]')
    reply = said("five words of an answer")
    reply.body["usage"] = usage
    account = Account(Prices(prices), max_cost=0.1)
    with (
        EndpointServer(lambda *_: reply) as server,
        account.kept(),
        pytest.raises(BudgetReachedError),
    ):
        endpoint(server).complete(PROMPTS, max_tokens=10)
    assert server.calls.total() == 10  # each may have cost 10 tokens: 0.01 dollars
    assert account.cost == pytest.approx(0.1)


@pytest.mark.parametrize("value", ["[1]", "7", '{"text": 5}', "[" * 100_000, '{"x": 1}', "null"])
def test_odd_values_of_a_cache_are_asked_for_again(tmp_path, value):
    with EndpointServer(lambda *_: said("done")) as server:
        llm = CachedLLM(endpoint(server), tmp_path / "a.sqlite")
        llm.store.write(llm.key_of(Request("a", 9)), value)
        assert llm.complete(["a"], max_tokens=9) == ["done"]
