"""What a server refuses: learned by what it says, or by trying without it."""

import json

import pytest

from leadline.errors import InputError
from leadline.llm import connection
from leadline.llm.account import Account
from leadline.llm.connection import Limits
from leadline.llm.requests import Message, Request
from leadline.llm.run_record import RunRecord
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
        ("system", 400, "System role not supported", ["system message"]),
        ("system", 500, "Jinja Exception: Only user and assistant roles are supported!",
         ["system message"]),
        ("schema", 400, "'response_format.type' must be 'json_object' or 'text'", ["json_schema"]),
        ("schema", 400, "Structured outputs are not enabled for this model", ["json_schema"]),
        ("schema", 501, "json_schema: not here", ["json_schema"]),
        ("response_format", 422, "Extra inputs: response_format", [
            "json_schema", "response_format", "schema", "schema in json_object"]),
        ("seed", 400, "seed: nope", ["seed"]),
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
    with pytest.raises(InputError, match=f"gives no log-probabilities.*{message}"):
        answered(
            lambda body: refused(400, message) if "logprobs" in body else None,
            Request("a", 9, top=5),
        )


def form(body):
    """Return how a body asks for JSON: the type, and where the schema stands."""
    asked = body.get("response_format") or {}
    return " ".join(name for name in (asked.get("type"), *sorted(set(asked) - {"type"})) if name)


LM_STUDIO = "'response_format.type' must be 'json_schema' or 'text'"
JINJA = (
    "\n------------\nWhile executing CallExpression at line 19, column 27 in source:\n"
    '...% 2 == 0) -%}↵        {{ raise_exception("Conversation roles must alternate user...\n'
    "                                           ^\nError: Jinja Exception: Conversation roles must "
    "alternate user/assistant/user/assistant/..."
)


