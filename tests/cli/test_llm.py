"""leadline llm test, on servers that can do less than others, and on a real small model."""

import json
import re
from functools import partial

import pytest

import commands
from leadline.llm import connection
from leadline.llm.account import Account, Endpoint
from leadline.llm.opening import ModelPlace, effort_of, findings_of, open_llm
from llm_server import EndpointServer, refused, said
from real_weights import smollm2

KEY = "sk-entirely-secret-0123456789abcdefgh"
RIGHT = {
    "barks": "DOG",
    "week": "Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday",
    "mill": '{"sentence": 2, "year": 1908}',
    "bridge": "False.",
}


def answer(prompt, **answers):
    words = RIGHT | answers
    reply = said(next(each for word, each in words.items() if word in prompt))
    reply.body["usage"] = {"prompt_tokens": 30, "completion_tokens": 10}
    return reply


def with_log_probabilities(reply):
    place = {"token": "F", "logprob": -0.1, "top_logprobs": [{"token": "F", "logprob": -0.1}]}
    reply.body["choices"][0]["logprobs"] = {"content": [place]}
    return reply


run = partial(commands.run, "llm", "test")


def rows(name, *words):
    return json.loads(run(name, "--json", *words).stdout)


def test_a_server_that_takes_all_gets_a_table_without_its_key(monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)

    def play(prompt, _):
        return with_log_probabilities(answer(prompt, week=f"{RIGHT['week']} {KEY}"))

    with EndpointServer(play) as server:
        done = run(f"{server.url}#tiny", "--llm-key-env", "MY_KEY")
    assert KEY not in done.output
    table = dict(re.split(r"  +", line.strip(), maxsplit=1) for line in done.stdout.splitlines())
    assert table["JSON"] == "by a JSON schema"
    assert table["log-probabilities"] == table["system message"] == table["seed"] == "yes"
    assert (table["answers right"], table["effort"]) == ("4 of 4", "high")


def test_what_a_server_refuses_is_shown_and_holds_for_later_runs():
    def play(prompt, _):
        body = server.bodies[-1]
        form = body.get("response_format", {})
        if form.get("type") == "json_schema" or "schema" in form:
            return refused(400, "This response_format type is unavailable now")
        if any(turn["role"] == "system" for turn in body["messages"]):
            return refused(400, "System role not supported")
        if "seed" in body:
            return refused(422, "seed: extra inputs are not permitted")
        return answer(prompt, bridge="True")

    with EndpointServer(play) as server:
        shown = rows(f"{server.url}#tiny")
    assert shown["JSON"] == "json_object, the schema in the prompt"
    assert shown["system message"] == "no: it goes before the question"
    assert (shown["seed"], shown["log-probabilities"]) == ("no", "no")
    assert (shown["answers right"], shown["effort"]) == ("3 of 4", "low")
    assert shown["negation"] == "wrong: True"
    with Account(default=Endpoint(server.url, "tiny")).kept():
        llm = open_llm("a stage", ModelPlace())
        assert {"seed", "system message", "json_schema"} <= llm.quirks
        assert effort_of(llm) == "low"


def test_a_server_that_refuses_log_probabilities_still_gets_a_table():
    def play(prompt, _):
        if "logprobs" in server.bodies[-1]:
            return refused(400, "logprobs is not available for this model")
        return answer(prompt, mill="Sure: the second one.")

    with EndpointServer(play) as server:
        shown = rows(f"{server.url}#tiny")
    assert shown["log-probabilities"] == "no"
    assert shown["JSON"] == "by a JSON schema, and the answer did not fit"
    assert shown["negation"].startswith("not asked")
    assert shown["effort"] == "low"


def test_where_nothing_answers_one_line_says_so(monkeypatch):
    monkeypatch.setattr(connection, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(connection, "LONGEST_WAIT", 0.05)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert "needs a key" in run("openai:gpt-5-mini", code=2).stderr
    gone = run("http://127.0.0.1:9/v1#tiny", code=2).stderr
    assert "Nothing answers for tiny at http://127.0.0.1:9/v1" in gone
    with EndpointServer(lambda *_: refused(401, "bad key")) as server:
        refusal = run(f"{server.url}#tiny", code=2).stderr
    assert "wants a key" in refusal
    assert findings_of(server.url, "tiny") is None


@pytest.mark.slow
def test_a_small_model_in_this_process_is_asked_little_at_once():
    shown = rows(str(smollm2()))
    assert (shown["runs"], shown["context"]) == ("in this process", "8,192 tokens")
    assert shown["JSON"] == "by a JSON schema"
    assert shown["log-probabilities"] == "yes"
    assert shown["effort"] == "low"
