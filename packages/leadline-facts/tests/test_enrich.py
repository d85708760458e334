import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from leadline.cli.main import app
from leadline.errors import InputError
from leadline.systems.chains import load_system
from leadline.types import Query
from tables import each_row

TEXT = "2024-03-05 09:00, Ana: two days ago I was at the Tower of Gantry."


def run(*arguments: str | Path | int) -> Result:
    return CliRunner().invoke(app, [str(each) for each in arguments])


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEADLINE_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "notes.jsonl"
    rows = [
        {"_id": "a", "title": "Trip", "text": TEXT},
        {"_id": "b", "text": "Ana was here."},
        {"_id": "c", "text": "2024-03-09 10:00, Ana: two days ago I was at home."},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def places(tmp_path: Path) -> Path:
    path = tmp_path / "places.tsv"
    path.write_text("Tower of Gantry\tlandmark\tFR\n", encoding="utf-8")
    return path


def test_enrich_writes_a_line_for_every_document(corpus: Path, places: Path) -> None:
    out = corpus.with_name("facts.jsonl")
    done = run("enrich", corpus, "--out", out, "--places", places)
    assert done.exit_code == 0, done.output
    rows = {row["id"]: row["facts"] for row in map(json.loads, out.read_text().splitlines())}
    assert list(rows) == ["a", "b", "c"]
    told = {(fact["kind"], json.dumps(fact["value"])): fact for fact in rows["a"]}
    assert told["date", '"2024-03-03"']["about"] == "Ana"
    country = told["country", '{"code": "FR", "name": "France"}']
    assert (country["role"], country["evidence"]) == ("derived", ["Tower of Gantry"])
    assert rows["b"] == []


def test_facts_are_the_same_on_workers_byte_for_byte(
    corpus: Path, places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leadline_facts.in_parts._DOCUMENTS", 1)
    written = []
    for workers in (1, 2):
        monkeypatch.setenv("LEADLINE_CACHE", str(corpus.with_name(f"cache{workers}")))
        out = corpus.with_name(f"{workers}.jsonl")
        done = run("enrich", corpus, "--out", out, "--places", places, "--workers", workers)
        assert done.exit_code == 0, done.output
        written.append(out.read_bytes())
    assert written[0] == written[1]


def test_explain_shows_evidence_and_derivation(corpus: Path, places: Path) -> None:
    out = corpus.with_name("facts.jsonl")
    shown = run("enrich", corpus, "--out", out, "--places", places, "--explain").stdout
    assert "Tower of Gantry is a landmark in France [“Tower of Gantry”]" in shown
    assert "b: no facts" in shown


def test_a_chain_with_facts_finds_what_documents_imply(corpus: Path, places: Path) -> None:
    from leadline.data.documents import read_corpus

    documents = read_corpus(str(corpus))
    for asked in ("Where was Ana on March 3, 2024", "When was Ana in France"):
        run = load_system(f"facts:places={places}+bm25").run(documents, [Query("q", asked)]).run
        assert next(iter(run["q"])) == "a"


@each_row
def test_a_chain_whose_enricher_does_not_fit_is_refused(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_system(spec)


def test_enrichers_of_a_chain_are_joined() -> None:
    settings = load_system("temporal+quantities+bm25").settings["retriever"]
    assert settings["enricher"].startswith("temporal/")
    assert "+quantities/" in settings["enricher"]
