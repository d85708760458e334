"""Every command that asks a model, with real weights: not how well, but that it ends well.

No answer of a real model ends in a traceback, one score for all without a word, a lost record, or
an accepted case that breaks a rule of its kind. What that means stands in the matrix of models.
"""

import importlib.util
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from typer.testing import CliRunner

from leadline.cli.main import app
from real_weights import smollm2
from shared import ROOT

LARGER = "qwen2.5-coder-1.5b-instruct.gguf"

BUILDERS = {
    "conditions", "questions", "rephrasings", "instructions",
    "implied facts", "implicit-facts", "reasoning",
}  # fmt: skip
BRIEF = {name: ["--attempts", "1", "--max-tokens", "60"] for name in BUILDERS}
BRIEF["read"] = ["--max-tokens", "24"]
BRIEF["implicit-facts"] += ["--tuples", "1"]


def _matrix() -> ModuleType:
    path = ROOT / "studies" / "proofs" / "model_matrix.py"
    spec = importlib.util.spec_from_file_location("model_matrix", path)
    assert spec is not None and spec.loader is not None
    sys.modules[spec.name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


matrix = _matrix()


@pytest.fixture(scope="session")
def small() -> Path:
    return smollm2()


@pytest.fixture(scope="session")
def larger() -> Path:
    file = Path(os.environ.get("LEADLINE_WEIGHTS", "")) / LARGER
    if not file.is_file():
        pytest.skip(f"{LARGER} is not there: LEADLINE_WEIGHTS names its folder")
    return file


@pytest.fixture(scope="session")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return matrix.prepared(tmp_path_factory.mktemp("read"), each=1)


def serving(file: Path) -> Iterator[list[str]]:
    """Run llama.cpp's server in this process, and yield the options that name its model."""
    xllamacpp = pytest.importorskip("xllamacpp")
    given = xllamacpp.CommonParams()
    given.model.path, given.hostnames, given.port = str(file), ["127.0.0.1"], 0
    given.n_ctx, given.n_parallel, given.cpuparams.n_threads = 4096, 1, 1
    server = xllamacpp.Server(given)
    yield ["--llm", f"{server.listening_address}/v1", "--llm-model", file.stem,
           "--llm-concurrency", "1"]  # fmt: skip
    del server


@pytest.fixture(scope="session")
def small_server(small: Path) -> Iterator[list[str]]:
    yield from serving(small)


@pytest.fixture(scope="session")
def larger_server(larger: Path) -> Iterator[list[str]]:
    yield from serving(larger)


def ends_well(name: str, places: dict[str, str], out: Path, model: list[str]) -> None:
    words = matrix.filled(name, places, model, out)
    started = time.monotonic()
    one = [] if name == "implicit-facts" else ["--limit", "1"]
    done = CliRunner().invoke(app, [*words, *BRIEF.get(name, []), *one])
    cell = matrix.judged(done.exit_code, done.stderr, out, time.monotonic() - started)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
    assert not cell.bad, f"{cell}\n{done.stderr}"
    assert cell.code == 0 or cell.last.startswith("leadline: "), done.stderr
    assert cell.calls > 0, done.stderr


# `check` and its `conditions` run in this process: tests/cli/test_check_by_model.py.
@pytest.mark.parametrize("name", sorted(matrix.COMMANDS.keys() - {"check", "conditions"}))
def test_a_command_ends_well_with_a_small_model_at_a_real_server(
    name: str, places: dict[str, str], tmp_path: Path, small_server: list[str]
) -> None:
    ends_well(name, places, tmp_path / "out", small_server)


@pytest.mark.parametrize("name", ["listwise", "true_false", "read"])
def test_a_command_ends_well_with_a_small_model_in_this_process(
    name: str, places: dict[str, str], tmp_path: Path, small: Path
) -> None:
    ends_well(name, places, tmp_path / "out", ["--llm", str(small)])


@pytest.mark.slow
@pytest.mark.parametrize("name", matrix.COMMANDS)
def test_a_command_ends_well_with_a_larger_model_at_a_real_server(
    name: str, places: dict[str, str], tmp_path: Path, larger_server: list[str]
) -> None:
    ends_well(name, places, tmp_path / "out", larger_server)
