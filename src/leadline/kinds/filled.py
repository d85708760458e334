"""Read answers on review sheets: the yes/no columns, and the agreement of readers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from leadline.data import sheets
from leadline.data.fields import Record
from leadline.errors import InputError
from leadline.kinds.conditions.sheet import fleiss_kappa, observed_agreement

ASKED = "(y/n)"
"""How the name of a column ends that readers fill."""
_SAID = {"y": 1, "yes": 1, "1": 1, "n": 0, "no": 0, "0": 0}
_FREE = "remarks"


@dataclass(frozen=True, slots=True)
class Filled:
    """One question of a sheet, over the rows that all readers answered.

    yes        share of rows to which more readers say yes than no
    agreement  share of pairs of readers with the same answer; None for one reader
    kappa      Fleiss' kappa
    """

    question: str
    readers: int
    items: int
    yes: float
    agreement: float | None
    kappa: float | None


def read_filled(paths: Sequence[str | Path]) -> list[Filled]:
    """Return what the filled sheets of one or more readers say, a line for each question.

    Raises InputError when a sheet has no column for yes and no, an answer is neither, or no row
    is answered in all sheets.
    """
    read = [_answers(Path(path)) for path in paths]
    found = []
    for question in dict.fromkeys(question for question, _ in read[0]):
        rows = [key for key in read[0] if key[0] == question and all(key in each for each in read)]
        if not rows:
            continue
        ratings = [[each[row] for each in read] for row in rows]
        yes = sum(2 * sum(row) > len(row) for row in ratings) / len(rows)
        several = len(read) > 1
        found.append(
            Filled(
                question, len(read), len(rows), yes,
                observed_agreement(ratings) if several else None,
                fleiss_kappa(ratings) if several else None,
            )
        )  # fmt: skip
    if not found:
        raise InputError("No row has an answer in every sheet.")
    return found


def _answers(path: Path) -> dict[tuple[str, tuple[str, ...]], int]:
    """Return the answers by question and by what the row shows; equal rows are numbered."""
    rows = sheets.read_sheet(path)
    asked = [name for name in (rows[0] if rows else ()) if name.endswith(ASKED)]
    if not asked:
        raise InputError(f"{path} has no yes/no column, whose name ends with {ASKED}.")
    found: dict[tuple[str, tuple[str, ...]], int] = {}
    seen: Counter[tuple[str, ...]] = Counter()
    for line, row in enumerate(rows, 2):
        shown = _shown(row, asked)
        seen[shown] += 1
        for question in asked:
            said = str(row[question] or "").strip().lower()
            if said and said not in _SAID:
                raise InputError(f"{path}, row {line}: {said[:40]!r} is neither y nor n.")
            if said:
                found[question, (*shown, str(seen[shown]))] = _SAID[said]
    return found


def _shown(row: Record, asked: Sequence[str]) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in row if name not in (*asked, _FREE))
