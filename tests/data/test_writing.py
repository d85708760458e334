import hashlib

import pytest

from leadline.data.writing import (
    atomic_file,
    atomic_folder,
    file_name,
)
from leadline.errors import InputError
from processes import python


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_appears_when_the_block_ends(tmp_path):
    path = tmp_path / "new" / "report.txt"
    with atomic_file(path) as handle:
        handle.write("ä\n")
        assert not path.exists()
    assert path.read_bytes() == b"\xc3\xa4\n"
    assert names_in(path.parent) == ["report.txt"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, FileNotFoundError])
def test_an_interrupted_block_leaves_the_old_file_and_nothing_else(tmp_path, error):
    path = tmp_path / "report.txt"
    path.write_text("old")
    with pytest.raises(error), atomic_file(path) as handle:
        handle.write("new")
        raise error
    assert path.read_text() == "old"
    assert names_in(tmp_path) == ["report.txt"]


def test_a_file_in_place_of_a_parent_folder_is_one_clear_line(tmp_path):
    (tmp_path / "out").write_text("")
    with (
        pytest.raises(InputError, match=r"a file has the name of a needed folder"),
        atomic_file(tmp_path / "out" / "report.json"),
    ):
        pass


def test_a_folder_without_permission_is_one_clear_line(tmp_path):
    tmp_path.chmod(0o500)
    program = """
import os, sys
from leadline.errors import InputError
from leadline.data.writing import atomic_file
if os.geteuid() == 0:
    os.setuid(65534)  # nothing is forbidden to root
try:
    with atomic_file(sys.argv[1]):
        pass
except InputError as error:
    print(error)
"""
    printed = python("-c", program, tmp_path / "x.txt").stdout
    tmp_path.chmod(0o700)
    assert "x.txt: Permission denied. Choose an --out folder that you may write to." in printed


def test_half_a_surrogate_pair_is_refused(tmp_path):
    with (
        pytest.raises(InputError, match=r"half of a surrogate pair \('\\ud800'\)"),
        atomic_file(tmp_path / "x.txt") as handle,
    ):
        handle.write("a\ud800b")
    assert names_in(tmp_path) == []


def test_a_folder_appears_when_the_block_ends(tmp_path):
    with atomic_folder(tmp_path / "index") as folder:
        (folder / "part").write_text("1")
        assert not (tmp_path / "index").exists()
    assert (tmp_path / "index" / "part").read_text() == "1"
    assert names_in(tmp_path) == ["index"]


def test_a_folder_that_appeared_meanwhile_is_kept(tmp_path):
    with atomic_folder(tmp_path / "index") as folder:
        (folder / "part").write_text("mine")
        (tmp_path / "index").mkdir()
        (tmp_path / "index" / "part").write_text("theirs")
    assert (tmp_path / "index" / "part").read_text() == "theirs"
    assert names_in(tmp_path) == ["index"]


def test_an_interrupted_folder_leaves_nothing(tmp_path):
    with pytest.raises(KeyboardInterrupt), atomic_folder(tmp_path / "index") as folder:
        (folder / "part").write_text("1")
        raise KeyboardInterrupt
    assert names_in(tmp_path) == []


def test_unsafe_runs_become_a_dash_and_digits_follow():
    digits = hashlib.sha256(b"dense:a//b c").hexdigest()[:8]
    assert file_name("dense:a//b c") == f"dense-a-b-c-{digits}"


@pytest.mark.parametrize("name", ["", ".", "..", "...", "/", "x" * 300, "é" * 300, "a\0b"])
def test_any_name_gives_a_usable_file_name(tmp_path, name):
    path = tmp_path / file_name(name)
    path.write_text("x")
    assert names_in(tmp_path) == [path.name]
