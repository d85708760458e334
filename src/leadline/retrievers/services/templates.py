"""Templates of what a search service is sent: fields in texts, wherever these stand."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

ASKED = ("query", "k", "offset", "vector")
"""Fields of a search."""

GIVEN = ("id", "uuid", "title", "text", "content", "vector")
"""Fields of a document that a service is given, or that it is to remove."""

_FIELD = re.compile(rf"(?<!\$)\{{({'|'.join(sorted({*ASKED, *GIVEN}))})\}}")


def value_of(
    template: Any, values: Mapping[str, Any], each: Sequence[Mapping[str, Any]] = ()
) -> Any:
    """Fill a template; a text that is one field only becomes its value, a number a number.

    What is no field of the values stays as it stands.
    """
    if isinstance(template, str):
        whole = _FIELD.fullmatch(template)
        if whole and whole[1] in values:
            return values[whole[1]]
        return text_of(template, values)
    if isinstance(template, Mapping) and set(template) == {"$each"}:
        return [value_of(template["$each"], of_one) for of_one in each]
    if isinstance(template, Mapping):
        return {name: value_of(inner, values, each) for name, inner in template.items()}
    if isinstance(template, list):
        return [value_of(inner, values, each) for inner in template]
    return template


def lines_of(
    template: Sequence[Any], values: Mapping[str, Any], each: Sequence[Mapping[str, Any]]
) -> str:
    """Fill a template as lines of JSON; a query may take several, such as a head and a search."""
    lines: list[Any] = []
    for part in template:
        filled = value_of(part, values, each)
        if not (isinstance(part, Mapping) and set(part) == {"$each"}):
            lines.append(filled)
            continue
        for of_query in filled:
            lines += of_query if isinstance(of_query, list) else [of_query]
    return "".join(json.dumps(line) + "\n" for line in lines)


def text_of(template: str, values: Mapping[str, Any], change: Any = str) -> str:
    """Fill a text; `change` is what is done to each value first."""

    def filled(found: re.Match[str]) -> str:
        if found[1] not in values:
            return found[0]
        return str(change(_written(values[found[1]])))

    return _FIELD.sub(filled, template)


def in_json(text: str) -> str:
    """Return a text as it stands between the quotes of a JSON string."""
    return json.dumps(text)[1:-1]


def fields_of(value: Any, names: Sequence[str] = ASKED) -> set[str]:
    """Return those of the named fields that stand anywhere in a value: `query`, `k`, ..."""
    return {name for text in texts_of(value) for name in _FIELD.findall(text)} & {*names}


def texts_of(value: Any) -> list[str]:
    """Return every text that stands anywhere in a value."""
    found: list[str] = []
    walked(value, found.append)
    return found


def walked(value: Any, change: Any) -> Any:
    """Return a value with every text in it changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {name: walked(each, change) for name, each in value.items()}
    if isinstance(value, list):
        return [walked(each, change) for each in value]
    return value


def templates_of_each(body: Any) -> list[Any]:
    """Return what stands under `$each`, wherever it is."""
    if isinstance(body, Mapping):
        inner = [found for each in body.values() for found in templates_of_each(each)]
        return [*([body["$each"]] if "$each" in body else []), *inner]
    if isinstance(body, list):
        return [found for each in body for found in templates_of_each(each)]
    return []


def without_each(body: Any) -> Any:
    """Return a body without what stands under `$each`."""
    if isinstance(body, Mapping):
        return {name: without_each(each) for name, each in body.items() if name != "$each"}
    return [without_each(each) for each in body] if isinstance(body, list) else body


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
