"""`leadline synthesize questions`: a model on loopback writes and judges."""

import json
from pathlib import Path

from typer.testing import CliRunner

from commands import run
from leadline.cli.main import app
from llm_server import EndpointServer, said
from questions_writer import answer, towns


def test_questions_are_a_benchmark_folder_that_runs(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    lines = [{"_id": each.id, "title": each.title, "text": each.text}
             for each in towns("harbour", "mill", "mill-2", "bridge").values()]  # fmt: skip
    corpus.write_text("".join(json.dumps(each) + "\n" for each in lines))
    out = str(tmp_path / "out")
    bare = run("synthesize", "questions", corpus, code=2)
    assert "--llm" in bare.stderr
    with EndpointServer(lambda prompt, _: said(answer(prompt))) as server:
        own = ["--llm", server.url, "--llm-model", "toy", "--out", out]
        made = CliRunner().invoke(app, ["synthesize", "questions", str(corpus), *own])
    assert made.exit_code == 0, made.output
    settings = json.loads((tmp_path / "out" / "benchmark.json").read_text())
    assert (settings["kind"], settings["built_by"], settings["read"]) == ("questions", "llm", True)
    scored = run("evaluate", "-s", "bm25", "-b", out, "--json", "--out", tmp_path / "scores")
    assert "Recall@10" in scored.stdout
