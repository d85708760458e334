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

SHARED = Path(os.environ.get("LEADLINE_SHARED", Path(__file__).resolve().parents[2] / "shared"))
FOLDER = Path(__file__).resolve().parent / "implied_facts_texts" / "passages"
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
        content = _contents(row["collection"]).get(row["id"])
        if content is not None:
            text = " ".join(content.split(" ")[row["first"] : row["first"] + _WORDS])
            right, fine, wrong = (
                tuple((kind, value) for kind, value in row[verdict])
                for verdict in ("right", "fine", "wrong")
            )
            yield Passage(text, right, fine, wrong)


@cache
def _contents(collection: str) -> dict[str, str]:
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
