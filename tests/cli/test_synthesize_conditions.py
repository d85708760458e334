"""`leadline synthesize conditions --llm`: from a corpus to a benchmark folder, on loopback."""

import csv
import json
from functools import partial
from pathlib import Path

import pytest
from fault_commands import on_ladders

import commands
import ladder_writer
from leadline.kinds.conditions.ladders import read_ladders
from leadline.kinds.conditions.published import build
from leadline.kinds.conditions.sheet import ANSWER
from llm_server import EndpointServer, said

PORTS = ("Dover", "Leith", "Poole")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.jsonl"
    log = " ".join(ladder_writer.SENTENCES[:10])
    records = [{"_id": port, "text": log.replace("the port", port)} for port in PORTS]
    records.append({"_id": "note", "title": "", "text": "The port was closed."})
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    return path


run = partial(commands.run, "synthesize", "conditions")


def answer(prompt: str) -> str:
    if "<" not in prompt:  # the question once more, after an answer that was no JSON
        return "no JSON either"
    if "pick 10 of its sentences" in prompt and "Poole" in prompt:
        return "no JSON at all"
    return on_ladders(prompt)


def test_a_model_builds_ladders_and_a_second_run_costs_nothing(
    tmp_path: Path, corpus: Path
) -> None:
    with EndpointServer(lambda prompt, _: said(answer(prompt))) as server:
        own = ("--llm", server.url, "--llm-model", "toy", "--verify-model", "judge",
               "--protocol", "paper", "--domain", "legal", "--review",
               "--attempts", "1")  # fmt: skip
        done = run(corpus, "--out", tmp_path / "out", *own)
        asked = len(server.bodies)
        run(corpus, "--out", tmp_path / "again", *own)
        # Answers that are no JSON and were the last attempt are the only ones put again, at most.
        again = [str(body) for body in server.bodies[asked:]]
    assert all("Poole" in body for body in again)
    assert len(again) <= 2
    assert "conditions: 2 topics. Left out: " in done.stderr
    assert "2 documents with 40 queries" in done.stderr
    out = tmp_path / "out"
    for name in ("ladders.jsonl", "queries.jsonl", "log.jsonl", "review.csv"):
        assert (out / name).read_bytes() == (tmp_path / "again" / name).read_bytes()
    assert [each.id for each in read_ladders(out / "ladders.jsonl")] != []
    settings = json.loads((out / "benchmark.json").read_text())
    assert (settings["kind"], settings["built_by"], settings["kept"]) == ("conditions", "llm", 2)
    assert settings["dropped"] == {
        "not asked: fewer than ten sentences": 1, "the answer is no JSON": 1,
    }  # fmt: skip
    told = json.loads((out / "run.json").read_text())
    assert told["measured"]["audit"] == {"conditions": 20, "refused": 0}
    assert told["records"]["each"] == {
        "Dover": "kept", "Leith": "kept", "Poole": "the answer is no JSON",
    }  # fmt: skip
    assert "conditions: 2 of 3 records were kept. Left out: 1 the answer is no JSON" in done.stderr
    assert told["measured"]["drift"]["length ratio"] == 1.0
    with (out / "review.csv").open(newline="") as handle:
        rows = list(csv.DictReader(handle))
    assert len(rows) == 40 + 40 + 40
    page = (out / "review.html").read_text()
    assert page.count("data-item=") == 120
    made = build(data=out)
    assert {each.built_by for each in made} == {"llm"}
    sheets = []
    for reader in ("anna", "ben"):
        sheets.append(tmp_path / f"{reader}.csv")
        with sheets[-1].open("w", newline="") as handle:
            csv.writer(handle).writerows([("item", ANSWER), *((row["item"], 3) for row in rows)])
    done = commands.run("analyse", "agreement", *sheets, "--data", out)
    for what in ("queries", "documents", "queries judged as such"):
        assert f"2 readers, 40 {what} with an answer from everyone: agreement 1.000" in done.stdout
    done = commands.run("evaluate", "-s", "bm25", "-b", out, "--out", tmp_path / "report")


def test_options_of_the_paper_belong_to_its_protocol(corpus: Path) -> None:
    own = ("--llm", "http://127.0.0.1:9/v1", "--llm-model", "toy")
    assert "--features FILE" in run(corpus, *own, "--protocol", "paper", code=2).stderr
    for given in (("--domain", "legal"), ("--drop", "fact"), ("--review",)):
        assert "need --protocol paper" in run(corpus, *own, *given, code=2).stderr
    assert "needs --llm URL" in run(corpus, "--protocol", "paper", code=2).stderr
