"""What a server refuses: learned by what it says, or by trying without it."""

import json
from pathlib import Path

import pytest
import yaml

from leadline.errors import InputError
from leadline.llm import connection
from leadline.llm.account import Account
from leadline.llm.connection import Limits
from leadline.llm.requests import Message, Request
from leadline.llm.run_record import RunRecord
from llm_server import EndpointServer, Reply, refused, said
from tables import each_row

pytest.importorskip("openai")
from leadline.llm.openai import OpenAILLM

SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}}
EVERYTHING = Request(
    (Message("system", "Be brief."), Message("user", "Hi.")),
    9,
    stop=("END",),
    schema=SCHEMA,
    seed=1,
)


def answered(refusal, request=EVERYTHING, **options):
    """Return answer, model and bodies; `refusal` takes a body and gives a reply or None."""
    with EndpointServer(lambda *_: refusal(server.bodies[-1]) or said('{"a": 1}')) as server:
        llm = OpenAILLM(server.url, "m", limits=Limits(concurrency=1, retries=0), **options)
        found = dict(llm.answers([request]))[0]
    return found, llm, server.bodies


def form(body):
    """Return how a body asks for JSON: the type, and where the schema stands."""
    asked = body.get("response_format") or {}
    return " ".join(name for name in (asked.get("type"), *sorted(set(asked) - {"type"})) if name)


def has(name):
    """Return whether a body has a setting."""
    return {
        "system": lambda body: any(turn["role"] == "system" for turn in body["messages"]),
        "schema": lambda body: (body.get("response_format") or {}).get("type") == "json_schema",
        "zero": lambda body: body.get("temperature") == 0,
        "json_schema": lambda body: "json_schema" in form(body),
        "response_format": lambda body: form(body) != "",
        "all but a grammar": lambda body: form(body) not in ("json_object value", ""),
        "json_schema, and json_object without the word JSON": lambda body: (
            "json_schema" in form(body)
            or ("json_object" in form(body) and "JSON" not in body["messages"][-1]["content"])
        ),
    }.get(name, lambda body: name in body)


@each_row
def test_a_refused_setting_is_left_out(setting, status, message, without):
    refuses = has(setting)
    found, llm, bodies = answered(
        lambda body: refused(status, message) if refuses(body) else None, extra={"top_k": 20}
    )
    assert found.text == '{"a": 1}'
    assert not refuses(bodies[-1])
    assert llm.settings.get("without") == without


def test_what_is_learned_is_asked_no_more_and_by_all_calls_at_once():
    def play(*_):
        body = server.bodies[-1]
        reply = refused(400, "no") if "seed" in body else said("done")
        reply.seconds = 0.05
        return reply

    requests = [Request(str(number), 9, 0.5, seed=1) for number in range(20)]
    with EndpointServer(play) as server:
        llm = OpenAILLM(server.url, "m", limits=Limits(concurrency=4))
        assert {answer.text for _, answer in llm.answers(requests)} == {"done"}
    # Four calls go at once and are refused. One of them tries length, temperature and seed, the
    # others wait and repeat theirs. The other 16 go right: 4 + 3 + 3 + 16.
    assert server.calls.total() == 26


def test_what_one_stage_has_learned_holds_for_all_of_the_command():
    def play(*_):
        return refused(400, "seed: no") if "seed" in server.bodies[-1] else said("done")

    with Account().kept(), EndpointServer(play) as server:
        for prompt in ("a", "b"):
            llm = OpenAILLM(server.url, "m", limits=Limits(concurrency=1))
            assert dict(llm.answers([Request(prompt, 9, 0.5, seed=1)]))[0].text == "done"
    assert server.calls == {"a": 2, "b": 1}


def test_a_prompt_that_is_refused_for_itself_is_tried_no_further_once_others_were_answered():
    def play(prompt, _):
        return refused(400, "moderated") if prompt == "bad" else said("done")

    with EndpointServer(play) as server:
        llm = OpenAILLM(server.url, "m", limits=Limits(concurrency=1))
        first, second = llm.complete(["good", "bad"], max_tokens=9)
    assert (first, str(second.failure)) == ("done", "bad request 400: moderated")
    assert server.calls == {"good": 1, "bad": 1}
    assert llm.settings["refused"] == {"bad request 400": "moderated"}


