"""The review sheet of an error analysis as one self-contained HTML file."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from leadline import __version__
from leadline.data.writing import atomic_file
from leadline.diagnosis.cases import READING, RETRIEVAL, ErrorCase, Shares, shares
from leadline.diagnosis.sheet import write_csv
from leadline.diagnosis.words import content_words
from leadline.pages.render import environment, resource
from leadline.text.letters import WORD

_WORD = re.compile(rf"({WORD})")

Pieces = list[tuple[str, bool]]


def write_review(
    out: Path, name: str, title: str, cases: Sequence[ErrorCase], counted: Sequence[ErrorCase]
) -> Path:
    """Write `name.csv`, which a person fills, and `name.html`, which shows the evidence.

    cases    those to be looked at
    counted  those that the table of categories is about: all that were judged
    """
    write_csv(out / f"{name}.csv", cases)
    path = out / f"{name}.html"
    with atomic_file(path) as file:
        file.write(render_review(title, cases, counted))
    return path


def render_review(title: str, cases: Sequence[ErrorCase], counted: Sequence[ErrorCase]) -> str:
    """Return the page; whatever comes from a corpus or a model stays text."""
    from markupsafe import Markup

    html: str = (
        environment()
        .get_template("review.html.j2")
        .render(
            title=title,
            style=Markup(resource("report.css")),
            tables=_tables(shares(counted)),
            cases=[(case, _marking(case)) for case in cases],
            answered=any(case.stage == "reading" for case in cases),
            version=__version__,
        )
    )
    return html


def _tables(rows: Sequence[Shares]) -> list[tuple[str, tuple[str, ...], list[Shares]]]:
    stages = {"retrieval": RETRIEVAL, "reading": READING}
    tables = [
        (stage, categories, [row for row in rows if row.stage == stage])
        for stage, categories in stages.items()
    ]
    return [table for table in tables if table[2]]


def _marking(case: ErrorCase) -> Callable[[str], Pieces]:
    """Return what splits a text into pieces that are or are not words of the question."""
    wanted = set(content_words(f"{case.question} {case.gold} {case.given}"))

    def pieces(text: str) -> Pieces:
        return [
            (piece, place % 2 == 1 and not wanted.isdisjoint(content_words(piece)))
            for place, piece in enumerate(_WORD.split(text))
            if piece
        ]

    return pieces
