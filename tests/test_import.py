"""Nothing heavy is loaded on the way to `import leadline` and to `--help`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import leadline
from notes import write_notes

HEAVY = [
    "numpy", "torch", "transformers", "sentence_transformers", "openai", "ray", "bm25s", "spacy",
    "lemminflect",
]  # fmt: skip

CHECK = f"""
import sys
loaded = [name for name in {HEAVY!r} if name in sys.modules]
assert not loaded, loaded
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_importing_the_package_loads_nothing_heavy() -> None:
    done = run("import leadline\n" + CHECK)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", [[], ["check"], ["evaluate"], ["search"], ["list"]])
def test_help_loads_nothing_heavy(command: list[str]) -> None:
    code = (
        "from leadline.cli.main import app\n"
        "try:\n"
        f"    app({[*command, '--help']!r})\n"
        "except SystemExit as stop:\n"
        "    assert stop.code == 0, stop.code\n" + CHECK
    )
    done = run(code)
    assert done.returncode == 0, done.stderr
    assert "Usage" in done.stdout


def test_every_public_name_can_be_found() -> None:
    for name in leadline.__all__:
        assert getattr(leadline, name) is not None


UNIX_MODULES = ["fcntl", "resource", "pwd", "grp", "termios"]
UNIX_NAMES = ["O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "sysconf", "pread", "geteuid"]
WITHOUT_UNIX = f"""
import os, sys
for name in {UNIX_MODULES!r}:
    sys.modules[name] = None  # importing it raises ImportError, as on Windows
for name in {UNIX_NAMES!r}:
    if hasattr(os, name):
        delattr(os, name)
from leadline.cli.main import app
app(sys.argv[1:])
"""


@pytest.mark.parametrize("words", [["--help"], ["check", "--help"], ["list", "systems"]])
def test_commands_start_without_what_only_unix_has(words: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_UNIX, *words], capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


def test_check_runs_without_what_only_unix_has(tmp_path: Path) -> None:
    words = ["check", str(write_notes(tmp_path)), "--limit", "3", "--out", str(tmp_path / "out")]
    environment = {**os.environ, "LEADLINE_CACHE": str(tmp_path / "cache")}
    for _ in range(2):  # into the same folder again, with a cache
        done = subprocess.run(
            [sys.executable, "-c", WITHOUT_UNIX, *words], capture_output=True, env=environment
        )
        assert done.returncode == 0, done.stderr.decode()
    assert (tmp_path / "out" / "report.html").is_file()
    assert not [each for each in tmp_path.rglob("*") if each.name.endswith(".part")]


def test_what_only_unix_has_is_imported_in_two_files() -> None:
    source = Path(leadline.__file__).parent
    pattern = re.compile(rf"^\s*(?:import|from) (?:{'|'.join(UNIX_MODULES)})\b", re.MULTILINE)
    found = [each for each in source.rglob("*.py") if pattern.search(each.read_text())]
    assert {each.name for each in found} == {"locks.py", "cache.py"}
