"""The two strategies of hard negatives, on ladders of three conditions."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

from typer.testing import CliRunner

from ladders import a_record
from leadline.cli.main import app
from leadline.kinds.conditions.ladders import write_ladders

RUN = CliRunner()


def typed(tmp_path: Path) -> list[str]:
    return ["analyse", "negatives", "-s", "bm25", "--data", str(tmp_path),
            "--out", str(tmp_path / "out")]  # fmt: skip


def test_each_strategy_has_its_own_win_rate(tmp_path: Path) -> None:
    record = a_record(id="a")
    edits = ["negation", "dummy", "dummy"]
    negatives = ["It denies 1.", "Says 2 2.", "Says 3 3."]  # the last two win
    write_ladders(
        tmp_path / "ladders.jsonl",
        [dataclasses.replace(record, edits=edits, negatives=negatives)],
    )
    done = RUN.invoke(app, typed(tmp_path))
    assert done.exit_code == 0, done.output
    (bm25,) = json.loads((tmp_path / "out" / "negatives.json").read_text())["results"]
    altered, kept = bm25["strategies"]
    assert (altered["strategy"], altered["WinRate"]["mean"]) == ("fact altered", 1.0)
    assert kept["strategy"] == "terms kept" and kept["WinRate"]["mean"] < 1.0
    assert (list(altered["by_k"]), list(kept["by_k"])) == (["1"], ["2", "3"])
    assert "Win rate, terms kept" in (tmp_path / "out" / "negatives.html").read_text()


def test_ladders_of_one_strategy_are_refused_in_a_line(tmp_path: Path) -> None:
    write_ladders(tmp_path / "ladders.jsonl", [a_record(id="a")])
    done = RUN.invoke(app, typed(tmp_path))
    assert done.exit_code == 2
    assert "by the strategy 'terms kept'" in done.output.replace("\n", " ")
