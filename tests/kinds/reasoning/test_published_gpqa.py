"""GPQA from tables in its published layout."""

import csv
from pathlib import Path

import pytest

from leadline.errors import InputError
from leadline.kinds.reasoning import published_gpqa as gpqa
from leadline.systems.benchmarks import load_benchmarks

COLUMNS = ["Question", "Correct Answer", "Incorrect Answer 1", "Incorrect Answer 2",
           "Incorrect Answer 3", "Record ID", "High-level domain"]  # fmt: skip
ROWS = [
    ['What is "heavy",\nof these?', "lead", "tin", "iron", "zinc", "rec1", "Chemistry"],
    ["What flies?", "a bird", "a fish", "a stone", "a tree", "rec2", "Biology"],
]


def table(path: Path, rows: list[list[str]] = ROWS) -> Path:
    with path.open("w", newline="") as handle:
        csv.writer(handle).writerows([COLUMNS, *rows])
    return path


def test_choices_stand_below_the_question_and_the_answer_is_a_letter(tmp_path: Path) -> None:
    (made,) = gpqa.build(data=table(tmp_path / "gpqa_diamond.csv"))
    query = made.queries[0]
    question, _, choices = query.text.partition("\n\nChoices:\n")
    assert question == 'What is "heavy",\nof these?'
    lines = choices.splitlines()
    assert [line[:4] for line in lines] == ["(A) ", "(B) ", "(C) ", "(D) "]
    assert {line[4:] for line in lines} == {"lead", "tin", "iron", "zinc"}
    assert f"({query.answer}) lead" in lines
    assert (query.id, query.facets) == (
        "rec1", {"choices": "4", "right": "lead", "domain": "Chemistry"}
    )  # fmt: skip
    assert (made.kind, len(made.corpus)) == ("reading", 0)


def test_a_seed_orders_the_choices_of_each_question_by_itself(tmp_path: Path) -> None:
    path = table(tmp_path / "gpqa_diamond.csv")
    (first,), (again,), (alone,) = (
        gpqa.build(data=path), gpqa.build(data=path),
        gpqa.build(data=table(tmp_path / "one.csv", ROWS[1:])),
    )  # fmt: skip
    assert first.queries == again.queries
    assert alone.queries == first.queries[1:]
    answers = {gpqa.build(data=path, seed=seed)[0].queries[0].answer for seed in range(30)}
    assert answers == set("ABCD")
    (other,) = load_benchmarks("gpqa:seed=3", data=tmp_path)
    assert other.name == "gpqa:seed=3"
    assert "seed 3" in other.source


def test_a_row_that_lacks_a_choice_is_named(tmp_path: Path) -> None:
    bad = [*ROWS, ["What?", "yes", "no", "", "maybe", "rec3", ""]]
    with pytest.raises(InputError, match="gpqa: row 3 needs Question, Correct Answer"):
        gpqa.build(data=table(tmp_path / "gpqa_diamond.csv", bad))
    with pytest.raises(InputError, match="part of gpqa"):
        gpqa.build("emerald", data=tmp_path)
    with pytest.raises(InputError, match="has no gpqa_main"):
        gpqa.build("main", data=tmp_path)
