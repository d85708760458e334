"""Show rows as a data frame, as text lines, or as HTML for a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from importlib import import_module
from typing import Any

from leadline.errors import MissingExtraError

Rows = Sequence[Mapping[str, Any]]


def as_frame(rows: Rows) -> Any:
    """Return the rows as a data frame of pandas, or of polars if only that is installed.

    Raises MissingExtraError if neither is.
    """
    for library in ("pandas", "polars"):
        try:
            frame = import_module(library).DataFrame
        except ModuleNotFoundError:
            continue
        return frame({name: [row[name] for row in rows] for name in _columns(rows)})
    raise MissingExtraError("to_frame() needs pandas or polars: pip install pandas")


def as_lines(head: str, rows: Sequence[str], most: int = 12) -> str:
    """Return head and rows as at most `most` lines. The last one counts omitted rows."""
    if len(rows) >= most:
        more = len(rows) - most + 2
        rows = [*rows[: most - 2], f"... {more:,} more: to_frame() has all"]
    return "\n  ".join([head, *rows])


def as_html(rows: Rows) -> str:
    """Return the rows as an escaped HTML table."""
    columns = _columns(rows)
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_shown(row.get(name)))}</td>" for name in columns) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _columns(rows: Rows) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)
