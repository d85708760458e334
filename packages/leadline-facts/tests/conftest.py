"""What every test of the package begins with."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what a test derives out of the user's cache, and out of other tests."""
    monkeypatch.setenv("LEADLINE_CACHE", str(tmp_path / "cache"))
