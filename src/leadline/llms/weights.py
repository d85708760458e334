"""Load a transformers model and its tokenizer, with device and number format chosen for here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from leadline.errors import InputError, needs

with needs("dense"):
    import torch
    import transformers
    from transformers.utils import logging

Kind = Literal["CausalLM", "SequenceClassification", "Seq2SeqLM"]

_NO_LIMIT = 1_000_000
_USUAL = 512


@dataclass(frozen=True, slots=True)
class Weights:
    """A model ready to run.

    device      where it stands: `cpu`, `cuda`, ...
    dtype       number format of the weights: `float32`, `bfloat16`, ...
    max_length  tokens that it reads at most
    """

    model: Any
    tokenizer: Any
    device: str
    dtype: str
    max_length: int


def load(
    kind: Kind,
    name: str,
    *,
    device: str = "",
    dtype: str = "auto",
    max_length: int | None = None,
    revision: str = "",
    adapter: str = "",
    trust_remote_code: bool = False,
    **config: Any,
) -> Weights:
    """Return a model of the hub or of a folder, in inference mode.

    device      empty for the best there is
    dtype       auto is float32 on a processor, bfloat16 on an accelerator that computes in it,
                else float16
    max_length  None for what tokenizer and model allow
    adapter     LoRA weights merged into the model: name on the hub, or folder
    config      settings of the model that the checkpoint leaves open, such as num_labels

    Raises InputError when it cannot be loaded or reads fewer tokens than asked for, and
    MissingExtraError when an adapter is asked for without peft.
    """
    device = device or _best_device()
    dtype = _dtype_for(device) if dtype == "auto" else dtype
    options = {"revision": revision or None, "trust_remote_code": trust_remote_code}
    _check_name(name)
    with _told(name), _quiet():
        tokenizer = transformers.AutoTokenizer.from_pretrained(name, **options)
        kind_of_model = getattr(transformers, f"AutoModelFor{kind}")
        model = kind_of_model.from_pretrained(
            name, dtype=getattr(torch, dtype), **options, **config
        )
    if adapter:
        model = _adapted(model, adapter)
    _set_padding(model, tokenizer)
    length = _max_length(model, tokenizer, max_length, name)
    with _told(name):
        return Weights(model.to(device).eval(), tokenizer, device, dtype, length)


def _best_device() -> str:
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _dtype_for(device: str) -> str:
    if device == "cpu":
        return "float32"
    fits = device.startswith("cuda") and torch.cuda.is_bf16_supported()
    return "bfloat16" if fits else "float16"


def _check_name(name: str) -> None:
    path = Path(name).expanduser()
    if path.is_file():
        raise InputError(f"{name} is a file; a model is a folder.")
    if not path.is_dir() and (name.startswith((".", "/", "~")) or name.count("/") > 1):
        raise InputError(f"There is no model folder {name}.")


def _adapted(model: Any, adapter: str) -> Any:
    with needs("train"):
        from peft import PeftModel
    _check_name(adapter)
    with _told(adapter), _quiet():
        return PeftModel.from_pretrained(model, adapter).merge_and_unload()


def _set_padding(model: Any, tokenizer: Any) -> None:
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    if getattr(model.config, "pad_token_id", None) is None:
        model.config.pad_token_id = tokenizer.pad_token_id


def _max_length(model: Any, tokenizer: Any, wanted: int | None, name: str) -> int:
    """Return the wanted length if the model can read it, else what it can read."""
    config = model.config
    positions = getattr(config, "max_position_embeddings", None) or _NO_LIMIT
    if config.model_type in ("roberta", "xlm-roberta", "camembert"):
        positions -= config.pad_token_id + 1  # the first position of a text stands behind padding
    if wanted is not None:
        if wanted > positions:
            raise InputError(f"The model {name!r} reads at most {positions} tokens, got {wanted}.")
        return wanted
    length = min(positions, tokenizer.model_max_length)
    return int(length) if length < _NO_LIMIT else _USUAL


@contextmanager
def _told(name: str) -> Iterator[None]:
    """Turn what the libraries raise for a model that does not load into one line."""
    try:
        yield
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        reason = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
        raise InputError(
            f"The model {name!r} cannot be loaded: {reason} "
            "Give the folder of a model, or its name on the hub."
        ) from error


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep back what the libraries say while loading and nobody can act on."""
    level, bar = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bar:
            logging.enable_progress_bar()
