"""leadline synthesize, as a user runs it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from commands import run
from leadline.cli.main import app


def small(out: Path) -> tuple[str | Path, ...]:
    return ("synthesize", "implicit-facts", "--out", out, "--sets", "2", "--tuples", "5")


def test_what_is_built_is_evaluated_as_built_by_rules(tmp_path: Path) -> None:
    run(*small(tmp_path / "facts"))
    run("evaluate", "-s", "bm25", "-b", "implicit-facts", "--data", tmp_path / "facts",
        "--out", tmp_path / "out", "--quiet")  # fmt: skip
    results = json.loads((tmp_path / "out" / "report.json").read_text())["results"]
    assert len(results) == 7  # six pools and the whole
    assert {result["built_by"] for result in results} == {"rules"}
    assert {result["system"] for result in results} == {"bm25"}  # no published rows beside


def test_the_users_own_places_are_used(tmp_path: Path) -> None:
    table = tmp_path / "mine.tsv"
    names = ["Aka Arena\tarena\tJP", "Bo Museum\tmuseum\tPE", "Cy Church\tchurch\tNL"]
    table.write_text("\n".join(names) + "\n")
    out = tmp_path / "out"
    run("synthesize", "implicit-facts", "--out", out, "--sets", "1", "--tuples", "3",
        "--pool", "wknow-unispeaker", "--places", table)  # fmt: skip
    rows = [json.loads(line) for line in (out / "wknow_unispeaker.jsonl").open()]
    assert {row["tuple"]["landmark"] for row in rows} == {"Aka Arena", "Bo Museum", "Cy Church"}
    assert json.loads((out / "benchmark.json").read_text())["places"]["table"] == "mine.tsv"


def test_a_sheet_for_readers_comes_on_request(tmp_path: Path) -> None:
    run(*small(tmp_path), "--pool", "wknow-multispeaker", "--review")
    assert "states it outright" in (tmp_path / "review.csv").read_text().partition("\n")[0]


def test_mistakes_are_told_in_one_line(tmp_path: Path) -> None:
    assert "Unknown kind of benchmark 'implicit'" in run("synthesize", "implicit", code=2).output
    done = run(*small(tmp_path), "--pool", "temporal-chat", code=2)
    assert "Unknown pool 'temporal_chat'" in done.output
    assert "needs --llm" in run("synthesize", "implicit-facts", "docs/", code=2).output


def test_landmarks_come_from_a_dump_of_wikidata_and_what_is_dropped_is_told(
    tmp_path: Path,
) -> None:
    def entity(number: int, label: str, **claims: object) -> str:
        statements = {
            name: [{"rank": "normal", "mainsnak": {"datavalue": {"value": value}}}]
            for name, value in claims.items()
        }
        labels = {"en": {"value": label}}
        return json.dumps({"id": f"Q{number}", "labels": labels, "claims": statements})

    def place(number: int, label: str, country: int) -> str:
        return entity(number, label, P31={"numeric-id": 33506}, P17={"numeric-id": country})

    countries = [entity(1, "Japan", P297="JP"), entity(2, "Peru", P297="PE")]
    names = [place(10, "Larch House", 1), place(11, "Odo Rooms", 2), place(12, "Q12", 2)]
    dump = tmp_path / "dump.json"
    dump.write_text("[\n" + ",\n".join([*countries, *names]) + "\n]\n")
    done = run("synthesize", "implicit-facts", "--out", tmp_path / "facts", "--sets", "1",
               "--tuples", "2", "--pool", "wknow-multispeaker", "--places", dump)  # fmt: skip
    assert "Places: 2 used; dropped: 1 without a name" in done.output
    rows = (tmp_path / "facts" / "wknow_multispeaker.jsonl").read_text()
    assert "Larch House" in rows
    assert "Odo Rooms" in rows


def test_places_are_judged_by_the_model_only_when_asked(tmp_path: Path) -> None:
    pytest.importorskip("openai")
    table = tmp_path / "table.tsv"
    table.write_text("Larch Rooms\tmuseum\tJP\nOdo House\tmuseum\tPE\nGantry Hall\tvenue\tNL\n")
    plain = ("synthesize", "implicit-facts", "--out", tmp_path / "facts", "--sets", "1",
             "--tuples", "1", "--pool", "wknow-multispeaker", "--places", table)  # fmt: skip
    model = ("--llm", "http://127.0.0.1:9/v1", "--llm-model", "toy", "--dry-run")

    def calls(*more: str) -> int:
        told = re.search(r"Would ask toy: (\d+) calls", run(*plain, *model, *more).output)
        assert told
        return int(told[1])

    assert calls("--judge-places") == calls() + 3
    done = CliRunner().invoke(app, [*map(str, plain), "--judge-places"])
    assert done.exit_code != 0
    assert "--judge-places needs --llm URL" in str(done.exception) + done.output


def test_what_was_built_runs_as_a_folder(tmp_path: Path) -> None:
    out = tmp_path / "facts"
    run("synthesize", "implicit-facts", "--out", out, "--sets", "1", "--tuples", "3",
        "--pool", "temporal-multispeaker", "--pool", "arithmetic-unispeaker")  # fmt: skip
    run("evaluate", "-s", "bm25", "-b", out, "--out", tmp_path / "results")
    results = json.loads((tmp_path / "results" / "report.json").read_text())["results"]
    assert [each["benchmark"] for each in results] == [
        "implicit-facts/arithmetic-unispeaker", "implicit-facts/temporal-multispeaker",
        "implicit-facts",
    ]  # fmt: skip
