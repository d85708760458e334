"""Training examples: one JSON object a line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from leadline.data.fields import Record, required_string
from leadline.data.jsonl import read_records, write_records
from leadline.errors import InputError
from leadline.types import TrainingExample

FILE = "examples.jsonl"
"""What the examples of a folder are called."""


def read_examples(path: str | Path) -> list[TrainingExample]:
    """Return the examples of a `.jsonl` or `.jsonl.gz`.

    Fields: `query` and `positive`, and optionally `negatives` and `rephrasings`, lists of texts,
    and `scores`, a teacher's numbers for the positive and then each negative.
    Raises InputError that names file, line and field for what is missing, empty or no text.
    """
    examples = [_example(record, f"{path}:{number}") for number, record in read_records(path)]
    if not examples:
        raise InputError(f"{path} holds no training examples.")
    return examples


def write_examples(path: str | Path, examples: Iterable[TrainingExample]) -> None:
    """Write examples as `.jsonl`, each with the fields that it has; all or nothing."""
    write_records(path, map(_record, examples))


def _example(record: Record, place: str) -> TrainingExample:
    query, positive = (_text(record, key, place) for key in ("query", "positive"))
    negatives, rephrasings = (_texts(record, key, place) for key in ("negatives", "rephrasings"))
    scores = _scores(record, 1 + len(negatives), place)
    return TrainingExample(query, positive, negatives, rephrasings, scores)


def _text(record: Record, key: str, place: str) -> str:
    text = required_string(record, key, place)
    if not text.strip():
        raise InputError(f"{place}: {key!r} is empty. Fill it or remove the line.")
    return text


def _texts(record: Record, key: str, place: str) -> tuple[str, ...]:
    values = record.get(key)
    if values is None:
        return ()
    if not isinstance(values, list):
        raise InputError(f"{place}: {key!r} must be a list of texts.")
    for number, value in enumerate(values, start=1):
        if not isinstance(value, str) or not value.strip():
            raise InputError(f"{place}: item {number} of {key!r} must be a text, got {value!r}.")
    return tuple(values)


def _scores(record: Record, count: int, place: str) -> tuple[float, ...]:
    values = record.get("scores")
    if values is None:
        return ()
    if not isinstance(values, list) or len(values) != count or not all(map(_is_number, values)):
        raise InputError(
            f"{place}: 'scores' must be {count} numbers, of the positive and then of each negative."
        )
    return tuple(map(float, values))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e300


def _record(example: TrainingExample) -> Record:
    lists = {
        "negatives": list(example.negatives),
        "rephrasings": list(example.rephrasings),
        "scores": list(example.scores),
    }
    filled = {name: texts for name, texts in lists.items() if texts}
    return {"query": example.query, "positive": example.positive, **filled}
