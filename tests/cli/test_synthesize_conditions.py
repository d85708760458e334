"""`leadline synthesize conditions --llm`: from a corpus to a benchmark folder, on loopback."""

from __future__ import annotations

import csv
import json
import re
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

import commands
from leadline.cli.main import app
from leadline.kinds.conditions.ladders import read_ladders
from leadline.kinds.conditions.published import build
from leadline.kinds.conditions.sheet import ANSWER
from llm_server import EndpointServer, said

GOODS = ("rye", "salt", "tar", "wool", "iron", "hemp", "wine", "coal", "flax", "tin")
PORTS = ("Dover", "Leith", "Poole")


def sentences(port: str) -> list[str]:
    return [f"The clerk of {port} counted {n} barrels of {good} that week."
            for n, good in enumerate(GOODS, 11)]  # fmt: skip


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.jsonl"
    records = [{"_id": port, "title": "", "text": " ".join(sentences(port))} for port in PORTS]
    records.append({"_id": "note", "title": "", "text": "The port was closed."})
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    return path


run = partial(commands.run, "synthesize", "conditions")


def inside(prompt: str, name: str) -> str:
    return re.search(rf"<{name}>\n(.*?)\n</{name}>", prompt, re.DOTALL)[1]


def facts(text: str) -> set[tuple[str, ...]]:
    return set(re.findall(r"(\d+) (?:barrels|casks) of (\w+)", text))


def answer(prompt: str) -> str:
    if "<" not in prompt:  # the question once more, after an answer that was no JSON
        return "no JSON either"
    if "pick 10 of its sentences" in prompt:
        port = re.search(r"The clerk of (\w+)", prompt)[1]
        if port == "Poole":
            return "no JSON at all"
        return json.dumps({"conditions": sentences(port)})
    if "short forms" in prompt:
        each = [f"a weekly count of {n} casks of {good}" for n, good in enumerate(GOODS, 11)]
        prose = ["Find the log with " + ", then ".join(each[:k]) + "." for k in range(1, 11)]
        return json.dumps({"short": each, "prose": prose})
    if "how many of the 10 facts" in prompt:
        lines = inside(prompt, "queries").splitlines()
        return json.dumps({"stated": [len(facts(line)) for line in lines]})
    if "The statements:" in prompt:
        told = [facts(line) for line in inside(prompt, "statements").splitlines()]
        asked = [facts(line) for line in inside(prompt, "conditions").splitlines()]
        rows = [[n for n, has in enumerate(told, 1) if each <= has] for each in asked]
        return json.dumps({"rows": rows})
    if "The text:" in prompt:
        met = facts(inside(prompt, "condition")) <= facts(inside(prompt, "text"))
        return json.dumps({"holds": met})
    sentence = inside(prompt, "sentence")
    changed = re.sub(r"(\d+) barrels", r"9\1 barrels", sentence)
    return json.dumps({"sentence": changed, "changed": "number"})


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
    done = CliRunner().invoke(app, ["analyse", "agreement", *map(str, sheets), "--data", str(out)])
    assert done.exit_code == 0, done.output
    for what in ("queries", "documents", "queries judged as such"):
        assert f"2 readers, 40 {what} with an answer from everyone: agreement 1.000" in done.stdout
    done = CliRunner().invoke(
        app, ["evaluate", "-s", "bm25", "-b", str(out), "--out", str(tmp_path / "report")]
    )
    assert done.exit_code == 0, done.output


def test_options_of_the_paper_belong_to_its_protocol(corpus: Path) -> None:
    own = ("--llm", "http://127.0.0.1:9/v1", "--llm-model", "toy")
    assert "--features FILE" in run(corpus, *own, "--protocol", "paper", code=2).stderr
    for given in (("--domain", "legal"), ("--drop", "fact"), ("--review",)):
        assert "need --protocol paper" in run(corpus, *own, *given, code=2).stderr
    assert "needs --llm URL" in run(corpus, "--protocol", "paper", code=2).stderr
