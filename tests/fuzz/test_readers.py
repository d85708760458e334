"""Whatever a file holds, reading it ends in success or in one line that its user can act on."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from random import Random

import pytest
from forms import FORMS, attempt

from leadline.errors import InputError
from leadline.systems.benchmarks import load_benchmarks
from leadline.systems.chains import load_system
from tables import each_row

SLOWEST = 10.0
"""Seconds; a bound on hanging, not a measurement."""


INPUTS = (15, pytest.param(600, marks=pytest.mark.slow))
"""Of each form."""


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("LEADLINE_CACHE", str(folder))


@pytest.mark.parametrize("name", FORMS)
def test_the_good_example_of_each_form_is_read(name: str, tmp_path: Path) -> None:
    for each, content in FORMS[name].files().items():
        path = tmp_path / each
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    if not name.startswith("names"):  # those try one name as a system, a benchmark and a metric
        FORMS[name].read(tmp_path)


@pytest.mark.parametrize("inputs", INPUTS)
@pytest.mark.parametrize("name", FORMS)
def test_a_changed_file_is_read_or_refused(name: str, inputs: int) -> None:
    for seed in range(inputs):
        with tempfile.TemporaryDirectory() as folder:
            started = time.monotonic()
            attempt(FORMS[name], Path(folder), Random(seed))
            assert time.monotonic() - started < SLOWEST, seed


@each_row
def test_an_input_that_once_failed_is_read_or_refused(
    name: str, number: int, tmp_path: Path
) -> None:
    assert attempt(FORMS[name], tmp_path, Random(f"{name} 0 {number}")) in ("read", "refused")


@pytest.mark.parametrize(
    "typed", ["x" * 400, "x/" * 300, "conditions:words=" + "9" * 400, "~x/y.py"]
)
def test_a_name_too_long_for_the_file_system_is_refused(typed: str, tmp_path: Path) -> None:
    for load in (load_system, lambda name: load_benchmarks(name, data=tmp_path)):
        with pytest.raises(InputError):
            load(typed)
