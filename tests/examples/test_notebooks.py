"""Every notebook of the examples runs, shows a table and a figure, and holds what it shows."""

import json
from pathlib import Path

import pytest

from test_pages import pages

CONCERNS = {"conditions", "implicit-facts", "instructions", "reasoning", "rephrasings"}


def test_there_is_one_for_every_concern() -> None:
    assert {path.stem for path in pages.notebooks()} == CONCERNS


@pytest.mark.parametrize("path", pages.notebooks(), ids=lambda path: path.stem)
def test_a_notebook_shows_a_table_and_a_figure(path: Path) -> None:
    for cell, outputs in pages.run_notebook(path):
        assert bool(outputs) == bool(cell["outputs"]), cell["source"]
    shown = path.read_text("utf-8")
    assert "<table>" in shown and "<svg" in shown


@pytest.mark.slow
@pytest.mark.parametrize("path", pages.notebooks(), ids=lambda path: path.stem)
def test_a_notebook_holds_what_it_shows_today(path: Path) -> None:
    for cell, outputs in pages.run_notebook(path):
        assert json.loads(json.dumps(outputs)) == cell["outputs"]
