"""The commands as a user runs them, on real BM25."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from commands import run
from notes import write_beir, write_notes
from processes import hear_interrupts


def everything_in(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the output folder of a check of a few notes."""
    folder = tmp_path_factory.mktemp("checked")
    run("check", write_notes(folder), "--out", folder / "out", "--seed", "5")
    return folder / "out"


def test_check_writes_what_the_contract_names(checked: Path) -> None:
    out = checked
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


def test_compressed_runs_are_compared_and_read_like_plain_ones(
    checked: Path, tmp_path: Path
) -> None:
    from leadline.data.trec import read_run

    notes, packed = checked.parent / "notes.jsonl", tmp_path / "packed"
    run("check", notes, "--out", packed, "--seed", "5")  # runs in the other form, written over
    run("check", notes, "--out", packed, "--seed", "5", "--compress-runs")
    for probe in ("rephrasings", "conditions"):
        (path,) = (packed / probe / "runs").iterdir()
        assert path.name == "bm25.trec.gz"
        assert read_run(path) == read_run(checked / probe / "runs" / "bm25.trec")
    assert "bm25" in run("compare", checked, packed).stdout
    run("gate", checked, packed)


def test_every_mean_of_report_json_follows_from_the_scores(checked: Path) -> None:
    for result in json.loads((checked / "report.json").read_text())["results"]:
        path = checked / result["benchmark"] / "scores" / "bm25.json"
        scores = json.loads(path.read_text())["scores"]
        for name, mean in result["metrics"].items():
            values = scores[name].values()
            assert mean["mean"] == pytest.approx(sum(values) / len(values))
            assert mean["low"] <= mean["mean"] <= mean["high"]
            assert mean["n"] == len(values)


def test_two_runs_with_one_seed_are_identical_byte_for_byte(checked: Path, tmp_path: Path) -> None:
    run("check", checked.parent / "notes.jsonl", "--out", tmp_path / "again", "--seed", "5")
    for probe in ("rephrasings", "conditions"):
        assert everything_in(checked / probe) == everything_in(tmp_path / "again" / probe)


def test_a_probe_folder_gives_the_same_scores_when_evaluated_again(
    checked: Path, tmp_path: Path
) -> None:
    for probe in ("rephrasings", "conditions"):
        run("evaluate", "-s", "bm25", "-b", checked / probe, "--out", tmp_path / "again")
        first = (checked / probe / "scores" / "bm25.json").read_text()
        second = (tmp_path / "again" / probe / "scores" / "bm25.json").read_text()
        assert json.loads(first)["scores"] == json.loads(second)["scores"]


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
    assert "notes: 1 queries without a judgement are skipped, 3 are used." in done.stderr


def test_evaluate_reports_a_beir_folder(tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("evaluate", "-s", "bm25", "-b", write_beir(tmp_path), "--out", out)
    [result] = json.loads((out / "report.json").read_text())["results"]
    assert result["benchmark"] == "notes"
    # All three notes share a rare word with their query, and no other note does.
    assert result["metrics"]["MRR@10"]["mean"] == 1.0
    assert result["metrics"]["MRR@10"]["n"] == 3
    assert set(result["seconds"]) >= {"index", "search"}


def test_a_plan_counts_the_queries_within_the_limit(tmp_path: Path) -> None:
    beir = write_beir(tmp_path)
    done = run("evaluate", "-s", "bm25", "-b", beir, "--limit", "2", "--dry-run")
    assert ", 2 queries, bm25" in done.stdout


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
    refused = run("search", notes, query, "-s", "bm25", "--explain", code=2)
    assert "'bm25' has no stage that can explain its scores" in refused.output


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


def test_a_probe_that_could_not_be_built_says_so(tmp_path: Path) -> None:
    beir = write_beir(tmp_path)
    lines = (beir / "corpus.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    bare = [{**each, "title": "", "text": "ferry boiler film"} for each in records]
    (beir / "corpus.jsonl").write_text("".join(json.dumps(each) + "\n" for each in bare))
    done = run("check", beir, "--out", tmp_path / "out")
    assert "Could not build the conditions probe" in done.stderr


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
