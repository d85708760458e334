"""`leadline read` and `leadline errors` as a user runs them."""

import json
from pathlib import Path

from fault_commands import NAMES, POOL, chosen, pool

from commands import run
from llm_server import EndpointServer, said


def first_speaker(prompt: str, times: int):
    return said("Answer: " + next(name for name in NAMES if f", {name}:" in prompt))


def test_read_asks_the_endpoint_and_reports_rouge(tmp_path: Path) -> None:
    data, out = pool(tmp_path), tmp_path / "out"
    with EndpointServer(first_speaker) as server:
        run("read", "-b", POOL, "--data", data, "--llm", server.url, "--llm-model", "toy",
            "-k", "1", "-k", "2", "--out", out)  # fmt: skip
        roles = [turn["role"] for turn in server.bodies[0]["messages"]]
        assert roles == ["system", "user"]
        assert {body["max_tokens"] for body in server.bodies} == {256}
    results = json.loads((out / "report.json").read_text())["results"]
    # with k = 2 the first of each set is named for both: Ann, Ann, Cid, Cid
    assert [(r["system"], r["metrics"]["ROUGE-1"]["mean"]) for r in results] == [
        ("oracle@1+toy", 1.0),
        ("oracle@2+toy", 0.5),
    ]
    assert "distraction" in (out / "reading-errors.csv").read_text()
    assert "<html" in (out / "report.html").read_text()


def test_a_dry_run_asks_nothing_and_counts_the_calls(tmp_path: Path) -> None:
    data, out = pool(tmp_path), tmp_path / "out"
    with EndpointServer(first_speaker) as server:
        done = run("read", "-b", POOL, "--data", data, "--llm", server.url, "--llm-model", "toy",
                   "-k", "1", "--out", out, "--dry-run")  # fmt: skip
        assert not server.bodies
    assert "Would ask toy: 4 calls" in done.stderr
    assert not out.exists()


def test_read_without_a_model_says_how_to_name_one(tmp_path: Path) -> None:
    done = run("read", "-b", POOL, "--data", pool(tmp_path), code=2)
    assert "--llm NAME, for example" in done.stderr


def test_set_rank_and_quoted_results_stand_in_the_report(tmp_path: Path) -> None:
    data, out = pool(tmp_path), tmp_path / "out"
    run("evaluate", "-s", "bm25", "-b", POOL, "--data", data, "--depth", "1", "--out", out)
    report = json.loads((out / "report.json").read_text())
    assert {"SetRank", "MeanRank"} <= set(report["results"][0]["metrics"])
    assert {each["system"] for each in report["quoted"]} >= {"BM25", "Dragon+"}
    assert not any(each["comparable"] for each in report["quoted"])
    assert "Quoted, not measured" in (out / "report.html").read_text()
    runs = (out / POOL / "runs" / "bm25.trec").read_text().splitlines()
    assert len(runs) == 4  # one document for each query: the depth of the system


def gpqa_table(path: Path) -> Path:
    head = "Question,Correct Answer,Incorrect Answer 1,Incorrect Answer 2,Incorrect Answer 3"
    path.write_text(f"{head}\nWhich metal is heavy?,lead,tin,iron,zinc\n")
    return path


def test_choices_are_read_with_documents_and_reported_with_their_deviation(tmp_path: Path) -> None:
    data, out = gpqa_table(tmp_path / "gpqa_diamond.csv"), tmp_path / "out"
    (tmp_path / "pool.jsonl").write_text('{"_id": "d", "text": "Lead is heavy."}\n')

    def play(prompt: str, times: int):
        if "somebody answered" in prompt.lower():
            return said(chosen(prompt))
        letter = next(line[1] for line in prompt.splitlines() if line.endswith(") lead"))
        return said(f"The correct answer is ({letter})")

    with EndpointServer(play) as server:
        done = run(
            "read", "-b", "gpqa", "--data", data, "--corpus", tmp_path / "pool.jsonl",
            "-s", "bm25", "--llm", server.url, "--llm-model", "toy", "--runs", "2",
            "--judge-model", "judge", "--seed", "0", "--out", out,
        )  # fmt: skip
        asked = [body for body in server.bodies if body["model"] == "toy"]
    assert {(body["temperature"], body["top_p"], body["top_k"]) for body in asked} == {
        (0.8, 0.95, 20)
    }
    assert sorted(body["seed"] for body in asked) == [0, 1]
    assert {body["max_tokens"] for body in asked} == {8192}
    assert "Document 1: Lead is heavy." in asked[0]["messages"][1]["content"]
    result = json.loads((out / "report.json").read_text())["results"][0]
    assert result["system"] == "bm25@3+toy"
    assert result["metrics"]["ChoiceLetter"]["mean"] == 1.0
    assert result["metrics"]["Judged"]["mean"] == 1.0
    told = "bm25@3+toy, ChoiceLetter: 1.000 ± 0.000 over 2 runs (1.000, 1.000)"
    assert told in done.stdout
    page = (out / "report.html").read_text()
    assert "1.000 ± 0.000 over 2 runs" in page


def test_a_closed_book_is_called_one_and_a_plain_benchmark_takes_no_runs(tmp_path: Path) -> None:
    data, out = gpqa_table(tmp_path / "gpqa_diamond.csv"), tmp_path / "out"
    with EndpointServer(lambda prompt, _: said("I cannot say")) as server:
        own = ("--llm", server.url, "--llm-model", "toy")
        run("read", "-b", "gpqa", "--data", data, "--temperature", "0", "--out", out, *own)
        done = run("read", "-b", "gpqa", "--data", data, "-s", "bm25", *own, code=2)
        assert "--corpus CORPUS" in done.stderr
        own_pool = ("-b", POOL, "--data", pool(tmp_path))
        assert "lettered choices" in run("read", *own_pool, "--runs", "2", *own, code=2).stderr
    result = json.loads((out / "report.json").read_text())["results"][0]
    assert result["system"] == "closed-book+toy"
    assert result["metrics"]["ChoiceLetter"]["mean"] == 0.0
    assert result["failures"] == {"without a letter, counted as wrong": 1}
    assert "without a letter" in (out / "report.html").read_text()
