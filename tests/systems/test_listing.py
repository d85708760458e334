"""What runs here is told from files and packages alone."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from leadline.plugins import find
from leadline.systems import catalog as availability
from leadline.systems.catalog import Here, systems_here


@pytest.fixture(autouse=True)
def _own_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(availability, "_has_accelerator", lambda: False)
    monkeypatch.setattr(availability, "_free_memory", lambda: 10_000_000_000)
    monkeypatch.setattr(availability, "find_spec", lambda name: True)
    return tmp_path / "hub"


def here(name: str) -> Here:
    return {each.name: each for each in systems_here()}[name]


def test_what_needs_nothing_runs() -> None:
    assert here("bm25").missing == ""
    assert here("minilm").missing == ""


def test_a_model_too_large_for_memory_is_told() -> None:
    # 7,240 million weights of four bytes and a fifth more for working: 34.8 GB, 10 are free.
    row = here("gritlm-7b")
    assert row.memory == pytest.approx(34.752e9)
    assert row.missing == "too large: 10 GB of memory are free"


def test_weights_that_are_not_here_are_told(_own_hub: Path) -> None:
    assert here("e5-large-v2").missing == "weights are not on this machine"
    commit = _own_hub / "models--intfloat--e5-large-v2" / "snapshots" / "0a1b"
    commit.mkdir(parents=True)
    assert here("e5-large-v2").missing == "weights are not on this machine"
    (commit / "config.json").write_text("{}")
    assert here("e5-large-v2").missing == ""


def test_a_missing_extra_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(availability, "find_spec", lambda name: name != "peft")
    assert here("jina-embeddings-v3").missing == "pip install 'leadline[train]'"
    assert here("minilm").missing == ""
    monkeypatch.setattr(availability, "find_spec", lambda name: None)
    assert here("minilm").missing == "pip install 'leadline[dense]'"


def test_listing_systems_imports_none_of_them() -> None:
    code = (
        "import sys\n"
        "from leadline.systems import spec\n"
        "from leadline.systems.catalog import systems_here\n"
        "assert systems_here() and spec.parse('bm25+x:y')\n"
        "heavy = {'torch', 'transformers', 'numpy', 'bm25s', 'pydantic'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_model_at_an_endpoint_needs_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert here("gpt-4o-listwise").missing == "set OPENAI_API_KEY"
    assert here("gemini-2.0-flash-listwise").missing == "needs llm=URL"
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    assert here("gpt-4o-listwise").missing == ""


def test_every_option_of_a_benchmark_is_listed() -> None:
    for row in availability.benchmarks():
        takes = list(inspect.signature(find("benchmarks", row.name)).parameters)
        listed = dict.fromkeys(each.partition("=")[0] for each in row.options)
        assert [*listed] == [name for name in takes if name not in ("part", "data")], row.name
    options = {row.name: row.options for row in availability.benchmarks()}
    assert options["conditions"][:3] == ("words=NUMBER", "scope=candidates", "scope=corpus")
    assert options["implicit-facts"] == ("wording=question", "wording=question_released")
    assert "mode=code_head" in options["instructions"] and "cut=NUMBER" in options["narratives"]
