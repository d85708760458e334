"""`leadline check --llm`: a language model writes the tests, on loopback and on real weights."""

import json
import re
from pathlib import Path

import pytest
from click.testing import Result

from commands import run
from facts_writer import read, read_all, write
from leadline import checking
from leadline.types import Document
from llm_server import EndpointServer, Reply, said
from notes import NOTES
from real_weights import smollm2
from scripted import ScriptedLLM
from shared import ROOT

HARBOUR = ROOT / "examples" / "harbour_town"


GOODS = ("rye", "salt", "tar", "wool", "iron", "hemp")
PORTS = ("Dover", "Leith", "Poole", "Hull", "Bristol", "Ramsgate", "Whitby", "Deal")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Return documents in which every sentence holds a number of its own."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    for number, port in enumerate(PORTS):
        counts = [(10 * number + place + 101, good) for place, good in enumerate(GOODS)]
        said = [f"The clerk of {port} counted {n} barrels of {good} that week."
                for n, good in counts]  # fmt: skip
        (folder / f"{port}.txt").write_text(f"The log of {port}\n\n{' '.join(said)}")
    return folder


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    for id, (title, text) in NOTES.items():
        (folder / f"{id}.txt").write_text(f"{title}\n\n{text}")
    return folder


def check(corpus: Path, out: Path, *options: str) -> Result:
    return run("check", corpus, "--probe", "conditions", "--out", out, *options)


def well(prompt: str, _: int) -> Reply:
    return said(read(prompt) if "<queries>" in prompt else write(prompt))


def weakly(prompt: str, _: int) -> Reply:
    return said(read_all(prompt) if "<queries>" in prompt else write(prompt))


def told_of(folder: Path) -> dict[str, object]:
    told: dict[str, object] = json.loads((folder / "run.json").read_text())
    return told


def test_a_model_writes_and_reads_and_a_second_run_asks_nothing(
    corpus: Path, tmp_path: Path
) -> None:
    with EndpointServer(well) as server:
        own = ("--llm", server.url, "--llm-model", "gpt")
        planned = check(corpus, tmp_path / "plan", *own, "--dry-run")
        assert not server.bodies
        done = check(corpus, tmp_path / "one", *own)
        asked = len(server.bodies)
        check(corpus, tmp_path / "two", *own)
        assert len(server.bodies) == asked
    assert "built by a language model" in done.stdout
    assert "gpt as a judge: found 100% of true statements" in " ".join(done.stderr.split())
    assert "conditions: " in done.stderr
    assert "Left out: " in done.stderr
    told = told_of(tmp_path / "one" / "conditions")
    assert len(told["measured"]["documents"]) == len(PORTS)  # type: ignore[index]
    assert told["settings"]["reader trial"]["used"] is True  # type: ignore[index]
    assert told_of(tmp_path / "one")["measured"]["reader"]["hits"] == 1.0  # type: ignore[index]
    page = (tmp_path / "one" / "report.html").read_text()
    assert "conditions, read by" in page
    assert "accepted 100% of the true ones" in page
    assert not (tmp_path / "plan").exists()
    count = int(re.search(r"Would ask gpt: (\d+) calls", planned.stderr)[1])  # type: ignore[index]
    steps = [*told["steps"], *told_of(tmp_path / "one")["steps"]]  # type: ignore[misc]
    assert count == sum(step["calls"] for step in steps) == 2 + 2 * len(PORTS)


def test_an_unfit_reader_is_not_used_and_rules_build_its_conditions(
    notes: Path, tmp_path: Path
) -> None:
    with EndpointServer(weakly) as server:
        done = check(notes, tmp_path / "out", "--llm", server.url, "--llm-model", "tiny")
    said = " ".join(done.stderr.split())
    assert "took 100% of false ones for true" in said
    assert "It is not used as a judge" in said
    assert told_of(tmp_path / "out" / "conditions")["steps"] == []
    assert "not read" in (tmp_path / "out" / "report.html").read_text()


def test_rules_build_where_they_are_asked_to_and_the_model_only_reads(
    notes: Path, tmp_path: Path
) -> None:
    with EndpointServer(well) as server:
        own = ("--llm", server.url, "--llm-model", "gpt", "--by", "rules")
        done = check(notes, tmp_path / "out", *own)
    assert "built by rules" in done.stdout
    told = told_of(tmp_path / "out" / "conditions")
    assert [step["name"] for step in told["steps"]] == ["read"]  # type: ignore[attr-defined]
    made = json.loads((tmp_path / "out" / "conditions" / "benchmark.json").read_text())
    assert made["reader"] == "gpt"


def test_python_takes_a_model_too() -> None:
    corpus = {id: Document(id, text, title) for id, (title, text) in NOTES.items()}
    llm = ScriptedLLM(lambda prompt: well(prompt, 0).body["choices"][0]["message"]["content"])  # type: ignore[index]
    outcome = checking.check(corpus, "bm25", probes=["conditions"], llm=llm)
    assert {report.built_by for report in outcome.reports} == {"llm"}


def test_the_demo_corpus_with_smollm2(tmp_path: Path) -> None:
    out = tmp_path / "out"
    check(HARBOUR, out, "--limit", "1", "--max-tokens", "50", "--llm", str(smollm2()))
    told = told_of(out / "conditions")
    assert not told["stopped"]
    # What holds of every case that is kept, whoever words it.
    for line in (out / "conditions" / "queries.jsonl").read_text().splitlines():
        facets = json.loads(line)["facets"]
        if facets["style"] != "control":
            assert facets["before"].strip().lower() in facets["condition"].lower()
    assert told["settings"]["reader trial"]["used"] is False  # type: ignore[index]
