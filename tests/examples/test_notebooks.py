"""Every notebook of the examples runs, cell by cell, and shows a table and a figure."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples" / "notebooks").glob("*.ipynb"))
CONCERNS = {"conditions", "implicit-facts", "instructions", "reasoning", "rephrasings"}


def cells(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return found


def run(source: str, names: dict[str, Any]) -> Any:
    """Run a cell as a notebook does; return the value of the expression that it ends in."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    if last is None:
        return None
    assert isinstance(last, ast.Expr)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def test_there_is_one_for_every_concern() -> None:
    assert {path.stem for path in NOTEBOOKS} == CONCERNS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_a_table_and_a_figure(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(path.parent)
    names: dict[str, Any] = {}
    shown = ""
    for cell in cells(path):
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [], "an example is kept without what it gave somebody"
            value = run("".join(cell["source"]), names)
            shown += value._repr_html_() if hasattr(value, "_repr_html_") else ""
    assert "<table>" in shown and "<svg" in shown
