"""Documents lent to a live search service: it is as before, however a test ends."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from interrupting import hear_interrupts
from leadline.cli.main import app
from notes import NOTES, write_notes
from search_service import KEY, SearchService, search_service

TEXTS = {id: f"{title} {text}" for id, (title, text) in NOTES.items()}

TOGETHER = """
ingest:
  url: documents
  body: {documents: {$each: {id: "{id}", text: "{content}"}}}
  batch_size: 10
remove: {url: "documents/{id}"}
"""
ONE_BY_ONE = """
ingest:
  url: documents
  body: {documents: [{id: "{id}", text: "{content}"}]}
remove: {url: "documents/{id}"}
"""


@contextmanager
def lending(
    folder: Path, monkeypatch: pytest.MonkeyPatch, more: str = TOGETHER, **habits: Any
) -> Iterator[tuple[SearchService, Path]]:
    """Serve the notes with a key; give the service and the file that describes it."""
    monkeypatch.setenv("SEARCH_KEY", KEY)
    texts = habits.pop("texts", TEXTS)
    with search_service(texts, key=KEY, **habits) as (service, url):
        path = folder / "search.yaml"
        path.write_text(
            f'url: {url}/search\nheaders: {{Authorization: "Bearer ${{SEARCH_KEY}}"}}\n'
            'body: {q: "{query}", size: "{k}"}\nretries: 0\nwait: 2\n'
            f"answer: {{hits: hits, id: id}}\n{more}"
        )
        yield service, path


def words(folder: Path, system: Path, verb: str = "check") -> list[str]:
    corpus = write_notes(folder)
    out = folder / "out"
    return [verb, str(corpus), "-s", str(system), "--limit", "6", "--out", str(out), "--quiet"]


def run(folder: Path, system: Path, *more: str, verb: str = "check") -> Result:
    return CliRunner().invoke(app, [*words(folder, system, verb), *more])


def is_as_before(service: SearchService) -> bool:
    return service.documents == TEXTS


@pytest.mark.parametrize("how", [TOGETHER, ONE_BY_ONE])
def test_a_service_is_asked_what_needs_documents_and_is_then_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    with lending(tmp_path, monkeypatch, how) as (service, system):
        done = run(tmp_path, system, "-s", "bm25", "--json")
        assert done.exit_code == 0, done.output
        assert is_as_before(service) and service.most > len(TEXTS)
    results = {(each["system"], each["kind"]): each for each in json.loads(done.stdout)["results"]}
    mine, other = results[str(system), "conditions"], results["bm25", "conditions"]
    # The service is bm25s too: it scores the documents that it was given as BM25 does at home.
    assert mine["metrics"]["WinRate"]["n"] == other["metrics"]["WinRate"]["n"]
    assert mine["settings"]["retriever"]["given_documents"] == len(set(service.added))
    for file in (each for each in tmp_path.rglob("*") if each.is_file()):
        assert KEY.encode() not in file.read_bytes(), file


def test_documents_are_there_only_for_the_probe_that_needs_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with lending(tmp_path, monkeypatch) as (service, system):
        assert run(tmp_path, system, "--probe", "rephrasings").exit_code == 0
    assert service.added == []


def test_repair_gives_documents_to_every_system_around_a_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with lending(tmp_path, monkeypatch) as (service, system):
        done = run(tmp_path, system, "--probe", "conditions", verb="repair")
        assert done.exit_code == 0, done.output
        assert is_as_before(service)
    told = json.loads((tmp_path / "out" / "repair.json").read_text())
    benchmarks = {effect["benchmark"] for each in told["tried"] for effect in each["effects"]}
    assert benchmarks == {"conditions"}


def test_a_scratch_index_is_given_every_document_and_left_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {"seed": "a service that holds one document of its own"}
    with lending(tmp_path, monkeypatch, TOGETHER + "scratch: true\n", texts=texts) as (
        service,
        system,
    ):
        done = run(tmp_path, system, "--json")
        assert done.exit_code == 0, done.output
        assert service.documents == texts
    kinds = {each["kind"] for each in json.loads(done.stdout)["results"]}
    assert kinds == {"conditions", "rephrasings"}


def test_a_service_that_dies_keeps_documents_only_until_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with lending(tmp_path, monkeypatch) as (service, system):
        service.dies_after = 12
        done = run(tmp_path, system, "--probe", "conditions")
        assert done.exit_code == 2 and not is_as_before(service)
        assert "may still hold documents of this test" in done.stderr
        assert "Their ids are leadline-" in done.stderr and KEY not in done.output
        service.dies_after = 0
        assert run(tmp_path, system, "--probe", "conditions").exit_code == 0
        assert is_as_before(service)


def test_a_service_that_refuses_documents_is_left_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    how = TOGETHER.replace("batch_size", "errors: taken\n  batch_size")
    with lending(tmp_path, monkeypatch, how) as (service, system):
        done = run(tmp_path, system, "--probe", "conditions")
        assert done.exit_code == 2, done.output
        assert re.search(r"it refused some: [1-9]", done.stderr), done.output
        assert is_as_before(service) and service.added


def test_a_service_that_never_finds_what_it_was_given_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    how = TOGETHER.replace('id: "{id}"', 'id: "other-{id}"') + "wait: 0.1\n"
    with lending(tmp_path, monkeypatch, how.replace("documents/{id}", "documents/other-{id}")) as (
        service,
        system,
    ):
        system.write_text(system.read_text().replace("wait: 2\n", ""))
        done = run(tmp_path, system, "--probe", "conditions")
        assert done.exit_code == 2 and "after 0.1 s a search finds none of them" in done.stderr
        assert is_as_before(service)


@pytest.mark.parametrize(
    ("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)]
)
def test_an_interrupted_run_leaves_a_service_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: signal.Signals, code: int
) -> None:
    with lending(tmp_path, monkeypatch) as (service, system):
        system.write_text(system.read_text() + "concurrency: 1\n")
        service.delay = 0.02
        with started(words(tmp_path, system)) as process:
            until(lambda: len(service.added) > 3)
            process.send_signal(sent)
            assert process.wait(60) == code
        if code == -9:
            assert not is_as_before(service)
            service.delay = 0
            assert run(tmp_path, system).exit_code == 0
        assert is_as_before(service)


@contextmanager
def started(arguments: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """Run the command line in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-m", "leadline", *arguments], env=dict(os.environ),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=hear_interrupts,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def until(reached: Any, seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < deadline
        time.sleep(0.01)


