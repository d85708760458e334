"""Judged pairs: a query, a document, a judgement and how it was reached, one JSON object a line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from leadline.data.fields import Record, required_string, string_mapping
from leadline.data.jsonl import read_records, write_records
from leadline.errors import InputError

FILE = "pairs.jsonl"
"""What the pairs of a folder are called."""

_KEYS = ("query", "document", "relevant", "trace")


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """A query, a document, and whether it is relevant.

    trace   the reasoning that led to the judgement; empty where there is none
    facets  what else is known of it, such as `style`
    """

    query: str
    document: str
    relevant: bool
    trace: str = ""
    facets: Mapping[str, str] = field(default_factory=dict)


def read_pairs(path: str | Path) -> list[JudgedPair]:
    """Return the pairs of a `.jsonl` or `.jsonl.gz`, or of a folder's `pairs.jsonl`.

    Fields: `query`, `document`, `relevant` (true or false), and optionally `trace` and `facets`.
    Raises InputError that names file, line and field for what is missing, empty or of another
    type.
    """
    path = Path(path)
    if path.is_dir():
        path = path / FILE
    pairs = [_pair(record, f"{path}:{number}") for number, record in read_records(path)]
    if not pairs:
        raise InputError(f"{path} holds no judged pairs.")
    return pairs


def write_pairs(path: str | Path, pairs: Iterable[JudgedPair]) -> None:
    """Write pairs as `.jsonl`, each with the fields that it has; all or nothing."""
    write_records(path, map(_record, pairs))


def _pair(record: Record, place: str) -> JudgedPair:
    for key in ("query", "document"):
        if not required_string(record, key, place).strip():
            raise InputError(f"{place}: {key!r} is empty. Fill it or remove the line.")
    relevant, trace = record.get("relevant"), record.get("trace", "")
    if not isinstance(relevant, bool):
        raise InputError(f"{place}: 'relevant' must be true or false, got {relevant!r}.")
    if not isinstance(trace, str):
        raise InputError(f"{place}: 'trace' must be a text, got {trace!r}.")
    facets = string_mapping(record, "facets", place)
    return JudgedPair(record["query"], record["document"], relevant, trace, facets)


def _record(pair: JudgedPair) -> Record:
    record = {key: getattr(pair, key) for key in _KEYS}
    if not pair.trace:
        del record["trace"]
    return {**record, "facets": dict(pair.facets)} if pair.facets else record
