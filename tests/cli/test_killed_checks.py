"""`leadline check`, killed again and again: the next run gives what any run gives."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from notes import write_notes
from processes import environment


def files(folder: Path) -> dict[str, bytes]:
    """Return the files of a run in which no time stands."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith("report.")
    }


@pytest.mark.slow
def test_after_kills_at_any_time_a_run_gives_what_any_run_gives(tmp_path: Path) -> None:
    notes = write_notes(tmp_path)

    def started(out: str) -> subprocess.Popen[bytes]:
        words = ["check", str(notes), "--quiet", "--out", str(tmp_path / out)]
        own = environment() | {"LEADLINE_CACHE": str(tmp_path / f"cache of {out}")}
        return subprocess.Popen([sys.executable, "-m", "leadline", *words], env=own)

    began = time.monotonic()
    assert started("whole").wait() == 0
    seconds = time.monotonic() - began
    pick = random.Random(0)
    killed = 0
    for _ in range(10):
        child = started("killed")
        time.sleep(seconds * pick.uniform(0.3, 1.0))
        child.kill()
        killed += child.wait() != 0
        assert len(list(tmp_path.rglob("*.part"))) <= 1
    assert killed
    assert started("killed").wait() == 0
    assert files(tmp_path / "killed") == files(tmp_path / "whole")
    assert not list(tmp_path.rglob("*.part"))
