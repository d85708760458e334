"""What killed processes left is removed, what others write is not; one run has a folder."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from leadline.data import locks
from leadline.data.writing import atomic_file, atomic_folder, output_folder, set_aside
from leadline.errors import InputError
from processes import environment

WRITES_FILE = """
import sys
from leadline.data.writing import atomic_file
with atomic_file(sys.argv[1]) as handle:
    handle.write("half")
    handle.flush()
    print("inside", flush=True)
    sys.stdin.readline()
"""
WRITES_FOLDER = """
import sys
from leadline.data.writing import atomic_folder
with atomic_folder(sys.argv[1]) as folder:
    (folder / "part").write_text("half")
    print("inside", flush=True)
    sys.stdin.readline()
"""
HOLDS = """
import sys
from leadline.data.writing import output_folder
output_folder(sys.argv[1])
print("inside", flush=True)
sys.stdin.readline()
"""


def started(code: str, path: Path) -> subprocess.Popen[str]:
    child = subprocess.Popen(
        [sys.executable, "-c", code, path],
        env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdout is not None
    assert child.stdout.readline() == "inside\n"
    return child


def ended(child: subprocess.Popen[str]) -> int:
    child.communicate("\n", timeout=60)
    return child.returncode


def killed(child: subprocess.Popen[str]) -> None:
    child.send_signal(signal.SIGKILL)
    child.communicate()


@pytest.fixture(autouse=True)
def _as_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "_swept", set())


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("code", [WRITES_FILE, WRITES_FOLDER])
def test_what_a_killed_process_left_is_removed_by_the_next_write(tmp_path: Path, code: str) -> None:
    killed(started(code, tmp_path / "a"))
    assert [name[:3] for name in names_in(tmp_path)] == [".a."]
    with atomic_file(tmp_path / "b") as handle:
        handle.write("whole")
    assert names_in(tmp_path) == ["b"]


@pytest.mark.parametrize("code", [WRITES_FILE, WRITES_FOLDER])
def test_what_a_living_process_writes_is_left_alone(tmp_path: Path, code: str) -> None:
    child = started(code, tmp_path / "a")
    with atomic_folder(tmp_path / "b"):
        pass
    output_folder(tmp_path)
    assert [name[:3] for name in names_in(tmp_path)] == [".a.", "b"]
    assert ended(child) == 0
    assert names_in(tmp_path) == ["a", "b"]


def test_only_unfinished_files_of_leadline_are_removed(tmp_path: Path) -> None:
    own = [".mine.part", "x.12345678.part", ".x.1234567.part", ".x.1234567g.part", ".x.12345678"]
    for name in own:
        (tmp_path / name).touch()
    (tmp_path / "target").mkdir()
    (tmp_path / "target" / "kept").touch()
    (tmp_path / ".link.12345678.part").symlink_to(tmp_path / "target")
    os.mkfifo(tmp_path / ".pipe.12345678.part")  # is not waited for
    with atomic_file(tmp_path / "b"):
        pass
    assert names_in(tmp_path) == sorted([*own, "b", "target", ".link.12345678.part"])
    assert names_in(tmp_path / "target") == ["kept"]


def test_one_run_holds_a_folder_until_it_ends_or_dies(tmp_path: Path) -> None:
    out = tmp_path / "out"
    for end in (ended, killed):
        child = started(HOLDS, out)
        with pytest.raises(InputError, match=r"Another run is writing into .*out\. Wait until"):
            output_folder(out)
        end(child)
        with locks.holding():
            assert output_folder(out) == out == output_folder(out)


def test_what_is_held_in_a_block_is_let_go_at_its_end(tmp_path: Path) -> None:
    with locks.holding():
        output_folder(tmp_path)
        with locks.holding():
            output_folder(tmp_path)  # held already: not let go here
        with pytest.raises(AssertionError):
            started(HOLDS, tmp_path)
    assert ended(started(HOLDS, tmp_path)) == 0


def test_a_file_system_without_locks_is_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(38, "not implemented")

    monkeypatch.setattr(locks.fcntl, "flock", refuse)
    (tmp_path / ".x.12345678.part").touch()
    with atomic_file(tmp_path / "a") as handle:
        handle.write("whole")
    with atomic_folder(tmp_path / "b"):
        pass
    output_folder(tmp_path)
    # Whether its writer lives cannot be told: it stays.
    assert names_in(tmp_path) == [".x.12345678.part", "a", "b"]


def test_a_folder_set_aside_is_gone_from_its_name(tmp_path: Path) -> None:
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / "part").touch()
    set_aside(tmp_path / "index")
    set_aside(tmp_path / "missing")
    assert names_in(tmp_path) == []
