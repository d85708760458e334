"""Options of the test run."""

from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--golden",
        type=Path,
        default=None,
        help="folder of golden vectors (default: golden/ of the shared data)",
    )


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep indexes and embeddings of a test out of the user's cache, and out of other tests."""
    monkeypatch.setenv("LEADLINE_CACHE", str(tmp_path / "cache"))
