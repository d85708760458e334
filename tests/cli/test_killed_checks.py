"""`leadline check` killed in each of its phases: the next run gives what any run gives."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from killable_check import PHASES, WHOLE
from processes import environment

ROOT = Path(__file__).resolve().parents[2]


def corpus(folder: Path, documents: int) -> Path:
    path = folder / "corpus.jsonl"
    lines = (ROOT / "examples" / "harbour_town" / "corpus.jsonl").read_text("utf-8").splitlines()
    path.write_text("\n".join(lines[:documents]) + "\n", encoding="utf-8")
    return path


def runs(
    folder: Path, encoder: Path | str, documents: int, phases: list[str], kills: int
) -> list[tuple[str, object, list[str]]]:
    script = ROOT / "tests" / "killable_check.py"
    wanted = [f"{phase}:{kills}" for phase in phases]
    one_thread = {"OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    done = subprocess.run(
        [sys.executable, script, corpus(folder, documents), str(encoder), folder, *wanted],
        env=environment() | one_thread, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert not done.returncode, done.stderr[-3000:]
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def check_kills(
    folder: Path, encoder: Path | str, documents: int, phases: list[str], kills: int
) -> None:
    told = runs(folder, encoder, documents, phases, kills)
    killed = Counter(phase for phase, where, _ in told if where is not None)
    assert killed == dict.fromkeys(phases, kills)
    for phase, where, left in told:
        assert len(left) <= (where is not None), (phase, where, left)
    whole = files(folder / WHOLE / "out")
    assert {"report.json", "report.html"} <= whole.keys()
    for phase in phases:
        assert files(folder / phase / "out") == whole, phase
        assert not files(folder / phase / "tmp"), phase


def test_after_a_kill_in_each_phase_a_run_gives_what_any_run_gives(tmp_path: Path) -> None:
    check_kills(tmp_path, "", 20, [phase for phase in PHASES if phase != "encoding"], 1)


@pytest.mark.slow
def test_after_ten_kills_in_each_phase_a_run_gives_what_any_run_gives(
    tmp_path: Path, folder_of
) -> None:
    pytest.importorskip("sentence_transformers")
    check_kills(tmp_path, folder_of("bert"), 40, list(PHASES), 10)
