"""`leadline synthesize rephrasings`: by rules, and by a model on loopback."""

import json
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

import commands
from leadline.kinds.questions import by_model as pooling
from leadline.systems.benchmarks import load_benchmarks
from llm_server import EndpointServer, said
from questions_writer import TOWNS as ALL_TOWNS
from questions_writer import answer, towns

TOWNS = ALL_TOWNS[:6]


def written_to(path: Path, names: Sequence[str]) -> Path:
    lines = [{"_id": each.id, "title": each.title, "text": each.text}
             for each in towns(*names).values()]  # fmt: skip
    path.write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def _no_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pooling, "find_spec", lambda _: None)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return written_to(tmp_path / "corpus.jsonl", TOWNS)


run = partial(commands.run, "synthesize", "rephrasings")


def test_forms_by_rules_make_a_benchmark_folder(tmp_path: Path, corpus: Path) -> None:
    run(corpus, "--out", tmp_path / "out", "--review")
    settings = json.loads((tmp_path / "out" / "benchmark.json").read_text())
    assert (settings["kind"], settings["built_by"]) == ("rephrasings", "rules")
    assert (tmp_path / "out" / "review.csv").exists()


def test_a_model_writes_and_another_judges(tmp_path: Path, corpus: Path) -> None:
    with EndpointServer(lambda prompt, _: said(answer(prompt))) as server:
        own = ("--llm", server.url, "--llm-model", "toy", "--verify-model", "judge")
        done = run(corpus, "--out", tmp_path / "out", *own, "--limit", "3")
        models = {body["model"] for body in server.bodies}
    assert models == {"toy", "judge"}
    assert re.search(r"3 queries with 1\d rephrasings", done.stdout)
    settings = json.loads((tmp_path / "out" / "benchmark.json").read_text())
    assert (settings["built_by"], settings["kept"]) == ("llm", 3)
    assert set(json.loads((tmp_path / "out" / "run.json").read_text())["measured"]) == {
        "questions", "rephrasings", "reader",
    }  # fmt: skip


def test_rephrasings_of_a_model_are_trained_on_with_one_command(
    tmp_path: Path, corpus: Path
) -> None:
    pytest.importorskip("datasets")
    with EndpointServer(lambda prompt, _: said(answer(prompt))) as server:
        own = ("--llm", server.url, "--llm-model", "toy", "--verify-model", "judge")
        run(corpus, "--out", tmp_path / "out", *own)
    train = ["train", "retriever", "--data", str(tmp_path / "out"), "--dry-run"]
    refused = commands.run(*train, code=2)
    assert "--split test" in " ".join(refused.stderr.split())
    done = commands.run(*train, "--split", "test", "--quiet")
    # Six places; half of them are held out.
    first = done.stdout.splitlines()[0]
    assert first.startswith(f"{tmp_path / 'out'}: 3 queries to learn from (judged in qrels/test")
    assert "(of queries.jsonl); 3 queries held out" in first


def test_judgements_need_queries(tmp_path: Path, corpus: Path) -> None:
    done = run(corpus, "--qrels", tmp_path / "q.tsv", code=2)
    assert "Give them with --queries FILE" in done.stderr


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
