"""Several runs of one training: values of settings, and seeds; the best is kept."""

from __future__ import annotations

import dataclasses
import itertools
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Protocol

from leadline.data.writing import atomic_file, file_name
from leadline.errors import InputError, unknown
from leadline.training.settings import LossSettings, Settings, process

Axes = Mapping[str, Sequence[float]]
"""Name of a setting -> the values to try."""

AXES = ("learning_rate", "batch_size", "alignment", "margin")
_WHOLE = ("batch_size",)
PAPER: Axes = {
    "learning_rate": (5e-6, 7e-6, 1e-5, 2e-5, 3e-5),
    "alignment": (0, 0.2, 0.5, 0.8, 1),
    "margin": (0, 0.2, 0.5, 0.8, 1),
}
"""Source: Campese et al., Improving Document Retrieval Coherence, section 4."""


class Run(Protocol):
    """Trains one model into a folder and returns what it reached on the validation set."""

    def __call__(
        self, out: Path, loss: LossSettings, settings: Settings
    ) -> Mapping[str, Mapping[str, float]]:
        """Return `start` and `end`."""
        ...


@dataclass(frozen=True)
class Tried:
    """One choice of values, over all seeds.

    start, mean, deviation  of each figure; the deviation is 0 for a single seed
    """

    values: Mapping[str, float]
    seeds: tuple[int, ...]
    start: Mapping[str, float]
    mean: Mapping[str, float]
    deviation: Mapping[str, float]


def axes_of(typed: Sequence[str]) -> dict[str, Sequence[float]]:
    """Return the values of `NAME=A,B`, or of the paper's grid for `paper`.

    Raises InputError for unknown names and no numbers.
    """
    axes: dict[str, Sequence[float]] = {}
    for each in typed:
        if each == "paper":
            axes.update(PAPER)
            continue
        name, _, values = each.partition("=")
        name = name.strip().replace("-", "_")
        if name not in AXES:
            raise unknown("setting of --grid", name, AXES, f"There are {', '.join(AXES)}.")
        try:
            read = int if name in _WHOLE else float
            axes[name] = tuple(read(value) for value in values.split(","))
        except ValueError as error:
            raise InputError(
                f"--grid {each}: {values!r} are no numbers, as in 1e-5,2e-5."
            ) from error
    return axes


def run_all(
    run: Run,
    out: Path,
    loss: LossSettings,
    settings: Settings,
    *,
    axes: Axes | None = None,
    seeds: int = 1,
) -> list[Tried]:
    """Run every choice of values with every seed; put the best model into `out`.

    A single run trains in `out` itself. Several train in `out/runs`, where each is found again
    when the same call is made after it was stopped; `out/runs.json` lists them.
    seeds  how many, from that of the settings on

    The best choice has the highest mean score; the model kept is its best seed.
    """
    given = axes or {}
    choices = [
        dict(zip(given, values, strict=True)) for values in itertools.product(*given.values())
    ]
    numbers = tuple(range(settings.seed, settings.seed + seeds))
    if len(choices) == 1 and seeds == 1:
        changed = _changed(loss, settings, choices[0], settings.seed)
        found = run(out, *changed)
        return [_tried(choices[0], numbers, [found])]
    tried: list[Tried] = []
    folders: list[tuple[float, Path, int]] = []
    for choice in choices:
        found_by_seed = []
        for seed in numbers:
            folder = out / "runs" / _name(choice, seed)
            found = run(folder, *_changed(loss, settings, choice, seed))
            found_by_seed.append(found)
            folders.append((found["end"]["score"], folder, len(tried)))
        tried.append(_tried(choice, numbers, found_by_seed))
    best = max(range(len(tried)), key=lambda place: tried[place].mean["score"])
    if process() == 0:
        _keep(max(each for each in folders if each[2] == best)[1], out)
        with atomic_file(out / "runs.json") as handle:
            json.dump([dataclasses.asdict(each) for each in tried], handle, indent=1)
    return tried


def _changed(
    loss: LossSettings, settings: Settings, choice: Mapping[str, float], seed: int
) -> tuple[LossSettings, Settings]:
    weights: dict[str, Any] = {
        name: value for name, value in choice.items() if name in ("alignment", "margin")
    }
    others: dict[str, Any] = {name: value for name, value in choice.items() if name not in weights}
    return dataclasses.replace(loss, **weights), dataclasses.replace(settings, seed=seed, **others)


def _tried(
    choice: Mapping[str, float],
    seeds: tuple[int, ...],
    found: Sequence[Mapping[str, Mapping[str, float]]],
) -> Tried:
    columns = {name: [each["end"][name] for each in found] for name in found[0]["end"]}
    spread = {name: stdev(its) if len(its) > 1 else 0.0 for name, its in columns.items()}
    mean = {name: fmean(its) for name, its in columns.items()}
    return Tried(dict(choice), seeds, dict(found[0]["start"]), mean, spread)


def _name(choice: Mapping[str, float], seed: int) -> str:
    parts = [f"{name}-{value:g}" for name, value in choice.items()]
    return file_name("_".join([*parts, f"seed-{seed}"]))


def _keep(best: Path, out: Path) -> None:
    for path in best.iterdir():
        if path.is_dir():
            shutil.copytree(path, out / path.name, dirs_exist_ok=True)
        else:
            shutil.copy2(path, out / path.name)
