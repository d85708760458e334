"""The commands as a user runs them, on real BM25."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from interrupting import hear_interrupts
from leadline.cli.main import app
from notes import NOTES, write_beir, write_notes


def run(*arguments: str | Path) -> Result:
    done = CliRunner().invoke(app, [str(each) for each in arguments])
    assert done.exit_code == 0, done.output
    return done


def everything_in(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_check_writes_what_the_contract_names(tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("check", write_notes(tmp_path), "--out", out)
    for probe in ("rephrasings", "conditions"):
        for name in (
            "corpus.jsonl", "queries.jsonl", "qrels/test.tsv", "benchmark.json",
            "runs/bm25.trec", "scores/bm25.json",
        ):  # fmt: skip
            assert (out / probe / name).is_file(), f"{probe}/{name}"
    report = json.loads((out / "report.json").read_text())
    assert {result["kind"] for result in report["results"]} == {"rephrasings", "conditions"}
    assert all(result["built_by"] == "rules" for result in report["results"])
    assert "<html" in (out / "report.html").read_text()


def test_compressed_runs_are_compared_joined_and_read_like_plain_ones(tmp_path: Path) -> None:
    from leadline.data.trec import read_run

    notes, plain, packed = write_notes(tmp_path), tmp_path / "plain", tmp_path / "packed"
    run("check", notes, "--out", plain)
    for _ in range(2):  # over runs in the other form
        run("check", notes, "--out", packed)
        run("check", notes, "--out", packed, "--compress-runs")
    for probe in ("rephrasings", "conditions"):
        (path,) = (packed / probe / "runs").iterdir()
        assert path.name == "bm25.trec.gz"
        assert read_run(path) == read_run(plain / probe / "runs" / "bm25.trec")
    assert "bm25" in run("compare", plain, packed).stdout
    run("gate", plain, packed)
    run(
        "evaluate",
        "-s",
        "bm25:k1=0.9",
        "-b",
        packed / "rephrasings",
        "--out",
        packed,
        "--compress-runs",
    )
    assert len(list((packed / "rephrasings" / "runs").glob("*.trec.gz"))) == 2


def test_every_mean_of_report_json_follows_from_the_scores(tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("check", write_notes(tmp_path), "--out", out)
    for result in json.loads((out / "report.json").read_text())["results"]:
        path = out / result["benchmark"] / "scores" / "bm25.json"
        scores = json.loads(path.read_text())["scores"]
        for name, mean in result["metrics"].items():
            values = scores[name].values()
            assert mean["mean"] == pytest.approx(sum(values) / len(values))
            assert mean["low"] <= mean["mean"] <= mean["high"]
            assert mean["n"] == len(values)


def test_two_runs_with_one_seed_are_identical_byte_for_byte(tmp_path: Path) -> None:
    corpus = write_notes(tmp_path)
    first, second = tmp_path / "first", tmp_path / "second"
    for out in (first, second):
        run("check", corpus, "--out", out, "--seed", "5")
    for probe in ("rephrasings", "conditions"):
        assert everything_in(first / probe) == everything_in(second / probe)


def test_a_probe_folder_gives_the_same_scores_when_evaluated_again(tmp_path: Path) -> None:
    run("check", write_notes(tmp_path), "--out", tmp_path / "out")
    for probe in ("rephrasings", "conditions"):
        run(
            "evaluate", "-s", "bm25", "-b", tmp_path / "out" / probe, "--out", tmp_path / "again"
        )  # fmt: skip
        first = (tmp_path / "out" / probe / "scores" / "bm25.json").read_text()
        second = (tmp_path / "again" / probe / "scores" / "bm25.json").read_text()
        assert json.loads(first)["scores"] == json.loads(second)["scores"]


def test_json_is_all_there_is_on_standard_output(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = run("check", write_notes(tmp_path), "--out", out, "--json")
    assert json.loads(done.stdout) == json.loads((out / "report.json").read_text())


def test_own_queries_replace_pseudo_queries(tmp_path: Path) -> None:
    beir = write_beir(tmp_path)
    out = tmp_path / "out"
    run(
        "check", beir, "--queries", beir / "queries.jsonl", "--qrels", beir / "qrels" / "test.tsv",
        "--probe", "rephrasings", "--out", out,
    )  # fmt: skip
    lines = (out / "rephrasings" / "queries.jsonl").read_text().splitlines()
    originals = [q for q in map(json.loads, lines) if q["facets"]["kind"] == "original"]
    assert [query["text"] for query in originals] == [
        "ferry to Skarholm", "who serviced the boiler", "film about a lighthouse keeper",
    ]  # fmt: skip


def test_the_queries_of_a_beir_folder_come_first_and_unjudged_ones_are_counted(
    tmp_path: Path,
) -> None:
    beir, out = write_beir(tmp_path), tmp_path / "out"
    with (beir / "queries.jsonl").open("a") as queries:
        queries.write(json.dumps({"_id": "q7", "text": "nobody judged me"}) + "\n")
    run("check", beir, "--probe", "rephrasings", "--out", out)
    lines = (out / "rephrasings" / "queries.jsonl").read_text().splitlines()
    originals = [q for q in map(json.loads, lines) if q["facets"]["kind"] == "original"]
    assert [query["text"] for query in originals] == [
        "ferry to Skarholm", "who serviced the boiler", "film about a lighthouse keeper",
    ]  # fmt: skip
    assert "4, of which 1 have no judgement and were skipped" in (out / "report.html").read_text()
    done = run("evaluate", "-s", "bm25", "-b", beir, "--out", tmp_path / "evaluated")
    assert "notes: queries without a judgement, skipped: 1; asked: 3." in done.stderr


def test_evaluate_reports_a_beir_folder(tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("evaluate", "-s", "bm25", "-b", write_beir(tmp_path), "--out", out)
    [result] = json.loads((out / "report.json").read_text())["results"]
    assert result["benchmark"] == "notes"
    # All three notes share a rare word with their query, and no other note does.
    assert result["metrics"]["MRR@10"]["mean"] == 1.0
    assert result["metrics"]["MRR@10"]["n"] == 3
    assert set(result["seconds"]) >= {"index", "search"}


def test_search_explains_which_condition_is_met(tmp_path: Path) -> None:
    query = "Find a note: 1. the lighthouse keeper 2. a herd of purple elephants"
    system = "bm25+by_condition:scorer=bm25"
    notes = write_notes(tmp_path)
    done = run("search", notes, query, "-s", system, "--explain", "--json")
    first = json.loads(done.stdout.splitlines()[0])
    assert [(each["asked"], each["verdict"]) for each in first["reasons"]] == [
        ("the lighthouse keeper", "met"),
        ("a herd of purple elephants", "not found"),
    ]
    assert "asked for" in run("search", notes, query, "-s", system, "--explain").stdout
    refused = CliRunner().invoke(app, ["search", str(notes), query, "-s", "bm25", "--explain"])
    assert refused.exit_code == 2
    assert "'bm25' has no stage that explains itself" in refused.output


def test_search_finds_the_note(tmp_path: Path) -> None:
    done = run("search", write_notes(tmp_path), "lighthouse keeper", "-k", "2", "--json")
    hits = [json.loads(line) for line in done.stdout.splitlines()]
    assert hits[0]["id"] == "film"
    assert hits[0]["title"] == NOTES["film"][0]
    assert len(hits) <= 2


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("systems", "minilm"),
        ("benchmarks", "implicit-facts"),
        ("metrics", "nDCG@k"),
        ("kinds", "conditions"),
    ],
)
def test_list_tells_programs_what_there_is(kind: str, name: str) -> None:
    assert name in [entry["name"] for entry in json.loads(run("list", kind, "--json").stdout)]


def test_a_listed_system_tells_where_each_setting_was_read() -> None:
    entries = {each["name"]: each for each in json.loads(run("list", "systems", "--json").stdout)}
    row = entries["bge-large-en-v1.5@released-code"]
    assert row["options"]["query_form"] == "{instruction}: {text}"
    assert row["sources"]["query_form"].startswith("EIT-NLP/InfoSearch evaluation/models/bge/")
    assert entries["llm2vec"]["unverified"]["revision"]
    assert entries["bm25"]["sources"] == {}


SLOW = '''
import time
from leadline.retrievers.bm25 import build as bm25

class Slow:
    name = "slow"
    def index(self, corpus):
        print("slow begins", flush=True)
        time.sleep(60)
        return bm25().index(corpus)

def build():
    """A first stage that takes its time."""
    return Slow()
'''


def test_ctrl_c_keeps_what_is_finished_and_the_next_run_reuses_it(tmp_path: Path) -> None:
    corpus, out = write_notes(tmp_path), tmp_path / "out"
    (tmp_path / "slow.py").write_text(SLOW)
    command = [sys.executable, "-c", "from leadline.cli.main import main; main()", "check"]
    command += [str(corpus), "-s", "bm25", "-s", "./slow.py", "--out", str(out), "--quiet"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=hear_interrupts,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "slow begins\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors
    assert "interrupted" in errors
    assert (out / "conditions" / "runs" / "bm25.trec").is_file()
    assert not (out / "report.json").exists()
    assert not [path for path in out.rglob("*") if path.name.startswith(".")]

    indexes = Path(os.environ["LEADLINE_CACHE"]) / "bm25"
    before = {path: path.stat().st_mtime_ns for path in indexes.rglob("*")}
    assert before
    time.sleep(0.01)
    run("check", corpus, "--out", out, "--probe", "conditions")
    assert {path: path.stat().st_mtime_ns for path in indexes.rglob("*")} == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_at_standard_output_is_one_line() -> None:
    command = [sys.executable, "-m", "leadline", "list", "systems"]
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == "leadline: cannot write to standard output: No space left on device.\n"


def test_a_reader_that_has_enough_is_not_complained_about() -> None:
    command = [sys.executable, "-m", "leadline", "list", "systems"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.wait(timeout=60)


def test_the_version_has_a_short_flag() -> None:
    assert run("-V").stdout == run("--version").stdout


def test_a_probe_that_could_not_be_built_says_so(tmp_path: Path) -> None:
    beir = write_beir(tmp_path)
    lines = (beir / "corpus.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    bare = [{**each, "title": "", "text": "ferry boiler film"} for each in records]
    (beir / "corpus.jsonl").write_text("".join(json.dumps(each) + "\n" for each in bare))
    done = run("check", beir, "--out", tmp_path / "out")
    assert "Probe conditions could not be built" in done.stderr


@pytest.mark.slow
def test_bars_of_other_libraries_do_not_fill_a_log(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    (tmp_path / "mine.py").write_text(
        "from transformers import BertConfig, BertModel\n"
        "from leadline.retrievers import bm25\n\n"
        "def build():\n"
        "    config = BertConfig(vocab_size=9, hidden_size=4, num_hidden_layers=1,\n"
        "                        num_attention_heads=1, intermediate_size=4)\n"
        f"    BertModel(config).save_pretrained({str(tmp_path / 'model')!r})\n"
        f"    BertModel.from_pretrained({str(tmp_path / 'model')!r})\n"
        "    return bm25.build()\n"
    )
    done = run("search", write_notes(tmp_path), "ferry", "-s", tmp_path / "mine.py")
    assert "ferry" in done.stdout
    assert "Loading weights" not in done.stderr and "%|" not in done.stderr


def test_own_queries_may_be_trec_topics_with_their_qrels(tmp_path: Path) -> None:
    topics, qrels = tmp_path / "topics.txt", tmp_path / "qrels.txt"
    topics.write_text(
        "<top>\n<num> Number: 301\n<title> ferry to Skarholm\n<desc> Description:\nNot this.\n"
        "</top>\n<top>\n<num> Number: 302\n<title> service of the boiler\n</top>\n"
    )
    qrels.write_text("301 0 ferry 1\n302 0 boiler 1\n302 0 gone 1\n")
    corpus = write_beir(tmp_path)
    out = tmp_path / "out"
    done = run(
        "check", corpus / "corpus.jsonl", "--queries", topics, "--qrels", qrels, "--out", out,
        "--probe", "rephrasings",
    )  # fmt: skip
    asked = (out / "rephrasings" / "queries.jsonl").read_text()
    assert '"_id": "301", "text": "ferry to Skarholm"' in asked and "Description" not in asked
    told = " ".join(done.output.split())
    assert "judgements name documents that the corpus lacks (the first is 'gone' of query" in told
    results = json.loads((out / "report.json").read_text())["results"]
    assert results[0]["notes"][0] in (out / "report.html").read_text().replace("&#39;", "'")
    run("diagnose", "-s", "bm25", "-b", out / "rephrasings", "--out", tmp_path / "why")


def test_documents_that_are_their_own_query_are_left_out_of_a_check(tmp_path: Path) -> None:
    corpus = write_beir(tmp_path)
    ferry = NOTES["ferry"][1]
    (tmp_path / "q.jsonl").write_text(json.dumps({"_id": "ferry", "text": ferry}) + "\n")
    (tmp_path / "q.tsv").write_text("ferry\tmatch\t1\n")
    out = tmp_path / "out"
    run(
        "check", corpus / "corpus.jsonl", "--queries", tmp_path / "q.jsonl", "--out", out,
        "--qrels", tmp_path / "q.tsv", "--probe", "rephrasings",
    )  # fmt: skip
    ranked = (out / "rephrasings" / "runs" / "bm25.trec").read_text().splitlines()
    assert ranked and not [line for line in ranked if line.split()[2] == "ferry"]
