"""Where the real collections lie that some tests read."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def shared_folder() -> Path:
    """Return the folder of shared collections, which need not be there."""
    return Path(os.environ.get("LEADLINE_SHARED", ROOT.parent / "shared"))


def shared_data(*parts: str) -> Path:
    """Return a path below the shared collections; skip the test where it is missing."""
    path = shared_folder().joinpath(*parts)
    if not path.exists():
        pytest.skip(f"{'/'.join(parts)} is not at hand (set LEADLINE_SHARED)")
    return path
