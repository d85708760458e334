from __future__ import annotations

import csv
from pathlib import Path

from leadline.diagnosis.causes import ErrorCase, Judgement, Shown
from leadline.diagnosis.review import COLUMNS, write_csv


def case(text: str = "words", *, decided: bool = True) -> ErrorCase:
    return ErrorCase(
        stage="reading",
        system="oracle@10+model",
        benchmark="facts",
        query_id="q",
        question=text,
        gold=text,
        given=text,
        positive=Shown("d", text),
        other=None,
        judgement=Judgement("distraction", decided, text),
    )


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as lines:
        return list(csv.DictReader(lines))


def test_a_person_fills_the_category_where_no_rule_decides(tmp_path: Path) -> None:
    write_csv(tmp_path / "s.csv", [case(), case(decided=False)])
    first, second = rows(tmp_path / "s.csv")
    assert tuple(first) == COLUMNS
    assert (first["proposed"], first["by rule"], first["category"]) == (
        "distraction", "decided", "distraction",
    )  # fmt: skip
    assert (second["by rule"], second["category"]) == ("to be reviewed", "")


def test_line_breaks_and_quotes_of_a_corpus_stay_in_their_cell(tmp_path: Path) -> None:
    write_csv(tmp_path / "s.csv", [case('a "b",\nc')])
    assert rows(tmp_path / "s.csv")[0]["question"] == 'a "b",\nc'


def test_no_text_of_a_corpus_becomes_a_formula(tmp_path: Path) -> None:
    write_csv(tmp_path / "s.csv", [case("=1+1")])
    assert rows(tmp_path / "s.csv")[0]["question"] == "'=1+1"