WITHOUT_TITLES = TOGETHER.replace("{content}", "{text}")
"""Then a search for the title and text of a document asks for words that its copy lacks."""


@pytest.mark.parametrize(
    ("how", "why"),
    [
        (WITHOUT_TITLES, "a search finds none of them when asked for their own words"),
        (TOGETHER, "found no candidates for any of"),
    ],
)
def test_a_probe_that_a_service_of_all_words_cannot_answer_is_left_out_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, why: str
) -> None:
    with lending(tmp_path, monkeypatch, how, all_words=True) as (service, system):
        system.write_text(system.read_text().replace("wait: 2", "wait: 0.1"))
        done = run(tmp_path, system, "-s", "bm25")
        assert done.exit_code == 0, done.output
        alone = run(tmp_path, system, "--probe", "conditions")
        assert is_as_before(service) and service.added
    said = " ".join(done.stderr.split())
    assert f"conditions was left out for {system}: " in said and why in said
    assert "It may require all words of a query" in said
    out = tmp_path / "out"
    # Only `conditions` alone has nothing to show.
    assert alone.exit_code == 2 and why in alone.stderr
    told = json.loads((out / "report.json").read_text())
    assert [(each["system"], each["benchmark"]) for each in told["not_measured"]] == [
        (str(system), "conditions")
    ]
    assert why in told["not_measured"][0]["why"]
    measured = {(each["system"], each["benchmark"]) for each in told["results"]}
    assert measured == {
        (str(system), "rephrasings"), ("bm25", "conditions"), ("bm25", "rephrasings")
    }  # fmt: skip
    assert "It may require all words of a query" in (out / "report.html").read_text()


def test_a_gate_says_what_was_left_out_and_does_not_pass_what_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gate(*folders: str) -> Result:
        return CliRunner().invoke(app, ["gate", *(str(tmp_path / each) for each in folders)])

    for name, habits in (("any", {}), ("all", {"all_words": True})):
        with lending(tmp_path, monkeypatch, **habits) as (_, system):
            assert run(tmp_path, system).exit_code == 0
        (tmp_path / "out").rename(tmp_path / name)
    # An address of its own each time does not change the name of the file, which is the system's.
    lost, gained, same = gate("any", "all"), gate("all", "any"), gate("all", "all")
    why = f"conditions has no figures of {system} in {tmp_path / 'all'}: "
    assert lost.exit_code in (1, 2) and why in lost.stderr
    assert gained.exit_code == same.exit_code == 0, gained.output
    assert why in gained.stderr and why in same.stderr
