"""The example of docs/how-to/repair-a-system.md, as it is typed there."""

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from commands import run
from leadline.cli.main import app

ROOT = Path(__file__).parents[2]
RUN = CliRunner()


@pytest.mark.slow
def test_a_planted_fault_is_mended_as_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (ROOT / "docs" / "repair.md").read_text("utf-8")
    (typed,) = re.findall(r"^    leadline (repair examples/.*)$", page, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    done = run(*shlex.split(typed))
    assert "(as it is): search" in done.stdout
    (recommended,) = (line for line in done.stderr.splitlines() if line.startswith("Recommended"))
    # The first words of the page's line; figures may move with the rules of the probes.
    assert recommended[:53] in page
    told = json.loads((tmp_path / "repair" / "repair.json").read_text("utf-8"))
    assert told["recommended"] == "bm25" and told["index bytes"] > 0
    assert told["confirmed"]["nDCG@10 of both halves, lower bound"] > 0
    given = ["search", "-s", "repair/repaired.yaml", "examples/harbour_town", "in 1990"]
    assert RUN.invoke(app, given).exit_code == 0
