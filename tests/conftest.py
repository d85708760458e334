"""Options of the test run."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# A busy machine is no fault of a test.
settings.register_profile("leadline", deadline=None, max_examples=40)
settings.load_profile("leadline")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--golden",
        type=Path,
        default=None,
        help="folder of golden vectors (default: golden/ of the shared data)",
    )


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Count the golden vectors in the last line; a run that had none to try says so."""
    name = "test_golden_vector"
    reports = [each for kept in terminalreporter.stats.values() for each in kept]
    of_vectors = [each for each in reports if name in getattr(each, "nodeid", "")]
    ran = [each for each in of_vectors if getattr(each, "when", "") == "call"]
    if ran:
        terminalreporter.stats["golden vectors"] = ran
    elif of_vectors:
        terminalreporter.write_line("0 golden vectors: set LEADLINE_SHARED or --golden")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep indexes and embeddings of a test out of the user's cache, and out of other tests."""
    monkeypatch.setenv("LEADLINE_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="session")
def folder_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Give the folder of a tiny encoder of each kind, made when it is first asked for."""
    from tiny_encoders import save_encoder

    @cache
    def folder(kind: str) -> Path:
        return save_encoder(kind, tmp_path_factory.mktemp(kind.replace(" ", "-")))

    return folder


@pytest.fixture(scope="session")
def model_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Give the folder of a tiny model of a class, made when it is first asked for."""
    from tiny_models import KINDS, save

    @cache
    def folder(kind: str) -> Path:
        tokenizer, settings = KINDS[kind]
        return save(tmp_path_factory.mktemp(kind), kind, tokenizer(), **settings)

    return folder


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Give a real browser; skip the test where none is installed."""
    from browser import Browser, installed

    if installed() is None:
        pytest.skip("no browser is installed")
    opened = Browser(tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()
