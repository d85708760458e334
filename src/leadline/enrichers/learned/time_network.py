"""How well each reading of an expression of time fits, as small networks have learned it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from leadline.enrichers.learned.time_feature_names import FINGERPRINT

Matrix = NDArray[np.float32]
Layers = Sequence[tuple[Matrix, Matrix]]

FARTHEST = 6.0
"""Scaled features are cut off there, so that a count never seen does not decide alone."""


@dataclass(frozen=True)
class TimeNetwork:
    """Networks whose scores are averaged.

    kept           columns of the features that are used
    center, scale  what is taken off a feature, and what the rest is divided by
    networks       layers of (weights, biases), each but the last followed by a rectifier
    judge          weights that join a reading's likelihood with what the rules say, see `judging`
    """

    kept: NDArray[np.int64]
    center: Matrix
    scale: Matrix
    networks: Sequence[Layers]
    judge: Matrix

    def scores(self, rows: Matrix) -> Matrix:
        """Return a score for each row of features (n, features): (n,); 0 is that of no reading."""
        scaled = np.clip((rows[:, self.kept] - self.center) / self.scale, -FARTHEST, FARTHEST)
        total = np.zeros(len(rows), np.float32)
        for layers in self.networks:
            values: Matrix = scaled
            for number, (weights, biases) in enumerate(layers):
                values = values @ weights + biases
                if number + 1 < len(layers):
                    values = np.maximum(values, 0)
            total += values[:, 0]
        return np.asarray(total / len(self.networks), np.float32)


def read_network(path: Path) -> TimeNetwork:
    """Return the networks of a file of `benchmarks/learn_times.py`.

    Raises ValueError where they were taught on other features.
    """
    with np.load(path) as file:
        held = dict(file.items())
    if str(held["fingerprint"]) != FINGERPRINT:
        raise ValueError(
            f"{path.name} was taught on features {held['fingerprint']}, these are {FINGERPRINT}: "
            "run benchmarks/learn_times.py"
        )
    networks = []
    for seed in range(int(held["networks"])):
        layers: list[tuple[Matrix, Matrix]] = []
        while f"weights{seed}_{len(layers)}" in held:
            at = f"{seed}_{len(layers)}"
            layers.append((held[f"weights{at}"].astype(np.float32),
                           held[f"biases{at}"].astype(np.float32)))  # fmt: skip
        networks.append(tuple(layers))
    return TimeNetwork(
        held["kept"].astype(np.int64), held["center"].astype(np.float32),
        held["scale"].astype(np.float32), tuple(networks), held["judge"].astype(np.float32),
    )  # fmt: skip


@lru_cache(maxsize=1)
def times_network() -> TimeNetwork:
    """Return the networks of this package."""
    with resources.as_file(resources.files(__package__) / "times.npz") as path:
        return read_network(path)
