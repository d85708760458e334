"""What an installed package adds by entry points is used like what is ours."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from commands import run
from leadline import plugins
from leadline.cli.main import app
from leadline.errors import InputError
from leadline.systems.chains import load_system


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder into which pip installed the package in `letters`."""
    source, site = tmp_path_factory.mktemp("source") / "letters", tmp_path_factory.mktemp("site")
    shutil.copytree(Path(__file__).with_name("letters"), source)
    words = ["install", "--no-index", "--no-deps", "--no-build-isolation", "--quiet", "--target"]
    subprocess.run([sys.executable, "-m", "pip", *words, site, source], check=True)
    return site


def leadline(site: Path, *words: str | Path, code: int = 0) -> str:
    paths = [str(site), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [sys.executable, "-m", "leadline", *map(str, words)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


def test_stages_a_benchmark_and_a_metric_of_a_package_run(site: Path, tmp_path: Path) -> None:
    chain = "letters_first:k1=0.9+letters_last"
    systems = ["-s", "letters_first", "-s", chain]
    leadline(site, "evaluate", *systems, "-b", "letters", "--no-reference", "-q", "--out", tmp_path)
    results = json.loads((tmp_path / "report.json").read_text())["results"]
    first, last = sorted(results, key=lambda each: each["system"] == chain)
    assert {first["kind"], last["kind"]} == {"letters"}
    assert first["metrics"]["Letters@2"]["mean"] == 6
    assert (first["metrics"]["nDCG@1"]["mean"], last["metrics"]["nDCG@1"]["mean"]) == (0, 1)


def test_a_kind_of_a_package_is_built_from_a_corpus(site: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for word in ("ape", "bear", "cow"):
        (corpus / f"{word}.txt").write_text(f"The {word} lives in a house near here.")
    out = tmp_path / "out"
    leadline(site, "check", corpus, "--probe", "letters", "-s", "bm25", "--quiet", "--out", out)
    result = json.loads((out / "report.json").read_text())["results"][0]
    assert (result["kind"], result["metrics"]["nDCG@1"]["mean"]) == ("letters", 1)


def test_a_command_of_a_package_is_one_of_ours(site: Path) -> None:
    assert leadline(site, "greet", "Ann") == "Hello Ann\n"
    assert "Say hello to somebody." in leadline(site, "--help")


def test_what_packages_add_is_listed_and_not_imported(site: Path) -> None:
    assert "Letters, for a test." in leadline(site, "list", "systems")
    assert "broken" in leadline(site, "list", "systems")
    assert "letters of the first k ids" in " ".join(leadline(site, "list", "metrics").split())


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let no package add anything."""
    monkeypatch.setattr(plugins, "installed", lambda group: {})
    plugins.plugins.cache_clear()
    yield
    plugins.plugins.cache_clear()


def test_without_the_package_of_facts_one_line_says_what_to_install(alone: None) -> None:
    with pytest.raises(InputError, match="pip install leadline-facts"):
        load_system("facts+bm25")
    done = run("enrich", "corpus", "--out", "facts.jsonl", code=2)
    (line,) = done.stderr.splitlines()
    assert line.endswith("pip install leadline-facts")
    assert CliRunner().invoke(app, ["enrico"]).exit_code == 2
