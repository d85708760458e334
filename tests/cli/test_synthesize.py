"""leadline synthesize, as a user runs it."""

import json
import re
from pathlib import Path

import pytest

from commands import run
from document_models import Models, order
from leadline.kinds.implicit_facts.places import read_places
from llm_server import EndpointServer, said


def invented(out: Path, places: Path, tuples: int, *more: str) -> str:
    """Run the command on one set of a pool of places, with a model that does as it is told."""
    play = Models(order(sets=1, tuples=tuples, places=read_places(places).places))
    with EndpointServer(lambda prompt, _: said(play(prompt))) as server:
        return run(
            "synthesize", "implicit-facts", "--llm", server.url, "--llm-model", "toy",
            "--out", out, "--sets", "1", "--tuples", str(tuples), "--seed", "3",
            "--places", places, *more,
        ).output  # fmt: skip


def test_the_users_own_places_are_used_and_a_sheet_for_readers_is_written(tmp_path: Path) -> None:
    table = tmp_path / "mine.tsv"
    names = ["Aka Arena\tarena\tJP", "Bo Museum\tmuseum\tPE", "Cy Church\tchurch\tNL"]
    table.write_text("\n".join(names) + "\n")
    out = tmp_path / "out"
    invented(out, table, 3, "--pool", "wknow-unispeaker", "--review")
    rows = [json.loads(line) for line in (out / "wknow_unispeaker.jsonl").open()]
    assert {row["tuple"]["landmark"] for row in rows} == {"Aka Arena", "Bo Museum", "Cy Church"}
    assert json.loads((out / "benchmark.json").read_text())["places"]["table"] == "mine.tsv"
    assert "states it outright" in (out / "review.csv").read_text().partition("\n")[0]
    run("evaluate", "-s", "bm25", "-b", out, "--out", tmp_path / "results")
    results = json.loads((tmp_path / "results" / "report.json").read_text())["results"]
    assert [each["benchmark"] for each in results] == ["implicit-facts/wknow-unispeaker"]


def test_mistakes_are_told_in_one_line() -> None:
    assert "Unknown kind of benchmark 'implicit'" in run("synthesize", "implicit", code=2).output
    assert "need --llm" in run("synthesize", "implicit-facts", "docs/", code=2).output
    wrong = ("--llm", "http://127.0.0.1:9/v1#toy", "--pool", "temporal-chat", "--dry-run")
    done = run("synthesize", "implicit-facts", *wrong, code=2)
    assert "Unknown pool 'temporal_chat'" in done.output


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
    told = invented(tmp_path / "facts", dump, 2, "--pool", "wknow-multispeaker")
    assert "Places: 2 used; dropped: 1 without a name" in told
    rows = (tmp_path / "facts" / "wknow_multispeaker.jsonl").read_text()
    assert "Larch House" in rows
    assert "Odo Rooms" in rows


def test_places_are_judged_by_the_model_only_when_asked(tmp_path: Path) -> None:
    pytest.importorskip("openai")
    table = tmp_path / "table.tsv"
    table.write_text("Larch Rooms\tmuseum\tJP\nOdo House\tmuseum\tPE\nGantry Hall\tvenue\tNL\n")
    plain = ("synthesize", "implicit-facts", "--out", tmp_path / "facts", "--sets", "1",
             "--tuples", "1", "--pool", "wknow-multispeaker", "--places", table,
             "--llm", "http://127.0.0.1:9/v1", "--llm-model", "toy", "--dry-run")  # fmt: skip

    def calls(*more: str) -> int:
        told = re.search(r"Would ask toy: (\d+) calls", run(*plain, *more).output)
        assert told
        return int(told[1])

    assert calls("--judge-places") == calls() + 3
