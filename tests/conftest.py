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
