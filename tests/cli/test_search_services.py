"""A real search service over bm25s under check, gate and repair, with the habits services have."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from leadline.cli.main import app
from notes import NOTES, write_notes
from search_service import KEY, search_service

TEXTS = {id: f"{title} {text}" for id, (title, text) in NOTES.items()}

HABITS = {
    "with a key": {"key": KEY},
    "in pages": {"key": KEY, "page": 3},
    "ranks only": {"key": KEY, "ranks": True},
    "slow": {"key": KEY, "delay": 0.01, "stalls": 7},
}
"""Answers before a service dies, fewer than half of what the verbs ask of the notes."""


@contextmanager
def described(folder: Path, monkeypatch: pytest.MonkeyPatch, **habits: object) -> Iterator[str]:
    """Serve the notes; give the file that describes the service."""
    monkeypatch.setenv("SEARCH_KEY", KEY)
    with search_service(TEXTS, **habits) as (_, url):
        yield str(written(folder, url, habits))


def written(folder: Path, url: str, habits: object, more: str = "") -> Path:
    assert isinstance(habits, dict)
    path = folder / "search.yaml"
    offset, page = (', from: "{offset}"', "page_size: 3\n") if "page" in habits else ("", "")
    # A page that takes ten times as long is given up and asked for again.
    patience = (
        "timeout: 0.08\nretries: 3\nbackoff: 0.01\n" if "stalls" in habits else "retries: 0\n"
    )
    answer = "answer: {hits: hits, id: id}\n"
    path.write_text(
        f'url: {url}/search\nheaders: {{Authorization: "Bearer ${{SEARCH_KEY}}"}}\n'
        f'body: {{q: "{{query}}", size: "{{k}}"{offset}}}\n{page}{patience}{answer}{more}'
    )
    return path


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, [str(each) for each in words])


def check(folder: Path, system: str, out: Path, *more: str) -> Result:
    corpus = write_notes(folder)
    return run("check", corpus, "-s", system, "--limit", "6", "--out", out, *more)


def tells_no_key(folder: Path, *told: Result) -> None:
    """Look for the key in every file below a folder and in all that was printed."""
    files = [each for each in folder.rglob("*") if each.is_file()]
    assert len(files) > 3
    for each in files:
        assert KEY.encode() not in each.read_bytes(), each
    for each in told:
        assert KEY not in each.output


@pytest.mark.parametrize("habit", HABITS)
def test_check_and_gate_measure_a_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, habit: str
) -> None:
    with described(tmp_path, monkeypatch, **HABITS[habit]) as system:
        first = check(tmp_path, system, tmp_path / "before")
        second = check(tmp_path, system, tmp_path / "after")
    assert first.exit_code == second.exit_code == 0, first.output
    told = json.loads((tmp_path / "after" / "report.json").read_text())
    assert [each["failures"] for each in told["results"]] == [{}] * len(told["results"])
    gated = run("gate", tmp_path / "before", tmp_path / "after")
    assert gated.exit_code == 0 and gated.stderr.endswith("(MRR@10).\nGate passed.\n"), gated.output
    assert "too few to detect a change below" in gated.stderr
    tells_no_key(tmp_path, first, second, gated)


def test_conditions_are_searched_among_real_documents_where_none_can_be_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    with described(tmp_path, monkeypatch, **HABITS["with a key"]) as system:
        done = check(tmp_path, system, out)
        only = check(tmp_path, system, tmp_path / "only", "--probe", "conditions")
    said = " ".join(done.stderr.split())
    assert "The conditions probe is skipped for " in said
    assert "The neighbours probe is used instead: only the document" in said
    told = json.loads((out / "report.json").read_text())
    kinds = {each["benchmark"]: each["metrics"] for each in told["results"]}
    assert kinds.keys() == {"rephrasings", "neighbours"}
    assert kinds["neighbours"]["MRR@10"]["mean"] > 0.8
    assert "figures are lower bounds" in (out / "report.html").read_text()
    assert only.exit_code == 0, only.output
    assert {each.name for each in (tmp_path / "only").iterdir() if each.is_dir()} >= {"neighbours"}


def test_a_wrong_key_is_said_in_one_line_that_does_not_tell_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = f"{KEY}-of-last-year"
    with described(tmp_path, monkeypatch, key="another") as system:
        monkeypatch.setenv("SEARCH_KEY", wrong)
        for verb in ("check", "repair"):
            done = run(verb, write_notes(tmp_path), "-s", system, "--limit", "6",
                       "--out", tmp_path / "out", "--quiet")  # fmt: skip
            assert done.exit_code == 2
            (line,) = done.stderr.strip().splitlines()[-1:]
            assert "status 401" in line and wrong not in done.output


def test_a_service_that_dies_half_way_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with described(tmp_path, monkeypatch, key=KEY) as system:
        assert check(tmp_path, system, tmp_path / "before").exit_code == 0
    probes = [tmp_path / "before" / name for name in ("rephrasings", "neighbours")]
    asked = sum(len((each / "queries.jsonl").read_text().splitlines()) for each in probes)
    with described(tmp_path, monkeypatch, key=KEY, dies_after=asked - 2) as system:
        done = check(tmp_path, system, tmp_path / "after")
        assert done.exit_code == 0, done.output
    said = " ".join(done.output.split())
    assert "queries failed: the connection closed before the answer was complete" in said
    gated = run("gate", tmp_path / "before", tmp_path / "after")
    assert gated.exit_code == 2
    assert "The gate cannot decide: " in gated.stderr and " got no answer " in gated.stderr
    tells_no_key(tmp_path, done, gated)
