"""Several runs, of which the best is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from leadline.errors import InputError
from leadline.training.grids import axes_of, run_all
from leadline.training.settings import LossSettings, Settings


def run(out: Path, loss: LossSettings, settings: Settings) -> dict[str, Any]:
    """Score best at an alignment of 2, and better for seed 1."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "model.txt").write_text(f"{loss.alignment:g} {settings.seed}")
    score = 0.5 - abs(loss.alignment - 2) / 10 + settings.seed / 100
    return {"start": {"score": 0.1}, "end": {"score": score}}


def test_the_best_choice_and_its_best_seed_are_kept(tmp_path: Path) -> None:
    tried = run_all(
        run, tmp_path, LossSettings(), Settings(), axes=axes_of(["alignment=1,2,5"]), seeds=2
    )
    assert (tmp_path / "model.txt").read_text() == "2 1"
    # Seeds 0 and 1 give 0.50 and 0.51: mean 0.505, deviation 0.01 / sqrt(2).
    assert tried[1].mean["score"] == pytest.approx(0.505)
    assert tried[1].deviation["score"] == pytest.approx(0.01 / 2**0.5)
    assert [each["values"] for each in json.loads((tmp_path / "runs.json").read_text())] == [
        {"alignment": 1.0}, {"alignment": 2.0}, {"alignment": 5.0},
    ]  # fmt: skip


def test_a_single_run_needs_no_folder_of_its_own(tmp_path: Path) -> None:
    run_all(run, tmp_path, LossSettings(alignment=3.0), Settings(seed=7))
    assert (tmp_path / "model.txt").read_text() == "3 7"
    assert not (tmp_path / "runs").exists()


def test_what_cannot_be_tried_is_named() -> None:
    assert axes_of(["batch-size=8,16"]) == {"batch_size": (8, 16)}
    # Section 4 of the paper: five learning rates, and five values of each weight, 1 at most.
    assert {name: (len(its), max(its)) for name, its in axes_of(["paper"]).items()} == {
        "learning_rate": (5, 3e-5), "alignment": (5, 1), "margin": (5, 1),
    }  # fmt: skip
    with pytest.raises(InputError, match="Did you mean 'margin'"):
        axes_of(["margn=1"])
    with pytest.raises(InputError, match="are no numbers"):
        axes_of(["margin=a,b"])
