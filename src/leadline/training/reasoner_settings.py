"""The settings with which a causal model learns to reason and judge, and the published ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from leadline.errors import InputError, unknown
from leadline.training.settings import PRECISIONS

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "paper": {"learning_rate": 6e-5, "epochs": 5.0, "accumulation": 32},
    "released-code": {"learning_rate": 3e-5, "epochs": 7.0, "accumulation": 8},
    "rank1": {"learning_rate": 1e-4, "epochs": 2.0, "accumulation": 8, "warmup": 0.05},
}
"""Where they differ. The paper has batches of 128, here 4 * 32 on one device."""

EMBEDDINGS = ("whole", "added")
_PAPER_BATCH = 128


@dataclass(frozen=True)
class ReasonerSettings:
    """How a causal model is trained with LoRA on all linear layers.

    batch_size    pairs on a device at a time
    accumulation  such batches to a step
    steps         None for what `epochs` come to
    warmup        share of the steps over which the learning rate rises; then it falls as a cosine
    max_length    tokens of prompt and completion; a document is cut where they are more
    precision     number format of weights and computations
    four_bit      keep the frozen weights in 4 bits (needs bitsandbytes and a GPU)
    embeddings    `whole` trains both matrices beside LoRA, as LLaMA-Factory does with
                  `resize_vocab`; `added` only the rows of added tokens, with less memory
    packing       put several pairs into one row (needs flash attention, else they see each other)
    evaluations   how often the run is saved, and held-out pairs are judged
    trace_tokens  tokens of reasoning at most, when held-out pairs are judged
    Source: LimRank, appendix B; the released training settings for what it does not say.
    """

    learning_rate: float = 6e-5
    batch_size: int = 4
    accumulation: int = 32
    epochs: float = 5.0
    steps: int | None = None
    warmup: float = 0.03
    max_length: int = 2500
    rank: int = 32
    alpha: int = 64
    embeddings: str = "whole"
    precision: str = "bfloat16"
    gradient_checkpointing: bool = True
    four_bit: bool = False
    packing: bool = False
    evaluations: int = 10
    trace_tokens: int = 512
    seed: int = 12345

    def __post_init__(self) -> None:
        for name in ("batch_size", "accumulation", "rank", "alpha", "evaluations", "trace_tokens"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1, got {getattr(self, name)}.")
        if self.max_length < 64:
            raise InputError(f"max_length must be at least 64, got {self.max_length}.")
        if self.learning_rate <= 0 or self.epochs <= 0 or (self.steps or 1) < 1:
            raise InputError("learning_rate, epochs and steps must be above 0.")
        if not 0 <= self.warmup < 1:
            raise InputError(f"warmup must lie in [0, 1), got {self.warmup}.")
        if self.precision not in PRECISIONS:
            raise unknown("precision", self.precision, PRECISIONS)
        if self.embeddings not in EMBEDDINGS:
            raise unknown("embeddings", self.embeddings, EMBEDDINGS)


def preset(name: str, *, processes: int = 1, **own: Any) -> ReasonerSettings:
    """Return published settings; what is given and not None goes first.

    processes  how many train together: the paper's batch is that of all of them

    Raises InputError for a name that there is not.
    """
    if name not in PRESETS:
        raise unknown("preset", name, tuple(PRESETS))
    given = {key: value for key, value in own.items() if value is not None}
    settings = ReasonerSettings(**{**PRESETS[name], **given})
    if name == "paper" and "accumulation" not in given:
        at_once = settings.batch_size * processes
        settings = replace(settings, accumulation=max(1, _PAPER_BATCH // at_once))
    return settings
