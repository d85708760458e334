"""What a language model answers when asked for facts: claims, none of which is believed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from leadline.llm.structured import whole_entries
from leadline.types import FACT_ROLES, FactRole

KINDS = (
    "date", "date_range", "month", "year", "time", "datetime", "interval", "age", "number",
    "percent", "money", "quantity", "duration", "country", "city", "region",
)  # fmt: skip
_MOST_QUOTES, _MOST_STEPS, _MOST_OPERANDS = 12, 12, 24
_LONGEST = 120


class UnfitError(ValueError):
    """A claim that cannot be taken for a fact, and why, in words that are the same for the same."""


@dataclass(frozen=True, slots=True)
class Operand:
    """What an operation is done with: words of the text, or the result of an earlier step.

    value  what the words say by the model's reading; may be empty
    step   number of the earlier step, from 1; 0 for words
    """

    quote: str
    value: str = ""
    step: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """One operation."""

    operation: str
    operands: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """A fact as the model puts it. `value` and `unit` are as the prompt asks for them."""

    kind: str
    value: str
    unit: str = ""
    about: str = ""
    role: FactRole = "derived"
    evidence: tuple[str, ...] = ()
    steps: tuple[Step, ...] = field(default=())


def claims_in(answer: Any) -> list[Any]:
    """Return the claims of an answer, each still as it came.

    Raises ValueError when the JSON holds no list of facts.
    """
    facts = answer.get("facts") if isinstance(answer, Mapping) else answer
    if not isinstance(facts, list):
        raise ValueError('it has no list "facts"')
    return facts


def whole_claims(text: str) -> list[Any]:
    """Return the claims that stand whole in an answer that was cut off."""
    entries = whole_entries(text)
    return [each for each in entries if isinstance(each, Mapping) and "kind" in each]


def schema(operations: Iterable[str]) -> dict[str, Any]:
    """Return the JSON schema of an answer with these operations, for servers that enforce one."""
    operand = _object(quote=_TEXT, value=_TEXT, step=_NUMBER)
    step = _object(operation=_one_of(operations), operands=_many(operand))
    fact = _object(
        kind=_one_of(KINDS),
        value=_TEXT,
        unit=_TEXT,
        about=_TEXT,
        role=_one_of(FACT_ROLES),
        evidence=_many(_TEXT),
        steps=_many(step),
    )
    return _object(facts=_many(fact))


def read_claim(record: Any) -> Claim:
    """Return one claim. Raises UnfitError where the record is none."""
    try:
        kind = str(record["kind"]).strip().lower()
        value, unit = _value(kind, record["value"], record.get("unit"))
        role = str(record.get("role") or "derived").strip().lower()
        quotes = _list(record.get("evidence"), _MOST_QUOTES)
        return Claim(
            kind=kind,
            value=value,
            unit=unit,
            about=" ".join(str(record.get("about") or "").split())[:_LONGEST],
            role=next((each for each in FACT_ROLES if each == role), "derived"),
            evidence=tuple(each for each in quotes if isinstance(each, str) and each.strip()),
            steps=tuple(map(_step, _steps(record))),
        )
    except UnfitError:
        raise
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
        raise UnfitError("it does not have the form of a fact") from error


def _value(kind: str, value: Any, unit: Any) -> tuple[str, str]:
    """Return value and unit, also of the forms that our own records have."""
    if isinstance(value, Mapping):
        name = value.get("name", value.get("amount", ""))
        unit = value.get("code") or value.get("currency") or value.get("unit") or unit
        value = name
    elif isinstance(value, list):
        value = "/".join(str(each) for each in value)
    text = " ".join(_scalar(value).split())
    if kind not in KINDS:
        raise UnfitError("it has no known kind")
    return text, " ".join(str(unit or "").split())[:_LONGEST]


def _steps(record: Mapping[str, Any]) -> list[Any]:
    """Return the steps; a single one may be given as `derivation`."""
    steps = record.get("steps") or record.get("derivation") or []
    return [steps] if isinstance(steps, Mapping) else _list(steps, _MOST_STEPS)


def _step(record: Any) -> Step:
    operands = _list(record["operands"], _MOST_OPERANDS)
    return Step(
        str(record["operation"]).strip().lower(),
        tuple(
            Operand(
                str(each.get("quote") or ""),
                _scalar(each.get("value", "")),
                int(each.get("step") or 0),
            )
            for each in operands
        ),
    )


def _list(value: Any, most: int) -> list[Any]:
    if isinstance(value, str):
        return [value]
    return value[:most] if isinstance(value, list) else []


def _scalar(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, str | int | float):
        return str(value)[: 2 * _LONGEST]
    raise ValueError("neither text nor number")


_TEXT, _NUMBER = {"type": "string"}, {"type": "integer"}


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _many(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _one_of(names: Iterable[str]) -> dict[str, Any]:
    return {"type": "string", "enum": list(names)}
