"""Whoever builds tests with a model has its reader tried first, and uses none that is unfit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from facts_writer import read, read_all
from leadline.cli.main import app
from llm_server import EndpointServer, Reply, said
from notes import write_notes

JUDGING = {
    "conditions": "read", "questions": "judge", "rephrasings": "judge", "instructions": "judge",
    "implicit-facts": "read",
}  # fmt: skip
"""The step that asks the reader, by what is built."""


def steps_of(kind: str, corpus: Path, out: Path, reader) -> tuple[dict, str]:
    """Build with a model that writes nothing of use; return its record and what is said."""

    def reply(prompt: str, _: int) -> Reply:
        return said(reader(prompt) if "<statements>" in prompt else "{}")

    with EndpointServer(reply) as server:
        own = ["--llm", server.url, "--llm-model", "toy", "--limit", "2", "--out", str(out)]
        done = CliRunner().invoke(app, ["synthesize", kind, str(corpus), *own])
    return json.loads((out / "run.json").read_text()), " ".join(done.stderr.split())


@pytest.mark.parametrize("kind", JUDGING)
def test_an_unfit_reader_is_found_out_and_not_asked(kind: str, tmp_path: Path) -> None:
    told, said = steps_of(kind, write_notes(tmp_path), tmp_path / "out", read_all)
    names = [step["name"] for step in told["steps"]]
    assert names[0] == "reader tried"
    assert JUDGING[kind] not in names
    assert told["measured"]["reader"]["pairs"] >= 10
    assert told["measured"]["reader"]["used"] is False
    assert "It is not used to judge" in said


@pytest.mark.parametrize("kind", JUDGING)
def test_a_fit_reader_is_used(kind: str, tmp_path: Path) -> None:
    told, said = steps_of(kind, write_notes(tmp_path), tmp_path / "out", read)
    assert told["measured"]["reader"]["used"] is True
    assert "found 100% of true statements" in said


def test_queries_without_documents_have_their_reader_tried_too(tmp_path: Path) -> None:
    queries = tmp_path / "queries.jsonl"
    queries.write_text(json.dumps({"_id": "q", "text": "opening hours of the town mill"}))
    for reader, is_used in ((read, True), (read_all, False)):
        with EndpointServer(lambda prompt, _, reader=reader: said(reader(prompt))) as server:
            own = ["--llm", server.url, "--llm-model", "toy", "--out", str(tmp_path / "out")]
            words = ["synthesize", "rephrasings", "--queries", str(queries)]
            CliRunner().invoke(app, [*words, *own])
        told = json.loads((tmp_path / "out" / "run.json").read_text())
        assert told["measured"]["reader"]["used"] is is_used
