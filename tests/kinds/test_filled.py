import csv
from pathlib import Path

import pytest

from commands import run
from leadline.errors import InputError
from leadline.kinds.filled import read_filled
from leadline.kinds.implicit_facts.pools_by_model import write_review
from leadline.retrievers import bm25

ROWS = [
    {
        "pool": "pool",
        "id": str(n),
        "question": f"who {n}",
        "answer": "Ann",
        "pos_document": f"text {n}",
    }
    for n in range(3)
]


def filled(path: Path, *answers: str) -> Path:
    """Fill the sheet of implicit facts: of each row `fluent`, the other questions with y."""
    write_review(path, {"pool": ROWS}, bm25.build())
    with path.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    for row, answer in zip(rows, answers, strict=False):
        row["fluent (y/n)"], row["implies the answer (y/n)"] = answer, "Y"
        row["remarks"] = f"{path.stem} says {answer}"
    with path.open("w", newline="") as lines:
        table = csv.DictWriter(lines, list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    return path


def test_filled_sheets_are_read_back_question_by_question(tmp_path: Path) -> None:
    one = filled(tmp_path / "one.csv", "y", "yes", "n")
    two = filled(tmp_path / "two.csv", "y", "n", "n")
    fluent, implies = read_filled([one, two])
    # Three rows that both answered: yes yes, yes no, no no. Pairs agree in two of three. A tie is
    # no yes. Of six labels three are yes: chance is 1/2, kappa (2/3 - 1/2) / (1/2).
    assert (fluent.question, fluent.items, fluent.yes) == ("fluent (y/n)", 3, 1 / 3)
    assert (fluent.agreement, fluent.kappa) == (pytest.approx(2 / 3), pytest.approx(1 / 3))
    assert (implies.items, implies.yes, implies.kappa) == (3, 1.0, 1.0)
    [alone, _] = read_filled([one])
    assert (alone.items, alone.yes, alone.agreement) == (3, 2 / 3, None)
    done = run("analyse", "agreement", one, two)
    assert "fluent (y/n): yes 33.3% of 3 rows, readers: 2; agreement 0.667" in done.stdout


def test_a_sheet_that_does_not_fit_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"one\.csv, row 2: 'maybe' is neither y nor n"):
        read_filled([filled(tmp_path / "one.csv", "maybe")])
    (tmp_path / "two.csv").write_text("item,text\n1,x\n")
    with pytest.raises(InputError, match="no yes/no column, whose name ends with"):
        read_filled([tmp_path / "two.csv"])
    with pytest.raises(InputError, match="No row has an answer"):
        read_filled([filled(tmp_path / "three.csv")])
