"""Pages next to a report: sheets to fill in, judging pages, studies."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from leadline.data.writing import atomic_file
from leadline.report.drawing import drawn
from leadline.report.shapes import Figure
from leadline.report.templates import write_page
from leadline.types import Corpus, Document, Qrels, Query, Run

_SHOWN = 700
"""A page first shows this many characters of a document."""
_LONGEST = 20_000
_BLANK_LINES = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to a reader, answered by a number.

    lines  what to count
    text   the text to count it in
    """

    id: str
    what: str
    lines: tuple[str, ...]
    text: str


def write_annotation(path: Path, title: str, column: str, asked: Sequence[Asked]) -> Path:
    """Write the page. Its button saves a CSV of the columns `item` and `column`.

    Answers stay in the browser until they are saved. Raises InputError if the file cannot be
    written.
    """
    return write_page(
        path, "annotation.html.j2", "annotation.js", title=title, column=column, asked=asked
    )


@dataclass(frozen=True, slots=True)
class Shown:
    """A document to be judged. `grade` is its present grade, or empty."""

    id: str
    title: str
    text: str
    rest: str
    grade: str


def pooled(
    runs: Sequence[Run], queries: Sequence[Query], depth: int, seed: int
) -> dict[str, list[str]]:
    """Return the first documents of every run for each query, in an order that favours no run."""
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
    """Write the page. Raises InputError if the file cannot be written.

    judged  grades that are known already: they are shown, and saved with the others

    Marks stay in the browser until they are saved.
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
    return write_page(
        path, "judging.html.j2", "judging.js", asked=asked, known=known,
        count=sum(map(len, pool.values())), key=hashlib.sha256(what.encode()).hexdigest()[:16],
    )  # fmt: skip


def _shown(document: Document, grade: int | None) -> Shown:
    text = _BLANK_LINES.sub("\n", document.text[:_LONGEST])
    cut = text.rfind(" ", 0, _SHOWN) if len(text) > _SHOWN else len(text)
    cut = cut if cut > 0 else _SHOWN
    known = "" if grade is None else str(min(max(grade, 0), 2))
    return Shown(document.id, document.title, text[:cut], text[cut:], known)


def _shuffled(ids: Mapping[str, None], seed: str) -> list[str]:
    return random.Random(seed).sample(sorted(ids), len(ids))


@dataclass(frozen=True)
class Study:
    """One study.

    name       its files are `name.html` and `name.json`
    command    the command line
    facts      the inputs
    sentences  the results in words
    numbers    all drawn values, for `name.json`
    """

    name: str
    title: str
    command: str
    facts: Mapping[str, str]
    sentences: Sequence[str]
    figures: Sequence[Figure]
    numbers: Any


def write_study(out: Path, study: Study) -> Path:
    """Write `name.json` and `name.html`, and return the path of the page."""
    with atomic_file(out / f"{study.name}.json") as file:
        told = {"title": study.title, "facts": dict(study.facts), "results": study.numbers}
        json.dump(told, file, ensure_ascii=False, indent=1)
        file.write("\n")
    figures = [drawn(number, each) for number, each in enumerate(study.figures, 1)]
    return write_page(out / f"{study.name}.html", "study.html.j2", study=study, figures=figures)
