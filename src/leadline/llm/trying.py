"""Ask a language model small questions, to find out what it and its server can do."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from leadline import __version__
from leadline.data.addresses import shown_address
from leadline.errors import InputError, ModelError
from leadline.llm import protocol
from leadline.llm.opening import Findings, ModelPlace, effort_by_size, open_uncached
from leadline.llm.requests import ROOM, Answer, Message, Request, answers_of
from leadline.llm.structured import read_json
from leadline.llm.troubles import GIVES_NO_LOG_PROBABILITIES

_ROOM_HERE = 200
"""Tokens of an answer of a model that does not think first."""
_SHOWN = 60
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_KEYS = ("sentence", "year")
_SCHEMA = {
    "type": "object",
    "properties": {key: {"type": "integer"} for key in _KEYS},
    "required": list(_KEYS),
    "additionalProperties": False,
}


@dataclass(frozen=True)
class Trial:
    """What was found.

    rows  what a table shows, by name
    """

    rows: Mapping[str, str]
    findings: Findings


@dataclass(frozen=True)
class _Question:
    name: str
    request: Request
    is_right: Callable[[str], bool]


def tried(place: ModelPlace) -> Trial:
    """Ask a model four small questions, and return what it and its server can do.

    place  where it runs, its name looked up

    Raises ModelError when nothing answers.
    """
    llm = open_uncached("leadline llm test", place)
    room = ROOM if getattr(llm, "thinks", True) else _ROOM_HERE
    answers: dict[str, tuple[Answer, float, bool]] = {}
    for question in _questions(room):
        began = time.perf_counter()
        try:
            answer = answers_of(llm, [question.request])[0]
        except (InputError, ModelError):
            if not (answers and question.request.top):
                raise
            answer = Answer("", failure=GIVES_NO_LOG_PROBABILITIES)
        seconds = time.perf_counter() - began
        answers[question.name] = answer, seconds, _is_right(question, answer)
    if all(answer.failure for answer, _, _ in answers.values()):
        failure = next(iter(answers.values()))[0].failure
        raise ModelError(f"{llm.name} answered no question: {failure}.")
    quirks = frozenset(getattr(llm, "quirks", ()))
    right = [name for name, (_, _, is_right) in answers.items() if is_right]
    effort = effort_by_size(llm) if len(right) == len(answers) else "low"
    rows = {
        "model": llm.name,
        "runs": shown_address(place.llm) if place.llm else "in this process",
        "context": f"{llm.context:,} tokens" if hasattr(llm, "context") else "not known",
        "JSON": _of_json(llm, quirks, answers["sentences"]),
        "log-probabilities": "yes" if answers["negation"][0].log_probabilities else "no",
        "system message": "no: it goes before the question"
        if protocol.NO_SYSTEM in quirks
        else "yes",
        "seed": "no" if protocol.NO_SEED in quirks else "yes",
        "first answer": f"{next(iter(answers.values()))[1]:.1f} s, loading included",
        "speed": _speed(answers),
        "answers right": f"{len(right)} of {len(answers)}",
        **{f"  {name}": _shown(*each) for name, each in answers.items()},
        "effort": effort,
        **_refusals(llm),
        "Leadline": __version__,
    }
    return Trial(rows, Findings(effort, tuple(sorted(quirks))))


def _questions(room: int) -> tuple[_Question, ...]:
    """Return the questions; the first one is not timed, since a model may be loaded for it."""
    system = Message("system", "Answer every question with one word in capital letters.")
    text = (
        "[1] The mill stands at the river. [2] It was built in 1908. [3] Today it is a museum.\n"
        "Which sentence says when the mill was built, and in which year was it built? Answer with "
        'JSON only: {"sentence": NUMBER, "year": NUMBER}'
    )
    negated = (
        "Text: The bridge was not repaired in 1950.\nStatement: The bridge was repaired in 1950.\n"
        "By the text, is the statement true or false? Answer with one word."
    )
    return (
        _Question(
            "one word",
            Request((system, Message("user", "Which animal barks?")), room, seed=0),
            lambda said: said.isupper() and "DOG" in said,
        ),
        _Question(
            "days",
            Request("Name the days of the week in order, Monday first.", room, seed=0),
            lambda said: re.findall("|".join(_DAYS), said.lower())[-7:] == list(_DAYS),
        ),
        _Question("sentences", Request(text, room, seed=0, schema=_SCHEMA), _is_right_json),
        _Question(
            "negation",
            Request(negated, room, top=5),
            lambda said: re.findall(r"\b(?:true|false)\b", said.lower())[:1] == ["false"],
        ),
    )


def _is_right(question: _Question, answer: Answer) -> bool:
    return answer.failure is None and question.is_right(answer.text.strip())


def _is_right_json(said: str) -> bool:
    try:
        return bool(read_json(said) == {"sentence": 2, "year": 1908})
    except ValueError:
        return False


def _of_json(llm: Any, quirks: frozenset[str], tried: tuple[Answer, float, bool]) -> str:
    """Return how JSON is asked for, and whether an answer was JSON to its last letter."""
    if not hasattr(llm, "quirks") or protocol.NO_SCHEMA in quirks:
        how = "by the prompt only"
    elif quirks & {protocol.AS_GRAMMAR, protocol.OBJECT}:
        how = "json_object, the schema in the prompt"
    else:
        in_object = protocol.SCHEMA_IN_OBJECT in quirks
        how = "json_object with a schema" if in_object else "by a JSON schema"
    try:
        fits = set(json.loads(tried[0].text)) == set(_KEYS)
    except (ValueError, TypeError):
        fits = False
    return how if fits else f"{how}, and the answer did not fit"


def _speed(answers: Mapping[str, tuple[Answer, float, bool]]) -> str:
    timed = [(each, seconds) for each, seconds, _ in answers.values() if not each.failure][1:]
    tokens = sum(max(0, each.completion_tokens) for each, _ in timed)
    seconds = sum(each for _, each in timed)
    each_took = ", ".join(f"{each:.1f}" for _, each in timed)
    return f"{tokens / max(seconds, 1e-9):.1f} tokens per second ({each_took} s an answer)"


def _shown(answer: Answer, seconds: float, is_right: bool) -> str:
    if answer.failure:
        was_asked = answer.failure is not GIVES_NO_LOG_PROBABILITIES
        return f"{'failed' if was_asked else 'not asked'}: {answer.failure}"
    said = " ".join(answer.text.split())
    said = said if len(said) <= _SHOWN else said[: _SHOWN - 1] + "…"
    return f"{'right' if is_right else 'wrong'}: {said}"


def _refusals(llm: Any) -> dict[str, str]:
    """Return what the server said of settings that it refused."""
    refused = getattr(llm, "settings", {}).get("refused", {})
    without = sorted(getattr(llm, "quirks", ()))
    rows = {"left out": ", ".join(without)} if without else {}
    return rows | {f"  it said ({kind})": str(said) for kind, said in refused.items()}
