"""Whatever a file holds, reading it ends in success or in one line that its user can act on."""

import tempfile
import time
from pathlib import Path
from random import Random

import pytest
from forms import READERS, attempt, good_files, write

from tables import each_row

SLOWEST = 10.0
"""Seconds; a bound on hanging, not a measurement."""


INPUTS = (15, pytest.param(600, marks=pytest.mark.slow))
"""Of each form."""


@pytest.mark.parametrize("name", READERS)
def test_the_good_example_of_each_form_is_read(name: str, tmp_path: Path) -> None:
    write(tmp_path, good_files(name))
    if not name.startswith("names"):  # those try one name as a system, a benchmark and a metric
        READERS[name](tmp_path)


@pytest.mark.parametrize("inputs", INPUTS)
@pytest.mark.parametrize("name", READERS)
def test_a_changed_file_is_read_or_refused(name: str, inputs: int) -> None:
    for seed in range(inputs):
        with tempfile.TemporaryDirectory() as folder:
            started = time.monotonic()
            attempt(name, Path(folder), Random(seed))
            assert time.monotonic() - started < SLOWEST, seed


@each_row
def test_an_input_that_once_failed_is_read_or_refused(
    name: str, number: int, tmp_path: Path
) -> None:
    assert attempt(name, tmp_path, Random(f"{name} 0 {number}")) in ("read", "refused")
