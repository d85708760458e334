import subprocess
import sys
from pathlib import Path

from leadline.report import Report
from leadline.report.folder import write_scores
from processes import environment

TEST = """
def test_retrieval(retrieval_gate):
    retrieval_gate("base", "new", max_drop=0.05)
"""


def run(folder: Path, base: float, new: float) -> subprocess.CompletedProcess[str]:
    for name, value in (("base", base), ("new", new)):
        scores = {"nDCG@10": {f"q{n}": value for n in range(30)}}
        write_scores(folder / name, Report("bm25", "mine", scores))
    (folder / "test_search.py").write_text(TEST)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "leadline.comparison.pytest_plugin"]
    alone = environment() | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(
        [*command, "test_search.py"], cwd=folder, env=alone, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


def test_a_loss_fails_the_users_test_with_its_figures(tmp_path: Path) -> None:
    done = run(tmp_path, 0.8, 0.7)
    assert done.returncode == 1
    assert "nDCG@10 0.800 -> 0.700 (-0.100" in done.stdout


def test_without_a_loss_it_passes(tmp_path: Path) -> None:
    assert run(tmp_path, 0.7, 0.8).returncode == 0