def test_an_answer_is_cut_at_a_stop_text_that_the_server_does_not_take():
    def play(*_):
        return refused(400, "stop: no") if "stop" in server.bodies[-1] else said("so END and on")

    with EndpointServer(play) as server:
        llm = OpenAILLM(server.url, "m", limits=Limits(concurrency=1))
        assert dict(llm.answers([Request("a", 9, stop=("END",))]))[0].text == "so "


def test_a_server_without_log_probabilities_is_quoted():
    message = "logprobs is not available for this model"
    with pytest.raises(InputError, match=f"does not return log-probabilities.*{message}"):
        answered(
            lambda body: refused(400, message) if "logprobs" in body else None,
            Request("a", 9, top=5),
        )


REFUSALS = yaml.safe_load((Path(__file__).parent / "refusals.yaml").read_text())


@pytest.mark.parametrize("row", REFUSALS, ids=[row["server"] for row in REFUSALS])
def test_what_real_servers_refuse_is_learned_once(row, monkeypatch):
    monkeypatch.setattr(connection, "FIRST_WAIT", 0.01)
    refuses, name = has(row["refuses"]), row["without"]

    def play(*_):
        return Reply(row["status"], row["body"]) if refuses(server.bodies[-1]) else said('{"a": 1}')

    with EndpointServer(play) as server:
        llm = OpenAILLM(server.url, "m", limits=Limits(concurrency=1, retries=3))
        found = [dict(llm.answers([EVERYTHING]))[0] for _ in range(3)]
    assert [each.text for each in found] == ['{"a": 1}'] * 3
    assert name in llm.quirks
    is_form = name in ("json_schema", "schema in json_object", "response_format")
    others = llm.quirks - {"json_schema", "schema in json_object", "schema", "response_format"}
    assert others == (set() if is_form else {name})
    assert [refuses(each) for each in server.bodies[-3:]] == [False] * 3  # no call pays twice


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply(400, {"object": "error", "message": "Only\x1b[31m on\nSundays", "code": 400}),
         "bad request 400"),
        (Reply(422, {"error": "Only on Sundays", "error_type": "validation"}), "bad request 422"),
        (Reply(500, {"error": {"message": "Only on Sundays"}}), "server error 500"),
        (Reply(501, {"detail": "Only on Sundays"}), "bad request 501"),
        (Reply(200, {"error": {"message": "Only on Sundays", "code": 400}}), "bad request 400"),
        (Reply(200, {"error": "Only on Sundays"}), "an error in the answer"),
        (said("", refusal="Only on Sundays"), "refused by the model"),
        (said("Only on Sundays"), "an answer without JSON"),
    ],
)  # fmt: skip
def test_what_the_server_said_is_shown_without_the_key(reply, kind, monkeypatch, tmp_path):
    """In the failure, the report (the settings of a model) and `run.json`."""
    key = "sk-entirely-secret-0123456789"
    monkeypatch.setenv("M_KEY", key)
    reply = Reply(reply.status, json.loads(json.dumps(reply.body).replace("Only", f"{key} Only")))
    with Account().kept() as account, EndpointServer(lambda *_: reply) as server:
        llm = OpenAILLM(server.url, "m", "M_KEY", limits=Limits(concurrency=1, retries=0))
        found = dict(llm.answers([Request("a", 9, schema=SCHEMA)]))[0]
        record = json.loads(RunRecord("r").write(tmp_path).read_text())
    words = "[key] Only on Sundays"
    assert llm.settings["refused"] == {kind: words}
    assert record["servers said"] == {"m": {kind: words}}
    if kind != "an answer without JSON":
        assert str(found.failure) == f"{kind}: {words}"
    if kind not in ("an answer without JSON", "refused by the model"):
        assert f"It said: {words}." in account.lines[0].silence


def test_content_in_parts_is_read_as_its_texts():
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "[2] > "},
        {"type": "text", "text": "[1]"},
    ]
    with EndpointServer(lambda *_: said(parts)) as server:
        found = dict(OpenAILLM(server.url, "m").answers([Request("a", 9)]))[0]
    assert (found.text, found.reasoning) == ("[2] > [1]", "hm")
    assert server.calls == {"a": 1}
