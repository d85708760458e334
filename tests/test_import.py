"""Nothing heavy is loaded on the way to `import leadline` and to `--help`."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import requires
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

RUNNING = """
from leadline.cli.main import app
for words in {words!r}:
    try:
        app(words)
    except SystemExit as stop:
        assert not stop.code, words
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_importing_the_package_loads_nothing_heavy() -> None:
    done = run("import leadline\n" + CHECK)
    assert done.returncode == 0, done.stderr


def test_help_loads_nothing_heavy() -> None:
    words = [[*each, "--help"] for each in ([], ["check"], ["evaluate"], ["search"], ["list"])]
    done = run(RUNNING.format(words=words) + CHECK)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Usage") == len(words)


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
"""


def test_commands_run_without_what_only_unix_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEADLINE_CACHE", str(tmp_path / "cache"))
    check = ["check", str(write_notes(tmp_path)), "--limit", "3", "--out", str(tmp_path / "out")]
    # Twice into the same folder, the second time with a cache.
    done = run(WITHOUT_UNIX + RUNNING.format(words=[["--help"], ["list", "systems"], check, check]))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "report.html").is_file()
    assert not [each for each in tmp_path.rglob("*") if each.name.endswith(".part")]


def test_what_only_unix_has_is_imported_in_two_files() -> None:
    source = Path(leadline.__file__).parent
    pattern = re.compile(rf"^\s*(?:import|from) (?:{'|'.join(UNIX_MODULES)})\b", re.MULTILINE)
    found = [each for each in source.rglob("*.py") if pattern.search(each.read_text())]
    assert {each.name for each in found} == {"locks.py", "cache.py"}


def test_published_benchmarks_need_the_extra_hub_and_no_other() -> None:
    source = Path(leadline.__file__).parent
    readers = [*source.glob("kinds/*/published*.py"), source / "data" / "data_sets.py"]
    asked = {
        extra for path in readers for extra in re.findall(r'needs\("(\w+)"\)', path.read_text())
    }
    assert asked == {"hub"}
    # Tables of the hub are parquet, too, which `datasets` brings.
    extras = tomllib.loads((source.parents[1] / "pyproject.toml").read_text())
    hub = extras["project"]["optional-dependencies"]["hub"]
    assert {re.split("[>=]", each)[0] for each in hub} == {"huggingface_hub", "datasets"}
    assert any(each.startswith("pyarrow") for each in requires("datasets") or ())
