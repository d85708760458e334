"""`leadline train reasoner` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("trl")

import tiny_models
from leadline.cli.main import app
from leadline.kinds.reasoning.pairs import JudgedPair, write_pairs


def test_pairs_become_a_model(tmp_path: Path) -> None:
    base = tiny_models.save(tmp_path / "b", "Qwen2ForCausalLM", tiny_models.byte_tokenizer())
    write_pairs(
        tmp_path / "pairs.jsonl",
        [JudgedPair(f"mill {n // 2}", "the old mill", n % 2 == 0, "the mill.") for n in range(12)],
    )
    given = ["train", "reasoner", "--pairs", str(tmp_path / "pairs.jsonl"), "--model", str(base)]
    plan = CliRunner().invoke(app, [*given, "--dry-run", "--held-out", "0.2"])
    assert plan.stdout == "10 pairs to train on, 2 held out.\n"
    own = ["--out", str(tmp_path / "out"), "--steps", "1", "--precision", "float32",
           "--batch-size", "2", "--accumulation", "1", "--trace-tokens", "4", "--json",
           "--quiet"]  # fmt: skip
    done = CliRunner().invoke(app, [*given, *own])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["rows"], told["steps"]) == (10, 1)
    assert (tmp_path / "out" / "model.safetensors").exists()


def test_published_pairs_are_taken_at_the_size_asked_for(tmp_path: Path) -> None:
    rows = [
        {"instruction": "Judge.", "input": f"Query: q{n}\nPassage: p",
         "output": f"<think>x</think> {'true' if n % 2 else 'FALSE'}"}
        for n in range(10)
    ]  # fmt: skip
    rows.append({"instruction": "Judge.", "input": "Query: q", "output": "true"})
    path = tmp_path / "train.json"
    path.write_text(json.dumps(rows))
    given = ["train", "reasoner", "--pairs", str(path), "--dry-run", "--held-out", "0"]
    done = CliRunner().invoke(app, [*given, "--size", "6"])
    assert done.stdout == "6 pairs to train on, 0 held out.\n"
    assert "passed over 1: no query and passage" in done.stderr
    assert CliRunner().invoke(app, given).stdout == "10 pairs to train on, 0 held out.\n"


def test_an_unknown_preset_is_told(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        app, ["train", "reasoner", "--pairs", str(tmp_path / "p.jsonl"), "--preset", "leaflet"]
    )
    assert done.exit_code == 2
    assert "leaflet" in done.stderr
