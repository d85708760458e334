"""Tables of cases, in the YAML file beside the tests that try them: a head, then a row a case."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml


def each_row(test: Callable[..., None]) -> Callable[..., None]:
    """Run a test on every row that `test_x.yaml`, beside `test_x.py`, has under its name."""
    head, *rows = yaml_of(Path(test.__code__.co_filename))[test.__name__.removeprefix("test_")]
    return pytest.mark.parametrize(head, rows if len(head) > 1 else [[row] for row in rows])(test)


@cache
def yaml_of(path: Path) -> dict[str, list[Any]]:
    read: dict[str, list[Any]] = yaml.safe_load(path.with_suffix(".yaml").read_text("utf-8"))
    return read
