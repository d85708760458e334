"""Turn the fields of a parsed record into the parts of a document or query."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from leadline.data.limits import LONGEST_ID
from leadline.errors import InputError
from leadline.types import Document

Record = Mapping[str, Any]
ColumnCheck = Callable[[Sequence[Any], Path], None]


def as_document(
    record: Record, place: str, *, metadata: bool = False, missing_id: str = ""
) -> Document:
    """Return the document that a record of a corpus describes.

    `_id` (else `id`) and `text` are required, `title` is optional. The entries of `metadata` become
    facets, and so does every other field with a string, number, boolean or list of strings. Numbers
    and booleans are written as in JSON, lists joined by ", ". Null and empty lists are left out.
    Nested values are kept as JSON within `metadata`, and left out elsewhere.

    place       place of the record, for errors: `corpus.jsonl:7`
    metadata    put the facets before the text, one line `key: value` each, so that systems see them
    missing_id  the id of a record without one; "" refuses it

    Raises InputError, which names the place and the field.
    """
    key = "_id" if "_id" in record else "id"
    identity = missing_id if missing_id and key not in record else identifier(record, key, place)
    text = required_string(record, "text", place, "Name the field with the text: --text-field NAME")
    title = optional_string(record, "title", place)
    facets = _facets(record, key)
    if metadata:
        seen = [f"{name}: {value}" for name, value in facets.items() if value]
        text = "\n".join([*seen, text])
    return Document(identity, text, title, facets)


def identifier(record: Record, key: str, place: str) -> str:
    """Return an id as a string. Raises InputError unless it is a string or an integer."""
    if key not in record:
        wanted = "'_id' (or 'id')" if key in ("_id", "id") else repr(key)
        raise InputError(
            f"{place}: no field {wanted}. The fields are {names_of(record)}. Every record "
            "needs an id."
        )
    value = record[key]
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise InputError(f"{place}: {key!r} must be a string or an integer, got {_shown(value)}.")
    if not value:
        raise InputError(f"{place}: {key!r} is empty. Every record needs its own id.")
    if len(value) > LONGEST_ID:
        raise InputError(
            f"{place}: {key!r} has {len(value):,} characters, {_shown(value)}, but an id has at "
            f"most {LONGEST_ID:,}. Is the text in the wrong field?"
        )
    return value


def required_string(
    record: Record, key: str, place: str, way_out: str = "Rename the field that has it"
) -> str:
    """Return a required field. Raises InputError, which lists the existing fields."""
    if key not in record:
        raise InputError(
            f"{place}: no field {key!r}. The fields are {names_of(record)}. {way_out}."
        )
    value = record[key]
    if not isinstance(value, str):
        raise InputError(f"{place}: {key!r} must be a string, got {_shown(value)}.")
    return value


def optional_string(record: Record, key: str, place: str) -> str:
    """Return an optional field, "" if missing or null. Numbers become strings."""
    value = record.get(key)
    if value is None:
        return ""
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        return str(value)
    raise InputError(f"{place}: {key!r} must be a string, got {_shown(value)}.")


def string_mapping(record: Record, key: str, place: str) -> dict[str, str]:
    """Return an optional object of strings. Other values are treated as in `as_document`."""
    value = record.get(key)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InputError(f"{place}: {key!r} must be an object, got {_shown(value)}.")
    return _entries(value)


def any_columns(columns: Sequence[Any], path: Path) -> None:
    """Accept a table with any columns."""


def check_columns(columns: Sequence[Any], path: Path) -> None:
    """Raise InputError unless a table has the columns of documents."""
    if not columns:
        raise InputError(f"{path} has no documents.")
    if "text" not in columns:
        raise InputError(
            f"{path} has no column 'text'. The columns are {names_of(columns)}. Needed is 'text'; "
            "'_id' (or 'id') and 'title' are optional."
        )
    if len(set(columns)) < len(columns):
        twice = next(name for name, count in Counter(columns).items() if count > 1)
        raise InputError(
            f"{path} has the column {str(twice)[:60]!r} twice. Column names must be unique."
        )


def names_of(fields: Iterable[Any]) -> str:
    """Return field names for an error message, shortened if there are many."""
    names = ", ".join(repr(name)[:310] for name in islice(fields, 310)) or "nothing"
    return names if len(names) <= 300 else names[:297] + "..."


def written(value: Any) -> str | None:
    """Return a string, number or list of strings as a facet; None for other values."""
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        return ", ".join(value) if value and all(isinstance(e, str) for e in value) else None
    if value is None or isinstance(value, (dict, bytes)):
        return None
    if isinstance(value, (bool, int, float)):
        return json.dumps(value)
    return str(value)  # dates and decimals of a typed table


def _facets(record: Record, id_key: str) -> dict[str, str]:
    metadata = record.get("metadata")
    facets = _entries(metadata) if isinstance(metadata, dict) else {}
    for name, value in record.items():
        if name in (id_key, "text", "title") or name in facets:
            continue
        if (facet := written(value)) is not None:
            facets[str(name)] = facet
    return facets


def _entries(values: Mapping[str, Any]) -> dict[str, str]:
    entries = {}
    for name, value in values.items():
        entry = written(value)
        if entry is None and value not in (None, [], {}):
            entry = json.dumps(value, ensure_ascii=False, default=str)
        if entry is not None:
            entries[str(name)] = entry
    return entries


def _shown(value: Any) -> str:
    if isinstance(value, str):
        value = value[:100]
    shown = json.dumps(value, ensure_ascii=False, default=str)
    return shown if len(shown) <= 60 else shown[:57] + "..."
