"""Real passages in which readers judged derived values; kept by id, their texts are not copied."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from leadline_facts.fact_values import canonical

SHARED = Path(os.environ.get("LEADLINE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
TEXTS = Path(__file__).resolve().parent / "texts"
FOLDER = TEXTS / "passages"
_WORDS = 150
"""Of a passage that were judged."""

Value = tuple[str, Any]


@dataclass(frozen=True)
class Passage:
    """A text, and values as (kind, value) by verdict.

    right  the text implies it
    fine   it is true of the text, but nobody would ask for it
    wrong  it is neither
    """

    text: str
    right: tuple[Value, ...]
    fine: tuple[Value, ...]
    wrong: tuple[Value, ...]


def read_passages(path: Path) -> Iterator[Passage]:
    """Yield the passages of a file whose collections are at hand."""
    for row in map(json.loads, path.read_text("utf-8").splitlines()):
        content = contents(row["collection"]).get(row["id"])
        if content is not None:
            text = cut(content, row["first"], _WORDS)
            right, fine, wrong = (
                tuple((kind, value) for kind, value in row[verdict])
                for verdict in ("right", "fine", "wrong")
            )
            yield Passage(text, right, fine, wrong)


def cut(text: str, first: int, words: int) -> str:
    """Return so many words of a text, from the one with the number `first` on."""
    return " ".join(text.split(" ")[first : first + words])


def value_key(kind: str, value: Any) -> Any:
    """Return what makes two derived values equal: numbers to three decimals, without their sign."""
    key = canonical(kind, value)
    return tuple(round(abs(each), 3) if isinstance(each, float) else each for each in key)


@cache
def contents(collection: str) -> dict[str, str]:
    """Return the texts of a collection by id, nothing where it is not at hand."""
    found = {}
    for name in ("corpus", "records", "passages"):
        path = SHARED / "data" / collection / f"{name}.jsonl.gz"
        if not path.exists():
            continue
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                if text := row.get("text") or row.get("description"):
                    found[str(row.get("_id", row.get("id")))] = str(text)
    return found
