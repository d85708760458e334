"""Two runs at once, in processes of their own: into one folder, and with one cache."""

import os
import subprocess
import sys
import time
from pathlib import Path

from notes import write_notes
from processes import environment

# Stops in the middle of its work until a file is there.
SLOW = """
import sys, time
from pathlib import Path
import leadline.{module} as module
from leadline.cli.main import main
inside, go_on = map(Path, sys.argv[1:3])
real = module.{function}
def waiting(*given, **named):
    inside.touch()
    while not go_on.exists():
        time.sleep(0.01)
    return real(*given, **named)
module.{function} = waiting
sys.argv[1:] = sys.argv[3:]
main()
"""


def started(code: str, *words: str | Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", code, *map(str, words)]
    return subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE, text=True)


def ended(run: subprocess.Popen[str]) -> tuple[int, str]:
    said = run.communicate(timeout=300)[1]
    return run.returncode, said


def wait_for(path: Path, run: subprocess.Popen[str]) -> None:
    while not path.exists():
        assert run.poll() is None, run.communicate()[1]
        time.sleep(0.01)


def results(out: Path) -> dict[str, bytes]:
    """Return the files of a run in which no time stands."""
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file() and not path.name.startswith("report.")
    }


MAIN = "from leadline.cli.main import main; main()"


def test_a_second_run_into_one_folder_says_that_another_writes_there(tmp_path: Path) -> None:
    notes, out = write_notes(tmp_path), tmp_path / "out"
    inside, go_on = tmp_path / "inside", tmp_path / "go on"
    slow = SLOW.format(module="evaluation", function="evaluate_prepared")
    first = started(slow, inside, go_on, "check", notes, "--quiet", "--out", out)
    wait_for(inside, first)
    others = [
        started(MAIN, *words, "--quiet", "--out", out)
        for words in (
            ["check", notes],
            ["evaluate", "-s", "bm25", "-b", out / "conditions"],
            ["synthesize", "conditions", notes],
        )
    ]
    for code, said in map(ended, others):
        assert code == 2
        assert said.strip() == (
            f"leadline: Another run is writing into {out}. Wait until it ends, or choose "
            "another --out folder."
        )
    go_on.touch()
    assert ended(first)[0] == 0
    # What is held is let go with the process.
    words = ["evaluate", "-s", "bm25", "-b", out / "conditions", "--quiet", "--out", out]
    assert ended(started(MAIN, *words))[0] == 0


def test_runs_at_once_with_one_cache_give_what_one_alone_gives(tmp_path: Path) -> None:
    notes = write_notes(tmp_path)
    shared = [tmp_path / name for name in ("one", "two", "three")]
    # All have read and are about to make the same index when the last of them comes there.
    slow = SLOW.format(module="retrievers.bm25", function="_indexed")
    arrived = [tmp_path / f"inside {out.name}" for out in shared]
    go_on = tmp_path / "go on"
    under_way = [
        started(slow, inside, go_on, "check", notes, "--quiet", "--out", out)
        for inside, out in zip(arrived, shared, strict=True)
    ]
    for inside, run in zip(arrived, under_way, strict=True):
        wait_for(inside, run)
    go_on.touch()
    for run in under_way:
        code, said = ended(run)
        assert code == 0, said
    assert not list(Path(os.environ["LEADLINE_CACHE"]).rglob("*.part"))
    alone = results(shared[0])
    assert alone
    assert results(shared[1]) == alone == results(shared[2])
