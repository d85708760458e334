"""The settings of training: their meaning, their limits, and published values."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from leadline.errors import InputError, unknown

PRECISIONS = ("float32", "bfloat16", "float16")


def option(
    default: Any,
    panel: str,
    help: str = "",
    *,
    metavar: str = "N",
    least: float | None = None,
    above: float | None = None,
    among: tuple[str, ...] = (),
) -> Any:
    """Return a field of settings that is also an option of `leadline train`.

    panel         the part of `--help` it stands in
    least, above  its lower bound
    among         the values it may have
    """
    about = {"panel": panel, "help": help, "metavar": metavar}
    return field(
        default=default, metadata={**about, "least": least, "above": above, "among": among}
    )


class Checked:
    """Settings whose fields are checked against what `option` says of them."""

    def __post_init__(self) -> None:
        for each in fields(self):  # type: ignore[arg-type]
            value, bounds = getattr(self, each.name), each.metadata
            if not bounds or value is None:
                continue
            if bounds["among"] and value not in bounds["among"]:
                raise unknown(each.name, value, bounds["among"])
            if bounds["least"] is not None and value < bounds["least"]:
                raise InputError(f"{each.name} must be at least {bounds['least']}, got {value}.")
            if bounds["above"] is not None and value <= bounds["above"]:
                raise InputError(f"{each.name} must be above {bounds['above']}, got {value}.")


def processes() -> int:
    """Return how many processes train together, as `torchrun` says."""
    return max(1, int(os.environ.get("WORLD_SIZE") or 1))


def process() -> int:
    """Return the number of this process among them; 0 alone locks, writes and speaks."""
    return int(os.environ.get("RANK") or 0) if processes() > 1 else 0


_STEPS, _HARDWARE, _LOSS, _LORA = "Optimisation", "Hardware", "Loss", "LoRA"
_DATA = "Data"


@dataclass(frozen=True)
class Settings(Checked):
    """How a retriever is trained.

    Source: batch size and learning rate are within the grid, warmup, epochs and patience as in
    Campese et al., Improving Document Retrieval Coherence, section 4.
    """

    learning_rate: float = option(2e-5, _STEPS, metavar="R", above=0)
    batch_size: int = option(32, _STEPS, "Rows of a step, of all processes together.", least=2)
    epochs: float = option(15.0, _STEPS, "Passes over the rows at most.", above=0)
    steps: int | None = option(None, _STEPS, "Steps at most, instead of epochs.", least=1)
    warmup: float = option(
        0.1, _STEPS, "Share of the steps over which the learning rate rises.", metavar="SHARE",
        least=0,
    )  # fmt: skip
    patience: int = option(
        5, _STEPS, "Stop after this many evaluations without a better score.", least=1
    )
    evaluations: int = option(10, _STEPS, "How often a run is evaluated and saved.", least=1)
    precision: str = option(
        "float32", _HARDWARE, "float32, bfloat16 or float16, of the computations.",
        metavar="FORMAT", among=PRECISIONS,
    )  # fmt: skip
    max_length: int | None = option(
        None, _HARDWARE, "Tokens of a text that are read while training.", least=8
    )
    gradient_cache: int = option(
        0, _HARDWARE, "Keep the activations of only N texts in memory at a time, for large "
        "batches.", least=0,
    )  # fmt: skip
    seed: int = option(0, "Options", "Makes every random choice repeatable.")


PAIRS: Mapping[str, float] = {
    "learning_rate": 2e-5, "batch_size": 2048, "max_length": 128, "epochs": 1.0,
}  # fmt: skip
"""Settings of a training on pairs of related texts, before the main one.

