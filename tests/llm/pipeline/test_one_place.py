"""What stands in one place: the engine, the reading of JSON, asking again, kinds of failure."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

import leadline
from leadline.llm.pipeline.running import Outcome, Pipeline, run
from leadline.llm.pipeline.steps import Asks, Question
from leadline.llm.prompt import Prompt
from leadline.llm.run_record import RunRecord
from llm_server import EndpointServer, Reply, refused, said

HERE = Path(leadline.__file__).parent
SYNTHESIS = HERE / "synthesis"
ASKING = {"answers_of", "completed", "structured", "complete", "submit"}


def names_in(path: Path) -> Iterator[str]:
    """Yield every name and attribute that a module uses or imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias):
            yield node.name


def modules_with(names: set[str], folder: Path = HERE) -> set[str]:
    found = (path for path in folder.rglob("*.py") if names & set(names_in(path)))
    return {str(path.relative_to(HERE)) for path in found}


def test_every_builder_asks_models_by_the_engine_alone() -> None:
    asking = modules_with(ASKING - {"complete"}, SYNTHESIS)
    assert {each for each in asking if not each.startswith("llm/pipeline/")} == set()
    kinds = [
        "conditions",
        "implicit_facts",
        "instructions",
        "questions",
        "reasoning",
        "rephrasings",
    ]
    for kind in kinds:
        assert modules_with({"Pipeline"}, SYNTHESIS / kind) | modules_with(
            {"Pipeline"}, HERE / "kinds" / kind
        ), kind


def test_what_models_write_is_parsed_in_one_place() -> None:
    assert modules_with({"raw_decode"}) == {"llm/structured.py"}
    defined = [
        path.name
        for path in HERE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef) and node.name in ("asked_again", "whole_entries")
    ]
    assert defined == ["structured.py"] * 2


def test_kinds_of_failure_are_named_in_one_place() -> None:
    naming = {
        str(path.relative_to(HERE))
        for path in HERE.rglob("*.py")
        if "leadline.llm" in (text := path.read_text())
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Failure"
        if node.args and isinstance(node.args[0], ast.Constant | ast.JoinedStr)
    }
    assert naming == {"llm/troubles.py"}


class Inner(BaseModel):
    a: int = 0


class Outer(BaseModel):
    inner: list[Inner]


def closed_everywhere(schema: object) -> bool:
    """Tell what a strict server wants: every object closed, and all its fields required."""
    if isinstance(schema, list):
        return all(map(closed_everywhere, schema))
    if not isinstance(schema, dict):
        return True
    is_object = schema.get("type") == "object"
    fits = schema.get("additionalProperties") is False and (
        set(schema.get("required", ())) == set(schema.get("properties", {}))
    )
    return (fits or not is_object) and all(map(closed_everywhere, schema.values()))


def made(play) -> tuple[list[Outcome], list[dict]]:
    """Return what a step makes at a server, and the bodies that it got."""
    pytest.importorskip("openai")
    from leadline.llm.openai import OpenAILLM

    step = Asks("ask", Prompt("p", "say $n"), Outer, Outer(inner=[Inner()]), 50)

    async def one(record, n):
        return await record.ask(step, Question({"n": n}))

    with EndpointServer(lambda *_: play(server.bodies[-1])) as server:
        models = {"writer": OpenAILLM(server.url, "toy")}
        found = run(
            Pipeline("", (step,), one), zip("ab", "ab", strict=True), models, RunRecord("r")
        )
        return list(found), server.bodies


ANSWER = json.dumps({"inner": [{"a": 1}], "more": "that nobody asked for"})


def test_a_strict_server_takes_the_schema_of_a_step() -> None:
    def strict(body: dict) -> Reply:
        told = body["response_format"]["json_schema"]
        fits = told["strict"] and closed_everywhere(told["schema"])
        return said(ANSWER) if fits else refused(400, "additionalProperties must be false")

    outcomes, bodies = made(strict)
    assert [each.value.inner[0].a for each in outcomes] == [1, 1]
    assert len(bodies) == 2


def test_a_server_that_knows_no_schema_is_asked_without() -> None:
    def plain(body: dict) -> Reply:
        return refused(400, "unknown field response_format") if "response_format" in body else (
            said(ANSWER)
        )  # fmt: skip

    outcomes, bodies = made(plain)
    assert [each.value.inner[0].a for each in outcomes] == [1, 1]
    assert "response_format" not in bodies[-1]
