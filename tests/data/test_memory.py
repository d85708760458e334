"""A corpus beyond the machine is told in one line, with the ways out, and nothing is refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from leadline import progress
from leadline.data import memory
from leadline.retrievers import bm25
from leadline.types import Document, Query

CORPUS = {f"d{n}": Document(f"d{n}", f"Kite {n} flew over hills.", "Kites") for n in range(40)}


@pytest.fixture(autouse=True)
def inside_a_command() -> Iterator[None]:
    with progress.shown(quiet=True):
        yield


WAYS = ("-s milvus:http://HOST", "-s opensearch:https://HOST", "--ray ADDRESS", "--sample N")


def test_indexing_beyond_free_memory_names_the_ways_out_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda: 1 << 10)
    run = bm25.build(cache=False).index(CORPUS).search([Query("q", "kite 17")], 1)
    assert list(run["q"]) == ["d17"]
    (line,) = capsys.readouterr().err.splitlines()
    assert "40 documents may be too many for this machine: indexing for BM25" in line
    assert "0.0 MiB of memory (0.0 MiB free)" in line
    assert "of disk" not in line
    assert all(way in line for way in WAYS)


def test_encoding_beyond_the_free_disk_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    full = type("Usage", (), {"free": 1 << 20})
    monkeypatch.setattr(memory.shutil, "disk_usage", lambda folder: full)
    memory.warn_beyond("encoding", CORPUS, memory=1, disk=3 << 30, folder=tmp_path)
    assert "encoding needs about 3.0 GiB of disk (1.0 MiB free)." in capsys.readouterr().err
    memory.warn_beyond("encoding", CORPUS, memory=1, disk=1 << 20, folder=tmp_path)
    assert capsys.readouterr().err == ""


def test_free_memory_is_what_the_container_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "meminfo").write_text("MemTotal: 900 kB\nMemAvailable:     500 kB\n")
    monkeypatch.setattr(memory, "_MEMORY", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "_CONTAINER", tmp_path)
    assert memory.free_memory() == 500 << 10
    (tmp_path / "memory.current").write_text("1000\n")
    (tmp_path / "memory.max").write_text("max\n")
    assert memory.free_memory() == 500 << 10
    (tmp_path / "memory.max").write_text("5000\n")
    assert memory.free_memory() == 4000
    (tmp_path / "memory.current").write_text("6000\n")
    assert memory.free_memory() == 0