Source: Campese et al., Improving Document Retrieval Coherence, appendix B; the number of passes,
which it does not give, is ours.
"""


def pairs_settings(settings: Settings, typed: Sequence[str]) -> Settings:
    """Return the settings of a training on pairs: `PAIRS`, what is typed, and those of the main.

    typed  as `NAME=VALUE`, NAME one of PAIRS, `steps` or `gradient_cache`

    Raises InputError for another name and for no number.
    """
    own: dict[str, Any] = {"steps": None, **PAIRS}
    for each in typed:
        name, _, value = each.partition("=")
        name = name.strip().replace("-", "_")
        known = (*own, "gradient_cache")
        if name not in known:
            raise unknown("setting of --pairs-setting", name, known)
        try:
            own[name] = float(value) if isinstance(PAIRS.get(name), float) else int(value)
        except ValueError as error:
            raise InputError(f"--pairs-setting {each}: {value!r} is not a number.") from error
    return replace(settings, **own)


LOSSES = ("mnr", "qa", "qq", "cr", "full", "qea", "smc")


@dataclass(frozen=True)
class LossSettings(Checked):
    """What a retriever is trained for; the functions of `losses` say what the options mean."""

    loss: str = option(
        "cr", _LOSS, "[bold]mnr[/bold] ranks documents; [bold]qa[/bold] takes rephrasings as more "
        "queries; [bold]qq[/bold] also ranks rephrasings, in turn; [bold]cr[/bold] places "
        "rephrasings together; [bold]full[/bold] is cr with qa; [bold]qea[/bold] and "
        "[bold]smc[/bold] have one term of cr.", metavar="LOSS", among=LOSSES,
    )  # fmt: skip
    alignment: float = option(
        1.0, _LOSS, "Weight of the distance of a query and its rephrasings, in cr, full and qea.",
        metavar="W", least=0,
    )  # fmt: skip
    margin: float = option(
        1.0, _LOSS, "Weight of the difference of their margins, in cr, full and smc. It grows with "
        "rephrasings times negatives.", metavar="W", least=0,
    )  # fmt: skip
    scale: float = option(20.0, _LOSS, "What cosines are multiplied by.", metavar="X", above=0)
    divisor: str = option(
        "cluster", _LOSS, "The distances are divided by the size of the [bold]cluster[/bold], or "
        "by the number of [bold]rephrasings[/bold].", metavar="WHAT",
        among=("cluster", "rephrasings"),
    )  # fmt: skip
    per_dimension: bool = option(False, _LOSS, "Distances as means over dimensions, not sums.")
    normalize: bool = option(False, _LOSS, "Distances of unit vectors.")
    compared_with: str = option(
        "own", _LOSS, "Margins against the [bold]own[/bold] hard negatives, or all documents of "
        "the [bold]batch[/bold].", metavar="WHAT", among=("own", "batch"),
    )  # fmt: skip
    reduction: str = option(
        "sum", _LOSS, "Differences of margins as [bold]sum[/bold], which grows with rephrasings "
        "times negatives, or as [bold]mean[/bold].", metavar="HOW", among=("sum", "mean"),
    )  # fmt: skip
    candidates: str = option(
        "batch", _LOSS, "Positives are ranked against all documents of the [bold]batch[/bold], or "
        "the [bold]own[/bold] hard negatives.", metavar="WHAT", among=("batch", "own"),
    )  # fmt: skip

    @property
    def weights(self) -> tuple[float, float]:
        """The weights of alignment and of margin, 0 for a term that the loss does not have."""
        alignment = self.alignment if self.loss in ("cr", "full", "qea") else 0.0
        return alignment, self.margin if self.loss in ("cr", "full", "smc") else 0.0

    @property
    def augments(self) -> bool:
        """Whether rephrasings are queries of their own."""
        return self.loss in ("qa", "full")


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


GRID: Mapping[str, tuple[float, ...]] = {
    "learning_rate": (5e-6, 7e-6, 1e-5, 2e-5, 3e-5),
    "alignment": (0, 0.2, 0.5, 0.8, 1),
    "margin": (0, 0.2, 0.5, 0.8, 1),
}
"""The published grid. Source: Campese et al., Improving Document Retrieval Coherence, section 4."""

_AXES = {"learning_rate": float, "batch_size": int, "alignment": float, "margin": float}


def axes_of(typed: Sequence[str]) -> dict[str, tuple[float, ...]]:
    """Return the values to try of `NAME=A,B`, or of the published grid for `paper`.

    Raises InputError for unknown names and no numbers.
    """
    axes: dict[str, tuple[float, ...]] = {}
    for each in typed:
        if each == "paper":
            axes.update(GRID)
            continue
        name, _, values = each.partition("=")
        name = name.strip().replace("-", "_")
        if name not in _AXES:
            raise unknown("setting of --grid", name, _AXES, f"The axes are {', '.join(_AXES)}.")
        try:
            axes[name] = tuple(_AXES[name](value) for value in values.split(","))
        except ValueError as error:
            raise InputError(
                f"--grid {each}: {values!r} are not numbers. Write them as in 1e-5,2e-5."
            ) from error
    return axes


@dataclass(frozen=True)
class Choices(Checked):
    """How examples are made of folders.

    held_out   share of the queries that are kept for validation, at least 8 and at most 200; 0 for
               none, 1 for all
    depth      documents of a ranking among which hard negatives are looked for
    documents  most documents of the validation corpus of a folder
    """

    limit: int = option(2000, _DATA, "Most queries of a folder, with their rephrasings.", least=1)
    held_out: float = 0.1
    negatives: int = option(5, _DATA, "Hard negatives mined for each query; 0 for none.", least=0)
    depth: int = 50
    negative_margin: float = option(
        0.05, _DATA, "Leave out documents that score within this share of the positive's score: "
        "they may be answers.", metavar="SHARE",
    )  # fmt: skip
    documents: int = 2000
    split: str = option(
        "", _DATA, "The split of judged queries to learn from, qrels/NAME.tsv; "
        "[bold]train[/bold] where none is named. A model that learnt from [bold]test[/bold] must "
        "be tested on other folders.", metavar="NAME",
    )  # fmt: skip
    variations: str = option(
        "", _DATA, "Rephrasings of the queries, such as [bold]synthesize rephrasings "
        "--queries[/bold] writes; without it the query_variations.jsonl of a folder.",
        metavar="FILE",
    )  # fmt: skip
    validation: str = option(
        "", _DATA, "Queries that decide when to stop and which model is kept: a folder as for "
        "--data, of which dev counts, else test. Without it, a tenth of the queries of --data.",
        metavar="FOLDER",
    )  # fmt: skip
    seed: int = 0


@dataclass(frozen=True)
class ReasonerSettings(Checked):
    """How a causal model is trained with LoRA on all linear layers.

    Source: LimRank, appendix B; the released training settings for what it does not say.
    """

    learning_rate: float = option(6e-5, _STEPS, metavar="R", above=0)
    batch_size: int = option(4, _STEPS, "Pairs on a device at a time.", least=1)
    accumulation: int = option(32, _STEPS, "Such batches to a step.", least=1)
    epochs: float = option(5.0, _STEPS, above=0)
    steps: int | None = option(None, _STEPS, "Steps at most, instead of epochs.", least=1)
    warmup: float = 0.03
    evaluations: int = option(10, _STEPS, "How often a run is saved and judged.", least=1)
    trace_tokens: int = option(
        512, _STEPS, "Reasoning at most, when held-out pairs are judged.", least=1
    )
    rank: int = option(32, _LORA, least=1)
    alpha: int = option(64, _LORA, least=1)
    embeddings: str = option(
        "whole", _LORA, "Train both embedding matrices [bold]whole[/bold], as the released code "
        "does, or only the rows of [bold]added[/bold] tokens, with less memory.", metavar="WHAT",
        among=("whole", "added"),
    )  # fmt: skip
    max_length: int = option(
        2500, _HARDWARE, "Tokens of prompt and completion; a longer document is cut.", least=64
    )
    precision: str = option(
        "bfloat16", _HARDWARE, "float32, bfloat16 or float16, of weights and computations.",
        metavar="FORMAT", among=PRECISIONS,
    )  # fmt: skip
    four_bit: bool = option(
        False, _HARDWARE, "Keep the frozen weights in 4 bits (needs bitsandbytes and a GPU)."
    )
    packing: bool = option(False, _HARDWARE, "Several pairs in a row (needs flash attention).")
    gradient_checkpointing: bool = True
    seed: int = option(12345, "Options", "Makes every random choice repeatable.")


REASONER_PRESETS: Mapping[str, Mapping[str, Any]] = {
    "paper": {"learning_rate": 6e-5, "epochs": 5.0, "accumulation": 32},
    "released-code": {"learning_rate": 3e-5, "epochs": 7.0, "accumulation": 8},
    "rank1": {"learning_rate": 1e-4, "epochs": 2.0, "accumulation": 8, "warmup": 0.05},
}
"""Where they differ. The paper has batches of 128, here 4 * 32 on one device."""

_PAPER_BATCH = 128


def reasoner_settings(preset: str, **own: Any) -> ReasonerSettings:
    """Return published settings of a reasoner; what is given goes first.

    The paper's batch is that of all processes that train together.
    Raises InputError for a preset that there is not.
    """
    if preset not in REASONER_PRESETS:
        raise unknown("preset", preset, tuple(REASONER_PRESETS))
    settings = ReasonerSettings(**{**REASONER_PRESETS[preset], **own})
    if preset == "paper" and "accumulation" not in own:
        at_once = settings.batch_size * processes()
        settings = replace(settings, accumulation=max(1, _PAPER_BATCH // at_once))
    return settings
