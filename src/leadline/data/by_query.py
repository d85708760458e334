"""Query id -> document id -> value, collected from the numbered lines of a file."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from leadline.data.limits import LARGEST_GRADE
from leadline.errors import InputError

V = TypeVar("V", int, float)


def collected(
    rows: Callable[[], Iterable[tuple[int, str, str, V]]], path: Path, *, repeats: bool = False
) -> dict[str, dict[str, V]]:
    """Return the values of all rows in the order of the file.

    rows     gives line number, query id, document id and value; called again to find a culprit
    repeats  allow a line that says again what an earlier one said

    Raises InputError that names both lines when a document stands twice under one query.
    """
    values: dict[str, dict[str, V]] = {}
    for number, query_id, document_id, value in rows():
        of_query = values.setdefault(query_id, {})
        if document_id not in of_query:
            of_query[document_id] = value
        elif not repeats or of_query[document_id] != value:
            first = next(row[0] for row in rows() if row[1:3] == (query_id, document_id))
            raise InputError(
                f"{path}:{number}: document {document_id[:80]!r} stands twice under query "
                f"{query_id[:80]!r}, first at {path}:{first}. Remove one of the two."
            )
    return values


def integer(text: str, place: str) -> int:
    """Return a grade, which may be written `1.0`.

    Raises InputError that names the place unless it is a whole number.
    """
    try:
        grade = int(text)
    except ValueError:
        grade = _whole(text, place)
    if abs(grade) > LARGEST_GRADE:
        raise InputError(f"{place}: the grade {text[:60]} is beyond {LARGEST_GRADE}.")
    return grade


def _whole(text: str, place: str) -> int:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not value.is_integer():
        raise InputError(f"{place}: the grade must be a whole number, got {text[:60]!r}.")
    return int(value)


def is_number(text: str) -> bool:
    """Tell whether a column holds a number, `nan` and `inf` among them, and no name."""
    try:
        float(text)
    except ValueError:
        return any(each.isdigit() for each in text)
    return True
