"""What a user can mend is told in one line, with exit code 2 and nothing half-written."""

import subprocess
import sys
from pathlib import Path

import pytest

from commands import run
from notes import write_beir, write_notes
from tables import each_row


def refuse(*arguments: str | Path) -> str:
    """Run a command that must be refused, and return its one line."""
    done = run(*[str(each) for each in arguments], code=2)
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    assert len(lines) == 1, done.stderr
    assert done.stdout == ""
    return lines[0]


def check(corpus: Path, *more: str | Path) -> str:
    return refuse("check", corpus, "--out", corpus.parent / "out", *more)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("corpus.parquet", b"%PDF-1.7\n\x00\xff\xfe not what the name says", "corpus.parquet"),
        ("cut.jsonl", b'{"_id": "a", "text": "one"}\n{"_id": "b", "text": \n', "cut.jsonl:2"),
    ],
)
def test_a_corpus_that_cannot_be_read_is_named(
    tmp_path: Path, name: str, content: bytes, told: str
) -> None:
    (tmp_path / name).write_bytes(content)
    assert told in check(tmp_path / name)


def test_a_folder_that_is_missing_or_empty_is_named(tmp_path: Path) -> None:
    assert "nowhere" in check(tmp_path / "nowhere")
    (tmp_path / "nothing").mkdir()
    assert "nothing" in check(tmp_path / "nothing")


@each_row
def test_an_option_that_fits_nothing_is_told_with_what_does(
    tmp_path: Path, options: list[str], told: list[str]
) -> None:
    line = check(write_notes(tmp_path), *options)
    assert all(each in line for each in told), line


def test_an_unknown_benchmark_and_a_k_below_one_are_refused(tmp_path: Path) -> None:
    line = refuse("evaluate", "-s", "bm25", "-b", "implicit-fact", "--out", tmp_path / "out")
    assert "'implicit-facts'" in line
    line = refuse("search", write_notes(tmp_path), "ferry", "-k", "0")
    assert "k must be at least 1, got 0" in line


def test_a_query_without_qrels_is_named_where_none_has_any(tmp_path: Path) -> None:
    beir = write_beir(tmp_path)
    (beir / "queries.jsonl").write_text('{"_id": "q7", "text": "nobody judged me"}\n')
    line = refuse("evaluate", "-s", "bm25", "-b", beir, "--out", tmp_path / "out")
    assert "'q7' has no judgement" in line


def test_an_output_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    corpus = write_notes(tmp_path)
    (tmp_path / "taken").write_text("mine")
    assert "taken" in refuse("check", corpus, "--out", tmp_path / "taken")
    assert (tmp_path / "taken").read_text() == "mine"


def test_a_corpus_that_no_probe_can_be_built_from_says_why(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text('{"_id": "a", "text": "?"}\n{"_id": "b", "text": ""}\n')
    line = check(corpus)
    assert "Could not build any probe" in line
    assert "--queries" in line
    assert not (tmp_path / "out").exists()
    (tmp_path / "before").mkdir()
    line = refuse("repair", corpus, "--quiet", "--out", tmp_path / "before" / "new" / "out")
    assert "--queries" in line
    assert list((tmp_path / "before").iterdir()) == []  # what was there before stays


def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path) -> None:
    corpus = write_notes(tmp_path)
    out = tmp_path / "out"
    # A limit on the size of files stands for a disk that fills up while the report is written.
    code = (
        "import resource, sys\n"
        "from leadline.cli.main import main\n"
        "sys.dont_write_bytecode = True  # it would be cut\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))\n"
        f"sys.argv = ['leadline', 'check', {str(corpus)!r}, '--out', {str(out)!r}, '--quiet', "
        "'--probe', 'conditions', '--limit', '3']\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert "Cannot write" in done.stderr
    assert not list(out.rglob("*report*"))
    assert not [path for path in out.rglob("*") if path.name.startswith(".")]
