"""Load a transformers model and its tokenizer, and choose device and number format."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from leadline.data.digests import libraries
from leadline.errors import needs
from leadline.models.checkpoints import (
    adapted,
    best_device,
    check_device,
    content_of,
    folder_of,
    loading,
    number_format,
)
from leadline.models.cutting import check_length, let_pad, positions_of

with needs("dense"):
    import torch
    import transformers

Kind = Literal["CausalLM", "SequenceClassification", "Seq2SeqLM"]

_NAMES = {
    "CausalLM": "language model",
    "SequenceClassification": "cross-encoder",
    "Seq2SeqLM": "sequence-to-sequence model",
}
_NO_LIMIT = 1_000_000
_USUAL = 512


@dataclass(frozen=True, slots=True)
class Weights:
    """A loaded model: its device, its number format, and the most tokens it reads."""

    model: Any
    tokenizer: Any
    device: str
    dtype: str
    max_length: int


@dataclass
class Source:
    """A model that is loaded on first use. The fields are the arguments of `load`."""

    kind: Kind
    name: str
    options: dict[str, Any]

    def __post_init__(self) -> None:
        check_device(self.options["device"])

    @property
    def settings(self) -> dict[str, Any]:
        """The settings for reports, with the actual length once the model is loaded."""
        loaded = self.__dict__.get("weights")
        used = {"max_length": loaded.max_length} if loaded else {}
        return {"model": self.name, **self._asked, **used}

    @property
    def identity(self) -> str:
        """A value that changes with the model's results, and not when it is loaded."""
        adapter = self.options.get("adapter")
        contents = [content_of(self.name, self.options.get("revision", ""))]
        contents += [content_of(adapter)] if adapter else []
        return json.dumps([self.kind, contents, self._asked, libraries("models")], sort_keys=True)

    @cached_property
    def weights(self) -> Weights:
        """The loaded model. Raises what `load` raises."""
        return load(self.kind, self.name, **self.options)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "weights"}

    @property
    def _asked(self) -> dict[str, Any]:
        """The options, with device and number format resolved."""
        device, dtype = self.options["device"] or best_device(), self.options["dtype"]
        dtype = number_format(device) if dtype == "auto" else dtype
        return {**self.options, "device": device, "dtype": dtype}


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
    """Return a model from the hub or a folder, in inference mode.

    max_length  None for the most that tokenizer and model allow
    adapter     LoRA weights to merge into the model: name on the hub, or folder
    config      settings that the checkpoint lacks, such as num_labels
    """
    device = device or best_device()
    dtype = number_format(device) if dtype == "auto" else dtype
    options = {"revision": revision or None, "trust_remote_code": trust_remote_code}
    folder_of(name)
    with loading(name, _NAMES[kind]) as lacking:
        tokenizer = transformers.AutoTokenizer.from_pretrained(name, **options)
        model = getattr(transformers, f"AutoModelFor{kind}").from_pretrained(
            name, dtype=getattr(torch, dtype), **options, **config
        )
        if adapter:
            model = adapted(model, adapter, lacking)
    let_pad(tokenizer, name)
    if getattr(model.config, "pad_token_id", None) is None:
        model.config.pad_token_id = tokenizer.pad_token_id
    positions = positions_of(model)
    check_length(name, max_length, positions)
    if max_length is None:
        most = min(positions or _NO_LIMIT, tokenizer.model_max_length)
        max_length = int(most) if most < _NO_LIMIT else _USUAL
    with loading(name):
        return Weights(model.to(device).eval(), tokenizer, device, dtype, max_length)
