"""The length study, on ladders of three conditions."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ladders import a_record
from leadline.cli.main import app
from leadline.kinds.conditions.ladders import write_ladders
from leadline.kinds.conditions.published import build
from leadline.kinds.conditions.studies import only_ladders, unread_shares
from leadline.types import Reading

RUN = CliRunner()


def studied(tmp_path: Path, *more: str) -> list[dict[str, object]]:
    write_ladders(tmp_path / "ladders.jsonl", [a_record(id="a"), a_record(id="b")])
    typed = ["analyse", "length", "--data", str(tmp_path), "--out", str(tmp_path / "out"), *more]
    done = RUN.invoke(app, typed)
    assert done.exit_code == 0, done.output
    results: list[dict[str, object]] = json.loads((tmp_path / "out" / "length.json").read_text())[
        "results"
    ]
    return results


def test_win_rates_are_told_by_length(tmp_path: Path) -> None:
    (bm25,) = studied(tmp_path, "-s", "bm25", "--words", "40", "--words", "0")
    lengths = bm25["lengths"]
    assert isinstance(lengths, list)
    assert [each["words"] for each in lengths] == [0, 40]
    # "says" stands in j sentences of d_j, and in no negative.
    assert [each["Adjacent"]["mean"] for each in lengths] == [1.0, 1.0]
    assert [each["Adjacent"]["n"] for each in lengths] == [2, 2]
    assert lengths[0]["similarity"] is None
    page = (tmp_path / "out" / "length.html").read_text()
    assert "Adjacent win rate by length" in page and "Similarity by length" not in page


def test_similarity_is_told_of_an_encoder(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    from tiny_encoders import ROW_OF, save_encoder

    model = save_encoder("bert", tmp_path / "model")
    name = f"{ROW_OF['bert']}:{model},max_length=40,cache=false"
    (study,) = studied(tmp_path, "-s", name, "--words", "0", "--words", "60", "--style", "prose")
    lengths = study["lengths"]
    assert isinstance(lengths, list)
    assert all(-1 <= each["similarity"]["mean"] <= 1.0001 for each in lengths)
    assert "Similarity by length" in (tmp_path / "out" / "length.html").read_text()


class FirstWords:
    """Reads so many words of a document."""

    def __init__(self, words: int) -> None:
        self.words = words

    def read(self, queries: Sequence[str], documents: Sequence[str]) -> list[Reading]:
        return [Reading(" ".join(each.split()[: self.words])) for each in documents]


def test_neighbours_that_differ_behind_the_cut_are_unread(tmp_path: Path) -> None:
    write_ladders(tmp_path / "ladders.jsonl", [a_record()])
    [whole] = [only_ladders(each, "list") for each in build(data=tmp_path)]
    assert unread_shares(whole, FirstWords(1000)) == [0.0]
    assert unread_shares(whole, FirstWords(0)) == [1.0]
    # the first sentence alone is read: only d_0 and d_1 differ in it, of three pairs
    first = len(a_record().conditions[0].split())
    assert unread_shares(whole, FirstWords(first)) == [pytest.approx(2 / 3)]


def test_a_style_that_is_not_there_is_refused(tmp_path: Path) -> None:
    write_ladders(tmp_path / "ladders.jsonl", [a_record()])
    typed = ["analyse", "length", "-s", "bm25", "--data", str(tmp_path), "--style", "verse",
             "--out", str(tmp_path / "out")]  # fmt: skip
    done = RUN.invoke(app, typed)
    assert done.exit_code == 2 and "no query with all conditions in style 'verse'" in done.stderr


def table(path: Path, *names: str) -> None:
    """Write ladders of two conditions: documents that meet both, one and none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as lines:
        rows = csv.writer(lines)
        rows.writerow(["Query2", "Positive", "HN1", "HN2"])
        rows.writerows([f"{name} film", f"a {name} film", f"a {name}", "none"] for name in names)


def test_only_ladders_that_are_there_at_every_length_are_compared(tmp_path: Path) -> None:
    for domain, names in {"Movies": ("red", "blue", "green"), "Books": ("old", "new")}.items():
        table(tmp_path / f"Task2_&_3/{domain}_Task2_&_3.csv", *names)
    table(tmp_path / "Task4/Movies_512.csv", "green", "red")
    done = RUN.invoke(
        app,
        ["analyse", "length", "-s", "bm25", "--data", str(tmp_path), "--words", "0",
         "--words", "512", "--out", str(tmp_path / "out")],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    (study,) = json.loads((tmp_path / "out" / "length.json").read_text())["results"]
    # Three films and two books as they are; two of the films have 512 words.
    assert [each["Adjacent"]["n"] for each in study["lengths"]] == [2, 2]
    assert "bm25, 2 ladders: adjacent win rate" in done.stdout
    said = " ".join(done.stderr.split())
    assert "Compared: 2 ladders of 5. The others lack a length." in said
    assert "has no table of 512 words for books: left out." in said
