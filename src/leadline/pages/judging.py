"""Results of queries to be judged by hand, as one HTML page that saves qrels.tsv."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from leadline.pages.render import write_sheet
from leadline.types import Corpus, Document, Qrels, Query, Run

_SHOWN = 700
"""Characters of a document that are shown at first."""
_LONGEST = 20_000
_BLANK_LINES = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class Shown:
    """A document to be judged; `grade` is what it has already, empty for nothing."""

    id: str
    title: str
    text: str
    rest: str
    grade: str


def pooled(
    runs: Sequence[Run], queries: Sequence[Query], depth: int, seed: int
) -> dict[str, list[str]]:
    """Return the first documents of every run for each query, in an order that favours none."""
    return {
        query.id: _shuffled(
            dict.fromkeys(id for run in runs for id in list(run.get(query.id, {}))[:depth]),
            f"{seed} {query.id}",
        )
        for query in queries
    }


def write_judging(
    path: Path,
    corpus: Corpus,
    queries: Sequence[Query],
    pool: Mapping[str, Sequence[str]],
    judged: Qrels,
) -> Path:
    """Write the page.

    judged  grades that are known already: they are shown, and saved with the others

    Marks stay in the browser that they were made in. Raises InputError when the file cannot be
    written.
    """
    asked = [
        (query, [_shown(corpus[id], judged.get(query.id, {}).get(id)) for id in pool[query.id]])
        for query in queries
    ]
    known = [
        (query, id, grade)
        for query, grades in judged.items()
        for id, grade in grades.items()
        if id not in pool.get(query, ())
    ]
    what = "\n".join(f"{query.id}\t{id}" for query in queries for id in pool[query.id])
    return write_sheet(
        path, "judging", asked=asked, known=known, count=sum(map(len, pool.values())),
        key=hashlib.sha256(what.encode()).hexdigest()[:16],
    )  # fmt: skip


def _shown(document: Document, grade: int | None) -> Shown:
    text = _BLANK_LINES.sub("\n", document.text[:_LONGEST])
    cut = text.rfind(" ", 0, _SHOWN) if len(text) > _SHOWN else len(text)
    cut = cut if cut > 0 else _SHOWN
    known = "" if grade is None else str(min(max(grade, 0), 2))
    return Shown(document.id, document.title, text[:cut], text[cut:], known)


def _shuffled(ids: Mapping[str, None], seed: str) -> list[str]:
    return random.Random(seed).sample(sorted(ids), len(ids))
