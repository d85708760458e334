"""The settings of a training run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from leadline.errors import InputError, unknown

LOSSES = ("mnr", "qa", "qq", "cr", "full", "qea", "smc")
PRECISIONS = ("float32", "bfloat16", "float16")

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "paper": {
        "learning_rate": 2e-5, "batch_size": 64, "epochs": 15, "warmup": 0.1, "patience": 5,
        "evaluations": 15, "alignment": 0.5, "margin": 0.5, "scale": 20.0, "divisor": "cluster",
        "per_dimension": False, "normalize": False, "compared_with": "own", "reduction": "sum",
        "candidates": "batch", "negatives": 5,
    },
}  # fmt: skip
"""Options of `train retriever` by the name of a preset.

Of the paper's grid the values in the middle, as it names none that it chose; an evaluation each
epoch. Source: Campese et al., Improving Document Retrieval Coherence, section 4 and eq. 2.
"""


def processes() -> int:
    """Return how many processes train together, as `torchrun` says."""
    return max(1, int(os.environ.get("WORLD_SIZE") or 1))


def process() -> int:
    """Return the number of this process among them; 0 alone locks, writes and speaks."""
    return int(os.environ.get("RANK") or 0) if processes() > 1 else 0


@dataclass(frozen=True)
class Settings:
    """How a model is trained; what any trainer needs.

    batch_size      rows of a step, of all processes together
    steps           None for what `epochs` come to
    warmup          share of the steps over which the learning rate rises
    patience        evaluations without a better score before the run stops
    evaluations     how often the run is evaluated and saved
    precision       number format of the computations; weights stay float32
    max_length      tokens of a text that are read while training; None for the model's own
    gradient_cache  texts whose activations are in memory at a time; 0 for the whole batch
    Source: batch size and learning rate are within the grid, warmup, epochs and patience as in
    Campese et al., Improving Document Retrieval Coherence, section 4.
    """

    learning_rate: float = 2e-5
    batch_size: int = 32
    epochs: float = 15
    steps: int | None = None
    warmup: float = 0.1
    patience: int = 5
    evaluations: int = 10
    precision: str = "float32"
    max_length: int | None = None
    gradient_cache: int = 0
    seed: int = 0
    tensorboard: bool = False

    def __post_init__(self) -> None:
        least = {"batch_size": 2, "patience": 1, "evaluations": 1}
        for name, bound in least.items():
            if getattr(self, name) < bound:
                raise InputError(f"{name} must be at least {bound}, got {getattr(self, name)}.")
        if self.learning_rate <= 0 or self.epochs <= 0 or (self.steps or 1) < 1:
            raise InputError("learning_rate, epochs and steps must be above 0.")
        if not 0 <= self.warmup < 1:
            raise InputError(f"warmup must lie in [0, 1), got {self.warmup}.")
        if self.precision not in PRECISIONS:
            raise unknown("precision", self.precision, PRECISIONS)

    def arguments(self, steps: int) -> dict[str, Any]:
        """Return what any trainer of transformers is told of these settings.

        steps  of the whole run; it is evaluated and saved `evaluations` times
        """
        every = max(1, steps // self.evaluations)
        return {
            "per_device_train_batch_size": self.batch_size,
            "num_train_epochs": self.epochs,
            "max_steps": self.steps or -1,
            "learning_rate": self.learning_rate,
            "warmup_steps": max(0, round(self.warmup * steps)),
            "bf16": self.precision == "bfloat16",
            "fp16": self.precision == "float16",
            "seed": self.seed,
            "eval_strategy": "steps",
            "eval_steps": every,
            "save_strategy": "steps",
            "save_steps": every,
            "save_total_limit": 2,
            "logging_steps": max(1, every // 5),
            "load_best_model_at_end": True,
            "greater_is_better": True,
            "report_to": ["tensorboard"] if self.tensorboard else [],
            "disable_tqdm": True,
        }


_CHOICES = {
    "divisor": ("cluster", "rephrasings"),
    "compared_with": ("own", "batch"),
    "reduction": ("sum", "mean"),
    "candidates": ("batch", "own"),
}


@dataclass(frozen=True)
class LossSettings:
    """What a retriever is trained for.

    loss       `mnr` ranks documents (fine-tuning); `qa` takes rephrasings as more queries; `qq`
               also ranks rephrasings of a query, in turn; `cr` adds the terms of the
               coherence-ranking loss; `full` is `cr` with `qa`; `qea` and `smc` have one term
    alignment  weight of the distance of a query and its rephrasings
    margin     weight of the difference of their margins
    scale      what cosines are multiplied by
    others     as the functions of `losses` have them
    """

    loss: str = "cr"
    alignment: float = 1.0
    margin: float = 1.0
    scale: float = 20.0
    divisor: str = "cluster"
    per_dimension: bool = False
    normalize: bool = False
    compared_with: str = "own"
    reduction: str = "sum"
    candidates: str = "batch"

    def __post_init__(self) -> None:
        if self.loss not in LOSSES:
            raise unknown("loss", self.loss, LOSSES)
        for name, known in _CHOICES.items():
            if getattr(self, name) not in known:
                raise unknown(name, getattr(self, name), known)
        if self.alignment < 0 or self.margin < 0 or self.scale <= 0:
            raise InputError(
                "alignment and margin must be at least 0 and scale above 0, got "
                f"{self.alignment}, {self.margin} and {self.scale}."
            )

    @property
    def weights(self) -> tuple[float, float]:
        """The weights of alignment and of margin, 0 for a term that the loss does not have."""
        alignment = self.alignment if self.loss in ("cr", "full", "qea") else 0.0
        return alignment, self.margin if self.loss in ("cr", "full", "smc") else 0.0

    @property
    def augments(self) -> bool:
        """Whether rephrasings are queries of their own."""
        return self.loss in ("qa", "full")
