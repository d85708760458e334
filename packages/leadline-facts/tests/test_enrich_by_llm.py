"""`leadline enrich --llm` and systems whose facts a language model finds, on a scripted server."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from leadline.cli.main import app
from leadline.data.documents import read_corpus
from leadline.llm.account import Account, Endpoint
from leadline.systems.chains import load_system
from leadline.types import Query
from llm_server import EndpointServer, said

TEXT = "2024-03-05 09:00, Ana: two days ago I stood under the Tower of Gantry number {}."
COUNTRY = {"kind": "country", "value": "France", "formula": "the Tower of Gantry", "sentences": [1]}
ANSWER = json.dumps({"facts": [COUNTRY, COUNTRY | {"formula": "in Lyon"}]})


@pytest.fixture
def server() -> Iterator[EndpointServer]:
    with EndpointServer(lambda *_: said(ANSWER)) as running:
        yield running


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return written(tmp_path, 3)


def written(folder: Path, documents: int) -> Path:
    path = folder / "notes.jsonl"
    rows = [{"_id": f"d{n}", "text": TEXT.format(n)} for n in range(documents)]
    rows.append({"_id": "other", "title": "Winter", "text": "We stayed at home."})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(each) for each in arguments])


def model(server: EndpointServer) -> list[str]:
    return ["--llm", server.url, "--llm-model", "tiny"]


def test_facts_of_rules_and_model_are_written_and_drops_told(server, corpus) -> None:
    out = corpus.with_name("facts.jsonl")
    done = run("enrich", corpus, "--out", out, *model(server))
    assert done.exit_code == 0, done.output
    rows = {row["id"]: row["facts"] for row in map(json.loads, out.read_text().splitlines())}
    told = {fact["kind"]: fact for fact in rows["d0"]}
    assert told["country"]["value"] == {"code": "FR", "name": "France"}
    assert told["country"]["provider"].startswith("by_llm/2-tiny-")
    assert told["country"]["evidence"] == [TEXT.format(0)]
    assert told["date"]["provider"].startswith("temporal/")
    # `in Lyon` stands in none of four documents, the tower not in the last one
    assert "5 × fact of the model dropped: its words are not in the sentences" in done.stderr
    assert "tiny: 4 calls" in done.stderr.splitlines()[-1]


def test_a_second_run_asks_nothing(server, corpus) -> None:
    outs = [corpus.with_name(f"facts{n}.jsonl") for n in range(2)]
    for out in outs:
        done = run("enrich", corpus, "--out", out, *model(server))
    assert server.calls.total() == 4
    assert "0 calls" in done.stderr
    assert "4 answers were in the cache" in done.stderr
    assert outs[0].read_bytes() == outs[1].read_bytes()


def test_a_dry_run_says_what_would_be_asked_and_writes_nothing(server, corpus) -> None:
    out = corpus.with_name("facts.jsonl")
    done = run("enrich", corpus, "--out", out, "--dry-run", *model(server))
    assert done.exit_code == 0, done.output
    assert re.search(r"Would ask tiny: 4 calls, [\d,]+ tokens of prompts", done.stderr)
    assert "Would derive facts of 4 documents" in done.stdout
    assert server.calls.total() == 0
    assert not out.exists()
    free = run("enrich", corpus, "--out", out, "--dry-run").stdout
    assert "No language model is called; it costs nothing." in free


def first_found(spec: str, corpus: Path) -> str:
    documents = read_corpus(str(corpus))
    query = Query("q", "Who was in France on March 3, 2024")
    return next(iter(load_system(spec).run(documents, [query]).run["q"]))


def test_a_system_names_the_model_of_its_facts(server, corpus) -> None:
    spec = f"facts:llm={server.url},model=tiny+bm25"
    assert first_found(spec, corpus) == "d0"
    system = load_system(spec)
    assert "+by_llm/2-tiny-" in system.settings["retriever"]["enricher"]


def test_a_system_counts_what_its_model_got_wrong(server, corpus) -> None:
    system = load_system(f"facts:llm={server.url},model=tiny+bm25")
    system.index(read_corpus(str(corpus))).search([Query("q", "France")], 3)
    assert system.failures == {
        "facts+bm25: fact of the model dropped: its words are not in the sentences": 5
    }


@pytest.mark.parametrize("spec", ["by_llm+bm25", "by_llm+facts+bm25"])
def test_a_stage_without_a_model_takes_that_of_the_command(spec, server, corpus) -> None:
    account = Account(default=Endpoint(server.url, "tiny"))
    with account.kept():
        assert first_found(spec, corpus) == "d0"
    assert server.bodies[0]["model"] == "tiny"


def test_facts_without_a_model_ask_none_whatever_the_command_names(server, corpus) -> None:
    with Account(default=Endpoint(server.url, "tiny")).kept():
        load_system("facts+bm25").run(read_corpus(str(corpus)), [Query("q", "Ana")])
    assert server.calls.total() == 0
