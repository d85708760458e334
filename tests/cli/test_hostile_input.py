"""Hostile input through the commands themselves: success, or one line and exit code 2."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from leadline.cli.main import app
from notes import write_beir, write_notes

DIGITS = "9" * 400


def ended(*words: str | Path) -> tuple[int, str]:
    """Run a command and return its exit code and its errors; no exception gets out of it."""
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stderr


def refused(*words: str | Path) -> str:
    code, said = ended(*words)
    (line,) = [line for line in said.splitlines() if line.strip()]
    assert code == 2, said
    assert len(line) < 1000
    return line


def settings(**told: object) -> Callable[[Path], object]:
    return lambda folder: (folder / "benchmark.json").write_text(json.dumps(told))


def lines(name: str, *content: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text("".join(line + "\n" for line in content))


def pipe(name: str) -> Callable[[Path], object]:
    def made(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        os.mkfifo(folder / name)

    return made


QRELS = "qrels/test.tsv"
DEEP = "[" * 100_000
HOSTILE_FOLDERS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a reason for a count": (settings(dropped={"a": "b"}), "'dropped' must give a count"),
    "a count of 400 digits": (settings(considered=int(DIGITS)), "'considered' must be a count"),
    "a name of 5,000 characters": (settings(name="x" * 5000), "at most 200 characters"),
    "the name of a report": (settings(name="report.json"), "none of report.json"),
    "deep settings": (lines("benchmark.json", DEEP), "benchmark.json"),
    "a grade of 400 digits": (lines(QRELS, f"q1\td1\t{DIGITS}"), "is larger"),
    "the grade nan": (lines(QRELS, "q1\td1\tnan"), "test.tsv:1: the grade must be"),
    "deep queries": (lines("queries.jsonl", DEEP), "queries.jsonl:1"),
    "deep documents": (lines("corpus.jsonl", DEEP), "corpus.jsonl:1"),
    "an id of 5,000 digits": (lines("queries.jsonl", f'{{"_id": {"9" * 5000}}}'), "queries.jsonl"),
    "a pipe for documents": (pipe("corpus.jsonl"), "has no corpus.jsonl"),
    "a pipe for queries": (pipe("queries.jsonl"), "has no queries.jsonl"),
    "a pipe for judgements": (pipe(QRELS), "is a pipe"),
    "a pipe for settings": (pipe("benchmark.json"), "is a pipe"),
    "a pipe for candidates": (pipe("candidates.jsonl"), "is a pipe"),
}


@pytest.mark.parametrize("name", HOSTILE_FOLDERS)
def test_a_hostile_benchmark_is_refused_in_one_line(tmp_path: Path, name: str) -> None:
    folder = write_beir(tmp_path)
    change, message = HOSTILE_FOLDERS[name]
    change(folder)
    out = tmp_path / "out"
    assert message in refused("evaluate", "-s", "bm25", "-b", folder, "--out", out)
    assert not out.exists()


@pytest.mark.parametrize(
    "system",
    ["~nosuchuser/x.yaml", "~nosuchuser/x.py", "x" * 5000, "x/" * 300 + ".yaml", "{pipe}.yaml",
     "{pipe}.py", "bm25:k1=" + DIGITS, "bm25:k1=inf", "bm25:k1=nan", "a\0b", "{infinite}"],
)  # fmt: skip
def test_a_hostile_name_of_a_system_is_refused_in_one_line(tmp_path: Path, system: str) -> None:
    for ending in ("yaml", "py"):
        os.mkfifo(tmp_path / f"pipe.{ending}")
    infinite = tmp_path / "infinite.yaml"
    infinite.write_text("fusion: {systems: [bm25, 'bm25:k1=2'], weights: [.inf, 1]}\n")
    named = system.replace("{pipe}", str(tmp_path / "pipe")).replace("{infinite}", str(infinite))
    refused("evaluate", "-s", named, "-b", write_beir(tmp_path), "--out", tmp_path / "out")


@pytest.mark.parametrize("name", ["x" * 5000, "~nosuchuser/x", "report.json", "../" * 400])
def test_a_hostile_name_of_a_benchmark_is_refused_in_one_line(tmp_path: Path, name: str) -> None:
    refused("evaluate", "-s", "bm25", "-b", name, "--out", tmp_path / "out")


def test_what_check_wrote_is_not_checked_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = write_notes(tmp_path)
    folder = tmp_path / "notes"
    folder.mkdir()
    for line in notes.read_text("utf-8").splitlines():
        record = json.loads(line)
        (folder / f"{record['_id']}.txt").write_text(record["text"])
    monkeypatch.chdir(folder)
    for out in ([], ["--out", "results of may"]):
        for _ in range(2):
            code, said = ended("check", ".", "-s", "bm25", "--probe", "rephrasings", *out)
            assert code == 0, said
            assert f"{len(list(folder.glob('*.txt')))} documents" in said
