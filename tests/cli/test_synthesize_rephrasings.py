"""`leadline synthesize rephrasings`: by rules, and by a model on loopback."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from leadline.cli.main import app
from leadline.systems.benchmarks import load_benchmarks
from llm_server import EndpointServer, said

TOWNS = ("harbour", "mill", "station", "library", "market", "bridge")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.jsonl"
    records = [
        {"_id": town, "title": f"History of the old {town} in the northern valley",
         "text": f"The {town} was built of stone and rebuilt twice."}
        for town in TOWNS
    ]  # fmt: skip
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    return path


def run(*arguments: str | Path, code: int = 0) -> Result:
    done = CliRunner().invoke(app, ["synthesize", "rephrasings", *map(str, arguments)])
    assert done.exit_code == code, done.output
    return done


def answer(prompt: str) -> str:
    query = re.search(r"<query>\s*(.*?)\s*</query>", prompt, re.DOTALL)[1]
    if "truth value" in prompt:
        return json.dumps({"equivalent": [True, False]})
    found = [{"question": f"What is known of this: {query}?", "style": "NQ"},
             {"question": f"Something else than {query}", "style": "WebQA"}]  # fmt: skip
    return json.dumps({"original_question": query, "equivalent_questions": found})


def test_forms_by_rules_make_a_benchmark_folder(tmp_path: Path, corpus: Path) -> None:
    run(corpus, "--out", tmp_path / "out", "--review")
    settings = json.loads((tmp_path / "out" / "benchmark.json").read_text())
    assert (settings["kind"], settings["built_by"]) == ("rephrasings", "rules")
    assert (tmp_path / "out" / "review.csv").exists()


def test_a_model_writes_and_another_judges(tmp_path: Path, corpus: Path) -> None:
    with EndpointServer(lambda prompt, _: said(answer(prompt))) as server:
        own = ("--llm", server.url, "--llm-model", "toy", "--verify-model", "judge")
        done = run(corpus, "--out", tmp_path / "out", *own, "--limit", "3")
    assert "3 of 6 rephrasings are equivalent (50.0% rejected)" in done.stderr
    assert "3 queries with 3 rephrasings" in done.stdout
    settings = json.loads((tmp_path / "out" / "benchmark.json").read_text())
    assert (settings["built_by"], settings["reject rate"]) == ("llm", 0.5)
    assert (tmp_path / "out" / "run.json").exists()


def test_rephrasings_of_a_model_are_trained_on_with_one_command(
    tmp_path: Path, corpus: Path
) -> None:
    pytest.importorskip("datasets")
    with EndpointServer(lambda prompt, _: said(answer(prompt))) as server:
        own = ("--llm", server.url, "--llm-model", "toy", "--verify-model", "judge")
        run(corpus, "--out", tmp_path / "out", *own)
    train = ["train", "retriever", "--data", str(tmp_path / "out"), "--dry-run"]
    refused = CliRunner().invoke(app, train)
    assert refused.exit_code == 2
    assert "--split test" in " ".join(refused.stderr.split())
    done = CliRunner().invoke(app, [*train, "--split", "test", "--quiet"])
    assert done.exit_code == 0, done.output
    # Six towns with one equivalent each; half of them are held out.
    assert done.stdout.splitlines()[0] == (
        f"{tmp_path / 'out'}: 3 queries to learn from (judged in qrels/test.tsv), with 3 "
        "rephrasings (of queries.jsonl); 3 queries held out"
    )


def test_a_dry_run_plans_the_calls(tmp_path: Path, corpus: Path) -> None:
    with EndpointServer(lambda prompt, _: said(answer(prompt))) as server:
        own = ("--llm", server.url, "--llm-model", "toy", "--dry-run")
        done = run(corpus, "--out", tmp_path / "out", *own, "--limit", "3")
        assert not server.bodies
    assert "Would ask" in done.stderr
    assert not (tmp_path / "out").exists()


def test_judgements_need_queries(tmp_path: Path, corpus: Path) -> None:
    done = run(corpus, "--qrels", tmp_path / "q.tsv", code=2)
    assert "give them with --queries FILE" in done.stderr


def test_queries_alone_become_variations_for_a_collection_that_holds_them(
    tmp_path: Path, corpus: Path
) -> None:
    data = tmp_path / "data"
    (data / "qrels").mkdir(parents=True)
    corpus.rename(data / "corpus.jsonl")
    lines = [{"_id": town, "text": f"history of the old {town} in the valley"} for town in TOWNS]
    (data / "queries.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    judged = "".join(f"{town}\t{town}\t1\n" for town in TOWNS)
    (data / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + judged)
    done = run("--queries", data / "queries.jsonl", "--out", tmp_path / "out")
    file = tmp_path / "out" / "query_variations.jsonl"
    written = [json.loads(line) for line in file.read_text().splitlines()]
    assert {each["query_id"] for each in written} == set(TOWNS)
    assert str(file) in done.stderr
    (found,) = load_benchmarks(f"rephrasings/towns:variants={file}", data=data)
    assert [each.text for each in found.queries if each.topic == "mill"][1:] == [
        each["text"] for each in written if each["query_id"] == "mill"
    ]


def test_neither_documents_nor_queries_is_refused() -> None:
    assert "--queries FILE" in run(code=2).stderr
