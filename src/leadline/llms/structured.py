"""Answers as JSON: parsed, repaired where that is safe, asked for once more where it is not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from leadline.llms.requests import Answer, Message, Request, answers_of
from leadline.prompt import Prompt
from leadline.types import LLM

_LONGEST_PROBLEM = 500
_LONGEST_ANSWER = 8000
_TRIES = 50
"""Brackets at which a value may begin: a text of nothing but brackets must not take long."""
_FENCE = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL | re.IGNORECASE)
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(\s*[}\]])', re.DOTALL)
_OPENING = re.compile(r"[{\[]")


@dataclass(frozen=True, slots=True)
class Structured:
    """What became of one request for JSON.

    value        what `check` made of it; None when there is a failure
    failure      why there is no value; empty when there is one
    asked_again  whether the first answer could not be used
    answer       the last answer, for the record
    """

    value: Any
    failure: str
    asked_again: bool
    answer: Answer


def structured(
    llm: LLM, requests: Sequence[Request], check: Callable[[Any], Any] = lambda value: value
) -> list[Structured]:
    """Return one value for each request, in order.

    An answer that is no JSON or does not pass is shown to the model with what is wrong, once. A
    `schema` in a request goes to servers that can enforce it, and into that second question.

    check  turns the parsed JSON into the value, or raises ValueError (as pydantic does)
    """
    first = [_read(answer, check) for answer in answers_of(llm, requests)]
    again = [place for place, each in enumerate(first) if each.failure and not each.answer.failure]
    repeated = [_again(requests[place], first[place]) for place in again]
    results = dict(enumerate(first))
    for place, answer in zip(again, answers_of(llm, repeated), strict=True):
        results[place] = replace(_read(answer, check), asked_again=True)
    return [results[place] for place in range(len(requests))]


def read_json(text: str) -> Any:
    """Return the JSON value in what a model wrote.

    A code fence, words around an object or array, and commas before a closing bracket are
    forgiven; nothing is evaluated.

    Raises ValueError when there is none, or it holds NaN or Infinity, which are no JSON.
    """
    text = text.rpartition("</think>")[2].strip()
    fenced = _FENCE.search(text)
    for candidate in (text, *([fenced[1].strip()] if fenced else [])):
        for form in (candidate, _TRAILING_COMMA.sub(r"\1\2", candidate)):
            try:
                return _DECODER.decode(form)
            except (ValueError, RecursionError):
                continue
    return _first_value(_TRAILING_COMMA.sub(r"\1\2", text))


def _first_value(text: str) -> Any:
    """Return the first object or array that stands whole in a text."""
    problem = "it holds no JSON"
    for opening in islice(_OPENING.finditer(text), _TRIES):
        try:
            return _DECODER.raw_decode(text, opening.start())[0]
        except json.JSONDecodeError as error:
            problem = f"it is not JSON: {error.msg} at line {error.lineno}"
        except (ValueError, RecursionError) as error:
            problem = f"it is not JSON: {error}"
    raise ValueError(problem)


def _read(answer: Answer, check: Callable[[Any], Any]) -> Structured:
    if answer.failure:
        return Structured(None, answer.failure, False, answer)
    try:
        return Structured(check(read_json(answer.text)), "", False, answer)
    except ValueError as error:
        cut_off = "it was cut off at its greatest length; " if answer.finish == "length" else ""
        problem = cut_off + " ".join(str(error).split())[:_LONGEST_PROBLEM]
        return Structured(None, problem or "it cannot be used", False, answer)


def _again(request: Request, result: Structured) -> Request:
    schema: Mapping[str, Any] = request.schema or {}
    question = Prompt.load("leadline.llms", "answer_again_as_json").fill(
        problem=result.failure, schema=json.dumps(schema, sort_keys=True) if schema else ""
    )
    said = Message("assistant", result.answer.text[:_LONGEST_ANSWER])
    return replace(request, prompt=(*request.messages, said, Message("user", question.rstrip())))


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)
