"""The review sheet as a table that any spreadsheet opens: a person fills the last two columns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from leadline.data import sheets
from leadline.diagnosis.cases import ErrorCase

COLUMNS = (
    "stage", "system", "benchmark", "query-id", "question", "gold answer", "answer",
    "relevant document", "text of the relevant document", "other document",
    "text of the other document", "passing variant", "proposed", "by rule", "why", "category",
    "note",
)  # fmt: skip


def write_csv(path: str | Path, cases: Sequence[ErrorCase]) -> None:
    """Write one row a case; `category` is filled where a rule decides, and empty elsewhere.

    A text that a spreadsheet would run as a formula has an apostrophe before it.
    """
    sheets.write_sheet(path, COLUMNS, map(_row, cases))


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
