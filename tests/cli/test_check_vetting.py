"""`leadline check --vet` on a scripted server."""

from __future__ import annotations

import json
import re

import pytest
from typer.testing import CliRunner

from leadline.cli.main import app
from llm_server import EndpointServer, said
from notes import NOTES


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "corpus"
    folder.mkdir()
    for id, (title, text) in NOTES.items():
        (folder / f"{id}.txt").write_text(f"{title}\n\n{text}")
    return folder


def check(corpus, out, *options):
    return CliRunner().invoke(
        app, ["check", str(corpus), "--probe", "conditions", "--out", str(out), *options]
    )


def refusing_one(prompt, _):
    asked = re.findall(r"Condition: (.*)", prompt)
    return said(json.dumps({"verdicts": ["bad" if "Doctor" in each else "good" for each in asked]}))


def test_a_refused_condition_is_not_asked_and_the_report_names_the_reader(corpus, tmp_path):
    plain = check(corpus, tmp_path / "plain")
    with EndpointServer(refusing_one) as server:
        read = check(
            corpus, tmp_path / "read", "--vet", "--llm", server.url, "--llm-model", "reader"
        )
    assert plain.exit_code == read.exit_code == 0, read.output
    lines = [
        len((tmp_path / name / "conditions/queries.jsonl").read_text().splitlines())
        for name in ("plain", "read")
    ]
    assert 0 < lines[1] < lines[0]
    assert '"reader": "reader"' in (tmp_path / "read/conditions/benchmark.json").read_text()
    assert "cases read by" in (tmp_path / "read/report.html").read_text()


def test_a_dry_run_says_what_reading_would_take_and_asks_nothing(corpus, tmp_path):
    with EndpointServer(refusing_one) as server:
        told = check(
            corpus, tmp_path, "--vet", "--llm", server.url, "--llm-model", "reader", "--dry-run"
        )
    assert told.exit_code == 0
    assert "Would ask reader" in told.stderr
    assert not server.calls


def test_reading_needs_a_model(corpus, tmp_path):
    told = check(corpus, tmp_path, "--vet")
    assert told.exit_code == 2
    assert "--vet needs a language model: --llm URL --llm-model NAME." in told.stderr
