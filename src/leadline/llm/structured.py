"""Parse answers as JSON within limits, and repair small faults if that is safe."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from leadline.llm.cleaning import whole
from leadline.llm.prompt import Prompt
from leadline.llm.requests import Answer, Message, Request, answers_of
from leadline.text.thought import after_thought
from leadline.types import LLM

_LONGEST_PROBLEM = 500
_LONGEST_ANSWER = 8000
_TRIES = 50
"""Brackets at which a value may begin: a text of nothing but brackets must not take long."""
_REPAIRS = 5
"""Of these so many are repaired where they begin no JSON."""

MOST_CHARACTERS = 400_000
MOST_LEVELS = 40
MOST_DIGITS = 18
"""What an answer may have at most; nothing that we ask for comes near."""

_OPENING = re.compile(r"[{\[]")
_BEGUN = re.compile(r"[{\[]\s*+[\"'{\[]")
_PIECE = re.compile(
    r'"(?:[^"\\]|\\.)*+(?P<end>"?)'
    # Not possessive: Python 3.11.2 ends such a group too late.
    r"|'(?P<single>(?:[^'\\]|\\.|'(?!\s*(?:[,:}\]]|\Z)))*)(?P<single_end>'?)"
    r"|,(?=\s*+[}\]])|[{}\[\]]|\b(?:True|False|None)\b",
    re.DOTALL,
)
_LITERALS = {"True": "true", "False": "false", "None": "null", ",": ""}
_CLOSING = {"{": "}", "[": "]"}


class NoJsonError(ValueError):
    """A text that holds no JSON, or JSON out of all bounds."""


@dataclass(frozen=True, slots=True)
class Structured:
    """What became of one request for JSON.

    value        what its check made of it; None when there is a problem or the answer failed
    problem      why the answer cannot be used; empty when it can, or when there is none
    asked_again  whether the first answer could not be used
    answer       the last answer, for the record
    """

    value: Any
    problem: str
    asked_again: bool
    answer: Answer

    @property
    def is_there(self) -> bool:
        """Whether there is a value."""
        return not self.problem and self.answer.failure is None


def structured(
    llm: LLM, requests: Sequence[Request], checks: Sequence[Callable[[Any], Any]]
) -> list[Structured]:
    """Return one value for each request, in order.

    An answer that is no JSON or does not pass is shown to the model with what is wrong, once. A
    `schema` in a request goes to servers that can enforce it, and into that second question.

    checks  for each request: turns the parsed JSON into the value, or raises ValueError (as
            pydantic does)
    """
    answers = answers_of(llm, requests)
    first = [_read(answer, check) for answer, check in zip(answers, checks, strict=True)]
    again = [place for place, each in enumerate(first) if each.problem]
    repeated = [asked_again(requests[i], first[i].answer, first[i].problem) for i in again]
    results = dict(enumerate(first))
    for place, answer in zip(again, answers_of(llm, repeated), strict=True):
        results[place] = replace(_read(answer, checks[place]), asked_again=True)
    return [results[place] for place in range(len(requests))]


def asked_again(request: Request, answer: Answer, problem: str) -> Request:
    """Return the question that shows a model its answer with what is wrong with it."""
    schema: Mapping[str, Any] = request.schema or {}
    cut_off = "it was cut off at its greatest length; " if answer.finish == "length" else ""
    question = Prompt.load("leadline.llm", "answer_again_as_json").fill(
        problem=cut_off + problem[:_LONGEST_PROBLEM],
        schema=json.dumps(schema, sort_keys=True) if schema else "",
    )
    said = Message("assistant", answer.text[:_LONGEST_ANSWER])
    return replace(request, prompt=(*request.messages, said, Message("user", question.rstrip())))


def with_schema_in_words(request: Request) -> Request:
    """Return a request whose last turn holds its schema, for a server that enforces none."""
    if request.schema is None:
        return request
    *turns, last = request.messages
    schema = json.dumps(request.schema, sort_keys=True)
    if schema in last.content:
        return request
    told = Prompt.load("leadline.llm", "answer_as_json").fill(schema=schema)
    return replace(request, prompt=(*turns, replace(last, content=f"{last.content}\n\n{told}")))


def read_json(text: str, *, is_cut: bool = False) -> Any:
    """Return the JSON value in what a model wrote, in a time that grows with its length.

    The first object or array is taken, from a code fence or from among words. What `repaired`
    repairs is forgiven; nothing is evaluated.

    is_cut  whether the answer was cut off at its greatest length, so that its end is missing

    Raises NoJsonError when there is none, when it holds NaN or Infinity, which are no JSON, and
    when text, nesting or a number are out of bounds.
    """
    text = _bounded(text)
    try:
        return _checked(_DECODER.decode(text))
    except NoJsonError:
        raise
    except (ValueError, RecursionError):
        return next(_values(text, is_cut=is_cut, is_asked=True))


def end_of_object(text: str) -> int | None:
    """Return where the first object of JSON in a text ends; None where none does."""
    start = text.find("{")
    try:
        return None if start < 0 else json.JSONDecoder().raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return None


def repaired(text: str, *, is_cut: bool = False) -> str:
    """Repair the slips of a small model in JSON that a text begins with; empty where it cannot.

    Commas before a closing bracket go, single quotes become double, True, False and None become
    those of JSON, and brackets that are missing at the end are closed, unless something else may
    be missing there: the answer was cut off, or ends inside a text or behind a comma or a number.
    """
    pieces: list[str] = []
    missing: list[str] = []
    done = 0
    for match in _PIECE.finditer(text):
        pieces.append(text[done : match.start()])
        piece, done = match[0], match.end()
        if piece[0] in "\"'":
            if not (match["end"] or match["single_end"]):
                return ""
            if match["single"] is not None:
                inside = match["single"].replace("\\'", "'").replace('\\"', '"')
                piece = '"' + inside.replace('"', '\\"') + '"'
        elif piece in _CLOSING:
            missing.append(_CLOSING[piece])
            if len(missing) > MOST_LEVELS + 1:
                return ""
        elif piece in "}]" and (not missing or missing.pop() != piece):
            return ""
        pieces.append(_LITERALS.get(piece, piece))
        if not missing:
            return "".join(pieces)
    if is_cut or text[done:].strip("` \n\t\r"):
        return ""
    return "".join((*pieces, *reversed(missing)))


def list_in(text: str, key: str) -> list[Any] | None:
    """Return the first list that JSON anywhere in a text holds, alone or under a key.

    None when there is none.
    """
    for value in _values(text[:MOST_CHARACTERS]):
        found = value.get(key) if isinstance(value, dict) else value
        if isinstance(found, list):
            return found
    return None


def whole_entries(text: str) -> list[Any]:
    """Return the objects that stand whole in the first list of an answer that was cut off."""
    text = _bounded(text[:MOST_CHARACTERS])
    found: list[Any] = []
    place = text.find("[") + 1
    while 0 < place <= len(text):
        place = text.find("{", place)
        try:
            entry, place = _DECODER.raw_decode(text, place if place >= 0 else len(text))
            found.append(_checked(entry))
        except (ValueError, RecursionError):
            break
    return found


def _bounded(text: str) -> str:
    if len(text) > MOST_CHARACTERS:
        raise NoJsonError(f"it has {len(text):,} characters, at most {MOST_CHARACTERS:,} are read")
    return after_thought(text).strip()


def _values(text: str, *, is_cut: bool = False, is_asked: bool = False) -> Iterator[Any]:
    """Yield the objects and arrays that stand whole in a text, or can be repaired.

    is_asked  whether it is an error that there is none, or none within bounds
    """
    problem = "it holds no JSON"
    for number, opening in enumerate(islice(_OPENING.finditer(text), _TRIES)):
        try:
            yield _checked(_DECODER.raw_decode(text, opening.start())[0])
        except NoJsonError:
            if is_asked:
                raise
        except (ValueError, RecursionError) as error:
            form = repaired(text[opening.start() :], is_cut=is_cut) if number < _REPAIRS else ""
            try:
                yield _checked(_DECODER.decode(form))
            except NoJsonError:
                if is_asked:
                    raise
            except (ValueError, RecursionError):
                problem = f"it is not JSON: {error}"
                if is_cut and _BEGUN.match(text, opening.start()):
                    break  # what stands whole inside is a part of the answer
    if is_asked:
        raise NoJsonError(problem)


def _read(answer: Answer, check: Callable[[Any], Any]) -> Structured:
    if answer.failure:
        return Structured(None, "", False, answer)
    try:
        value = read_json(answer.text, is_cut=answer.finish == "length")
        return Structured(check(value), "", False, answer)
    except ValueError as error:
        problem = " ".join(str(error).split())[:_LONGEST_PROBLEM]
        return Structured(None, problem or "it cannot be used", False, answer)


def _checked(value: Any, level: int = 0) -> Any:
    """Return a value whose texts can be written. Raises NoJsonError where it nests too deep."""
    if level > MOST_LEVELS:
        raise NoJsonError(f"it nests more than {MOST_LEVELS} levels deep")
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, list):
        return [_checked(each, level + 1) for each in value]
    if isinstance(value, dict):
        return {whole(name): _checked(each, level + 1) for name, each in value.items()}
    return value


def _refuse(constant: str) -> Any:
    raise NoJsonError(f"{constant} is no JSON")


def _integer(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise NoJsonError(f"a number has {len(digits):,} digits, at most {MOST_DIGITS} are read")
    return int(digits)


def _number(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise NoJsonError("a number is too large")
    return value


_DECODER = json.JSONDecoder(
    strict=False, parse_constant=_refuse, parse_int=_integer, parse_float=_number
)