@pytest.mark.parametrize(
    ("name", "refuses", "status", "body"),
    [
        # llama-cpp-python's server: takes json_object, and the schema in it
        ("json_schema", lambda b: "json_schema" in form(b), 500, {"error": {
            "message": "[{'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), "
            "'msg': \"Input should be 'text' or 'json_object'\", 'input': 'json_schema'}]",
            "type": "internal_server_error", "param": None, "code": None}}),
        # llama.cpp: a chat template that knows no system message
        ("system message", has("system"), 500, {"error": {
            "code": 500, "message": JINJA, "type": "server_error"}}),
        # vLLM
        ("json_schema", lambda b: "json_schema" in form(b), 400, {
            "object": "error", "type": "BadRequestError", "param": None, "code": 400,
            "message": "The provided JSON schema contains features not supported by xgrammar."}),
        ("system message", has("system"), 400, {
            "object": "error", "type": "BadRequestError", "param": None, "code": 400,
            "message": "Conversation roles must alternate user/assistant/user/assistant/..."}),
        # text-generation-inference: takes a grammar alone, under another name
        ("schema in json_object", lambda b: form(b) not in ("json_object value", ""), 422,
         "Failed to deserialize the JSON body into the target type: response_format: missing field "
         "`value` at line 1 column 168"),
        ("temperature", has("zero"), 422, {
            "error": "Input validation error: `temperature` must be strictly positive",
            "error_type": "validation"}),
        # SGLang, without a backend for grammars
        ("response_format", lambda b: form(b) != "", 400, {
            "object": "error", "code": 400, "type": "BadRequestError", "param": None, "message":
            "Constrained decoding is disabled: --grammar-backend is none"}),
        # LM Studio takes json_schema or nothing: a model of it that takes no schema
        ("response_format", lambda b: form(b) != "", 400, {"error": LM_STUDIO}),
        # Ollama
        ("response_format", lambda b: form(b) != "", 500, {"error": {
            "message": "failed to load model vocabulary required for format",
            "type": "api_error", "param": None, "code": None}}),
        # Groq
        ("json_schema", lambda b: "json_schema" in form(b), 400, {"error": {
            "message": "This model does not support response format `json_schema`. See supported "
            "models at https://console.groq.com/docs/structured-outputs#supported-models",
            "type": "invalid_request_error"}}),
        ("json_schema", lambda b: "json_schema" in form(b), 400, {"error": {
            "message": "invalid schema for response format: response_format/json_schema/next_step: "
            "minItems is not supported", "type": "invalid_request_error"}}),
        # Mistral
        ("seed", has("seed"), 422, {
            "object": "error", "type": "invalid_request_error", "param": None, "code": None,
            "message": {"detail": [{"type": "extra_forbidden", "loc": ["body", "seed"],
                                    "msg": "Extra inputs are not permitted", "input": 1}]}}),
        # DeepSeek: no schema, and the word JSON has to stand in the prompt
        ("json_schema", lambda b: "json_schema" in form(b) or (
            "json_object" in form(b) and "JSON" not in b["messages"][-1]["content"]), 400, {
            "error": {"message": "This response_format type is unavailable now",
                      "type": "invalid_request_error", "param": None, "code": None}}),
        # Volcano Ark
        ("json_schema", lambda b: "json_schema" in form(b), 400, {"error": {
            "code": "InvalidParameter", "type": "BadRequest", "param": "response_format.type",
            "message": "The parameter `response_format.type` specified in the request are not "
            "valid: invalid value: `json_schema`, supported values are: `json_object` and `text`."
        }}),
        # Gemini's endpoint answers in a list
        ("seed", has("seed"), 400, [{"error": {
            "code": 400, "status": "INVALID_ARGUMENT",
            "message": 'Invalid JSON payload received. Unknown name "seed": Cannot find field.'}}]),
        ("system message", has("system"), 400, [{"error": {
            "code": 400, "status": "INVALID_ARGUMENT",
            "message": "Developer instruction is not enabled for models/gemma-3-27b-it"}}]),
        # Azure, and OpenAI's models that reason
        ("temperature", has("temperature"), 400, {"error": {
            "message": "Unsupported value: 'temperature' does not support 0.0 with this model. "
            "Only the default (1) value is supported.", "type": "invalid_request_error",
            "param": "temperature", "code": "unsupported_value"}}),
        ("max_completion_tokens", has("max_tokens"), 400, {"error": {
            "message": "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
            "'max_completion_tokens' instead.", "code": "unsupported_parameter"}}),
        ("stop", has("stop"), 400, {"error": {
            "message": "Unsupported parameter: 'stop' is not supported with this model.",
            "param": "stop", "code": "unsupported_parameter"}}),
        # Anthropic's endpoint
        ("temperature", has("temperature"), 400, {"error": {
            "code": None, "type": "invalid_request_error", "param": None,
            "message": "`temperature` is deprecated for this model."}}),
        # OpenRouter: the model is there, but nowhere with these settings
        ("response_format", lambda b: form(b) != "", 404, {"error": {
            "message": "No endpoints found that can handle the requested parameters. To learn more "
            "about provider routing, visit: https://openrouter.ai/docs/provider-routing",
            "code": 404}}),
        ("response_format", lambda b: form(b) != "", 200, {"error": {
            "message": "Provider returned error: response_format is not supported", "code": 400}}),
        # A server that breaks at a schema each time, and says nothing
        ("json_schema", lambda b: "json_schema" in form(b), 500, "Internal Server Error"),
        ("json_schema", lambda b: "json_schema" in form(b), 501, {"detail": "Not Implemented"}),
    ],
)  # fmt: skip
def test_what_real_servers_refuse_is_learned_once(name, refuses, status, body, monkeypatch):
    """Words of vLLM, llama.cpp, TGI, LM Studio, Ollama and hosts, as their users reported them."""
    monkeypatch.setattr(connection, "FIRST_WAIT", 0.01)

    def play(*_):
        return Reply(status, body) if refuses(server.bodies[-1]) else said('{"a": 1}')

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
