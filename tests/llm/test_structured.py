import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.llm.connection import Limits
from leadline.llm.requests import Failure, Request
from leadline.llm.structured import read_json, structured
from llm_server import EndpointServer, refused, said
from scripted import ScriptedLLM
from tables import each_row

SCHEMA = {"type": "object", "required": ["year"]}


def year_of(value):
    if not isinstance(value, dict) or not isinstance(value.get("year"), int):
        raise ValueError("year: an integer is needed")
    return value["year"]


def asked(llm, prompt="when?"):
    return structured(llm, [Request(prompt, 99, schema=SCHEMA)], [year_of])[0]


@each_row
def test_json_is_found_in_what_models_write_around_it(text):
    assert read_json(text) == {"a": [1, 2]}


@each_row
def test_slips_of_small_models_are_repaired_and_texts_left_as_they_are(text, value):
    assert read_json(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "", "no", '{"a": ', '{"a": NaN}', "[" * 100_000, '{"a": "x', '{"a": 12', '{"a": "x",',
        '{"a": "x", "b"', "{'a': 'x", '{"a": oops}', '{"a": tru', '{"a": "x"]', "{a: 1}",
        '{"a": "x" and so on',
    ],
)  # fmt: skip
def test_what_is_no_json_or_may_lack_something_is_refused(text):
    with pytest.raises(ValueError, match="JSON"):
        read_json(text)


def test_the_end_of_an_answer_that_was_cut_off_is_not_made_up():
    for text in ('{"a": ["x", "y"', '{"a": ["x", "y"], "b": "ha', 'So: [{"a": 1}, {"a'):
        with pytest.raises(ValueError, match="JSON"):
            read_json(text, is_cut=True)
    assert read_json('{"a": 1} and so o', is_cut=True) == {"a": 1}


@given(st.text())
def test_whatever_a_model_writes_is_read_or_refused(text):
    try:
        read_json(text)
    except ValueError as error:
        assert str(error)


@pytest.mark.parametrize(
    ("answers", "value", "problem"),
    [
        (['{"year": 1969}'], 1969, ""),
        (["no", "never"], None, "it holds no JSON"),
        ([Failure("timeout")], None, None),
    ],
)
def test_only_an_answer_that_does_not_fit_is_asked_again_and_once(answers, value, problem):
    llm = ScriptedLLM(answers)
    result = asked(llm)
    assert (result.value, result.asked_again) == (value, len(answers) == 2)
    assert problem is None or result.problem == problem
    assert len(llm.asked) == len(answers)


def test_an_answer_that_does_not_fit_is_asked_again_with_the_problem_shown():
    llm = ScriptedLLM(['{"year": "late"}', '{"year": 1969}'])
    result = asked(llm)
    assert (result.value, result.asked_again) == (1969, True)
    assert llm.asked[1] == (
        'when?\n\n{"year": "late"}\n\n'
        "That answer cannot be used: year: an integer is needed\n"
        "Answer again. Write JSON that follows the schema below and nothing else, no explanation "
        'and no code fence.\n{"required": ["year"], "type": "object"}'
    )


def test_a_server_that_knows_no_schema_is_asked_without():
    def play(*_):
        if "response_format" in server.bodies[-1]:
            return refused(400, "response_format is not supported")
        return said('Here: {"year": 1969}')

    with EndpointServer(play) as server:
        from leadline.llm.openai import OpenAILLM

        llm = OpenAILLM(server.url, "tiny")
        assert [asked(llm).value, asked(llm, "and then?").value] == [1969, 1969]
    sent = [body["messages"][-1]["content"] for body in server.bodies]
    assert len([each for each in sent if each.startswith("when?")]) == 5
    forms = [body.get("response_format") for body in server.bodies]
    assert [form and form["type"] for form in forms] == [
        "json_schema", "json_object", "json_object", "json_object", None, None,
    ]  # fmt: skip
    assert [form and sorted(form)[0] for form in forms[1:4]] == ["schema", "type", "type"]
    assert forms[2]["value"] == SCHEMA
    # What the server is not told, the prompt says.
    assert [json.dumps(SCHEMA, sort_keys=True) in each for each in sent] == [False] + [True] * 5


@pytest.mark.parametrize("useless", ["I am sorry.", '```json\n{"year": "late"}\n```', " "])
def test_a_server_that_does_not_follow_a_schema_is_asked_in_another_way(useless, monkeypatch):
    """It takes response_format and follows json_object alone, or nothing but the prompt."""
    lines = []
    monkeypatch.setattr("leadline.llm.openai.say", lines.append)
    for followed in ("json_object", None):
        lines.clear()

        def play(*_, followed=followed):
            form = server.bodies[-1].get("response_format") or {"type": None}
            return said('{"year": 1969}' if form["type"] == followed else useless)

        with EndpointServer(play) as server:
            from leadline.llm.openai import OpenAILLM

            llm = OpenAILLM(server.url, "tiny", limits=Limits(concurrency=1))
            found = [asked(llm, f"{number}?").value for number in range(6)]
        assert found[-2:] == [1969, 1969]
        forms = [body.get("response_format", {}).get("type") for body in server.bodies]
        steps = [3, 3 if followed is None else len(forms) - 3]
        assert forms[:3] == ["json_schema"] * 3
        assert forms[3:][: steps[1]] == ["json_object"] * steps[1]
        assert followed or set(forms[6:]) == {None}
        assert len(lines) == (1 if followed else 2)
        assert all("3 answers in a row were not JSON" in line for line in lines)
        shown = {"I am sorry.": "I am sorry.", " ": "(an empty text)"}.get(useless)
        assert llm.settings.get("refused") == (shown and {"an answer without JSON": shown})
