"""What a server refuses: learned by what it says, or by trying without it."""

import pytest

from leadline.errors import InputError
from leadline.llm.account import Account
from leadline.llm.connection import Limits
from leadline.llm.requests import Message, Request
from llm_server import EndpointServer, Reply, refused, said

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


def has(name):
    """Return whether a body has a setting."""
    return {
        "system": lambda body: any(turn["role"] == "system" for turn in body["messages"]),
        "schema": lambda body: (body.get("response_format") or {}).get("type") == "json_schema",
        "zero": lambda body: body.get("temperature") == 0,
    }.get(name, lambda body: name in body)


@pytest.mark.parametrize(
    ("setting", "status", "message", "without"),
    [
        ("zero", 422, "Input validation error: `temperature` must be strictly positive",
         ["temperature"]),
        ("temperature", 400, "Unsupported value: 'temperature' does not support 0.0",
         ["temperature"]),
        ("system", 400, "System role not supported", ["system message"]),
        ("system", 500, "Jinja Exception: Only user and assistant roles are supported!",
         ["system message"]),
        ("schema", 400, "This response_format type is unavailable now", ["json_schema"]),
        ("schema", 400, "'response_format.type' must be 'json_object' or 'text'", ["json_schema"]),
        ("schema", 400, "Structured outputs are not enabled for this model", ["json_schema"]),
        ("schema", 500, "[{'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be "
         "'text' or 'json_object'\"}]", ["json_schema"]),
        ("schema", 501, "json_schema: not here", ["json_schema"]),
        ("response_format", 422, "Extra inputs: response_format", [
            "json_schema", "response_format", "schema"]),
        ("seed", 400, "seed: nope", ["seed"]),
        ("stop", 422, "body.stop: value_error.extra", ["stop"]),
        ("max_tokens", 400, "Use 'max_completion_tokens' instead.", None),
        ("top_k", 400, "Unrecognized request argument supplied: top_k", ["top_k"]),
        # A refusal that names nothing: one setting after the other is left out.
        ("zero", 400, "Bad Request", ["temperature"]),
        ("system", 422, "", ["system message"]),
        ("schema", 501, "Not implemented", ["json_schema"]),
        ("schema", 500, "This cannot be served here", ["json_schema"]),
        ("max_tokens", 400, "No.", None),
        ("top_k", 400, "Non, merci.", ["top_k"]),
    ],
)  # fmt: skip
def test_a_refused_setting_is_left_out(setting, status, message, without):
    refuses = has(setting)
    found, llm, bodies = answered(
        lambda body: refused(status, message) if refuses(body) else None, extra={"top_k": 20}
    )
    assert found.text == '{"a": 1}'
    assert not refuses(bodies[-1])
    assert llm.settings.get("without") == without


def test_two_settings_of_which_none_is_named_are_left_out_together():
    found, llm, bodies = answered(
        lambda body: refused(400, "no") if has("zero")(body) or has("system")(body) else None
    )
    assert found.failure is None
    assert {"temperature", "system message"} <= llm.quirks
    # The call itself, eight steps (length, temperature, three of the schema, seed, stop, system),
    # and all at once.
    assert len(bodies) == 10


def test_the_words_of_the_system_go_before_those_of_the_user():
    _, _, bodies = answered(lambda body: refused(400, "no system") if has("system")(body) else None)
    assert bodies[-1]["messages"] == [{"role": "user", "content": "Be brief.\n\nHi."}]


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


def test_a_prompt_that_is_refused_for_itself_is_tried_no_further_once_others_were_answered():
    def play(prompt, _):
        return refused(400, "moderated") if prompt == "bad" else said("done")

    with EndpointServer(play) as server:
        llm = OpenAILLM(server.url, "m", limits=Limits(concurrency=1))
        first, second = llm.complete(["good", "bad"], max_tokens=9)
    assert (first, str(second.failure)) == ("done", "bad request 400: moderated")
    assert server.calls == {"good": 1, "bad": 1}
    assert llm.settings["refused"] == {"bad request 400": "moderated"}


def test_a_setting_that_was_taken_is_left_out_for_one_call_only():
    def play(prompt, _):
        if prompt == "odd" and "temperature" in server.bodies[-1]:
            return refused(400, "temperature: out of order")
        return said("done")

    with EndpointServer(play) as server:
        llm = OpenAILLM(server.url, "m", limits=Limits(concurrency=1))
        assert llm.complete(["a", "odd", "b"], max_tokens=9) == ["done"] * 3
    assert ["temperature" in body for body in server.bodies] == [True, True, False, True]


def test_an_answer_is_cut_at_a_stop_text_that_the_server_does_not_take():
    def play(*_):
        return refused(400, "stop: no") if "stop" in server.bodies[-1] else said("so END and on")

    with EndpointServer(play) as server:
        llm = OpenAILLM(server.url, "m", limits=Limits(concurrency=1))
        assert dict(llm.answers([Request("a", 9, stop=("END",))]))[0].text == "so "


def test_a_server_without_log_probabilities_is_quoted():
    message = "logprobs is not available for this model"
    with pytest.raises(InputError, match=f"gives no log-probabilities.*{message}"):
        answered(
            lambda body: refused(400, message) if "logprobs" in body else None,
            Request("a", 9, top=5),
        )


@pytest.mark.parametrize(
    "reply",
    [
        Reply(400, {"object": "error", "message": "Only\x1b[31m on\nSundays", "code": 400}),
        Reply(422, {"error": "Only on Sundays", "error_type": "validation"}),
        Reply(200, {"error": {"message": "Only on Sundays", "code": 400}}),
        Reply(200, {"error": "Only on Sundays"}),
    ],
)
def test_the_error_line_has_what_the_server_said(reply):
    account = Account()
    with account.kept(), EndpointServer(lambda *_: reply) as server:
        llm = OpenAILLM(server.url, "m", limits=Limits(concurrency=1, retries=0))
        (completion,) = llm.complete(["a"], max_tokens=9)
    assert completion.failure.detail == "Only on Sundays"
    assert "It said: Only on Sundays." in account.lines[0].silence


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
