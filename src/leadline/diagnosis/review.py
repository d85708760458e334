"""The review sheet of an error analysis: a CSV to fill in, and a page with the evidence."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from leadline.data.sheets import write_sheet
from leadline.diagnosis.causes import ErrorCase, Shares, content_words, shares
from leadline.report.templates import write_page
from leadline.text.letters import WORD

COLUMNS = (
    "stage", "system", "benchmark", "query-id", "question", "gold answer", "answer",
    "relevant document", "text of the relevant document", "other document",
    "text of the other document", "passing variant", "proposed", "by rule", "why", "category",
    "note",
)  # fmt: skip


def _row(case: ErrorCase) -> tuple[str, ...]:
    judgement = case.judgement
    return (
        case.stage, case.system, case.benchmark, case.query_id, case.question, case.gold,
        case.given, case.positive.id, case.positive.text,
        case.other.id if case.other else "", case.other.text if case.other else "",
        case.passing, judgement.category,
        "decided" if judgement.decided else "to be reviewed", judgement.why,
        judgement.category if judgement.decided else "", "",
    )  # fmt: skip


_WORD = re.compile(rf"({WORD})")

Pieces = list[tuple[str, bool]]


def write_review(
    out: Path, name: str, title: str, cases: Sequence[ErrorCase], counted: Sequence[ErrorCase]
) -> Path:
    """Write `name.csv`, to fill in if no rule decides, and `name.html` with the evidence.

    cases    cases to show
    counted  all judged cases, for the table of categories
    """
    write_sheet(out / f"{name}.csv", COLUMNS, map(_row, cases))
    return write_page(
        out / f"{name}.html",
        "review.html.j2",
        title=title,
        tables=_tables(shares(counted)),
        cases=[(case, _marking(case)) for case in cases],
        answered=any(case.stage == "reading" for case in cases),
    )


def _tables(rows: Sequence[Shares]) -> list[tuple[str, tuple[str, ...], list[Shares]]]:
    tables = []
    for stage in dict.fromkeys(row.stage for row in rows):
        some = [row for row in rows if row.stage == stage]
        categories = tuple(dict.fromkeys(name for row in some for name in row.counts))
        tables.append((str(stage), categories, some))
    return tables


def _marking(case: ErrorCase) -> Callable[[str], Pieces]:
    """Return a function that splits a text into pieces, and marks words of the question."""
    wanted = set(content_words(f"{case.question} {case.gold} {case.given}"))

    def pieces(text: str) -> Pieces:
        return [
            (piece, place % 2 == 1 and not wanted.isdisjoint(content_words(piece)))
            for place, piece in enumerate(_WORD.split(text))
            if piece
        ]

    return pieces
