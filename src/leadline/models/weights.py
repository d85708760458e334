"""Load a transformers model and its tokenizer, with device and number format chosen for here."""

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
    """A model ready to run: where it stands, its number format, tokens that it reads at most."""

    model: Any
    tokenizer: Any
    device: str
    dtype: str
    max_length: int


@dataclass
class Source:
    """A model that is loaded when it is first needed; the fields are what `load` takes."""

    kind: Kind
    name: str
    options: dict[str, Any]

    def __post_init__(self) -> None:
        check_device(self.options["device"])

    @property
    def settings(self) -> dict[str, Any]:
        """What a report tells of the model; the length as used once it is loaded."""
        loaded = self.__dict__.get("weights")
        used = {"max_length": loaded.max_length} if loaded else {}
        return {"model": self.name, **self._asked, **used}

    @property
    def identity(self) -> str:
        """What changes when the model's numbers may, the same before and after it is loaded."""
        adapter = self.options.get("adapter")
        contents = [content_of(self.name, self.options.get("revision", ""))]
        contents += [content_of(adapter)] if adapter else []
        return json.dumps([self.kind, contents, self._asked, libraries("models")], sort_keys=True)

    @cached_property
    def weights(self) -> Weights:
        """The model, ready to run. Raises what `load` raises."""
        return load(self.kind, self.name, **self.options)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "weights"}

    @property
    def _asked(self) -> dict[str, Any]:
        """The options with device and number format, which may be left to the machine."""
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
    """Return a model of the hub or of a folder, in inference mode.

    max_length  None for what tokenizer and model allow
    adapter     LoRA weights merged into the model: name on the hub, or folder
    config      settings of the model that the checkpoint leaves open, such as num_labels
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
