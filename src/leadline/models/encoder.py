"""An encoder of texts: which model, with which settings, and what identifies its vectors.

Vectors that are stored need no model, so nothing heavy is imported before one must be loaded.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, TypeAlias

from leadline.data.fingerprint import libraries
from leadline.errors import MissingExtraError
from leadline.models.checkpoints import best_device, check_device, content_of, digest_of, folder_of

Pooling = Literal["", "mean", "cls", "lasttoken", "max", "weightedmean"]
Dtype = Literal["auto", "float32", "float16", "bfloat16", "int8"]
Padding = Literal["", "left", "right"]
Backend = Literal["torch", "openvino"]
Side = Literal["query", "document"]

Tokens: TypeAlias = tuple[int, ...]

TEXT = "{text}"
"""Where the text stands in a prompt; a prompt without it stands before the text."""

INSTRUCTION = "{instruction}"
"""Where the task of a model stands in a prompt."""

_PACKAGE = "package:"
_NOT_DECIDING = frozenset({"model", "revision", "parts", "batch_size", "device"})
"""Fields that change no vector, or of which the key holds the content; parts have `kind`."""


@dataclass(frozen=True)
class Part:
    """What one side, `query` or `document`, has of its own.

    prompt      what is put around a text, see `TEXT`; None for the model's own
    max_length  tokens read, None for as many as the model
    adapter     task adapter of the checkpoint that is switched on; empty for none
    """

    prompt: str | None = None
    max_length: int | None = None
    adapter: str = ""


@dataclass(frozen=True)
class Encoder:
    """A model and every setting that changes its vectors; see `dense.build`."""

    model: str
    parts: Mapping[str, Part]
    pooling: Pooling
    pool_prompt: bool | None
    normalize: bool
    dimensions: int | None
    max_length: int | None
    append_eos: bool
    padding: Padding
    bidirectional: bool | None
    adapter: str
    batch_size: int
    device: str
    dtype: Dtype
    backend: Backend
    trust_remote_code: bool
    revision: str
    code_revision: str = ""

    def __post_init__(self) -> None:
        check_device(self.device)

    @property
    def settings(self) -> dict[str, Any]:
        """What a report tells of the encoder."""
        return {
            "model": self.model,
            "revision": self.revision,
            "query_prompt": self.parts["query"].prompt,
            "document_prompt": self.parts["document"].prompt,
            **self._deciding(),
        }

    def key(self) -> str:
        """Return 32 hex digits for the model's content and every setting that changes a vector."""
        deciding = {each.name: getattr(self, each.name) for each in fields(self)}
        deciding = {name: value for name, value in deciding.items() if name not in _NOT_DECIDING}
        deciding |= {"dtype": self._number_format, "libraries": libraries("models")}
        identities = [self._identity, *map(content_of, self.adapter.split())]
        content = json.dumps([*identities, deciding], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:32]

    def kind(self, side: Side) -> str:
        """Return what, beside the text, decides the vector of a `query` or a `document`."""
        part = self.parts[side]
        return json.dumps([side, part.prompt, part.max_length, part.adapter])

    def about(self) -> dict[str, Any]:
        """Return what only the loaded model tells."""
        return {"max_length": self._loaded.max_seq_length, "content": self._identity}

    def opened(self) -> Any:
        """Load the model anew, for whoever changes it. Raises what `loading.load` raises."""
        from leadline.models.loading import load

        return load(self, self.folder, "" if self.folder else self._commit)

    def encode(self, texts: Sequence[str], side: Side) -> Any:
        """Return float32 [len(texts), D]."""
        from leadline.models.cutting import check_room, count
        from leadline.models.loading import around, fitted, switch_adapter
        from leadline.models.prompt_tokens import encoded_behind

        model = self._loaded
        part = self.parts[side]
        before, after = around(model, part.prompt, side, self.append_eos)
        if callable(model.tokenizer) and model.max_seq_length:
            most = min(part.max_length or model.max_seq_length, model.max_seq_length)
            check_room(self.model, count(model.tokenizer, before + after), 1, most)
        # A tokenizer takes no lone surrogates, which a corpus may hold.
        readable = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        if after:
            readable = fitted(model, before, readable, after, part.max_length)
        if part.adapter:
            switch_adapter(model, part.adapter)
        if self.backend == "openvino":
            vectors = self._compiled.encode(readable, before, part.max_length, self.batch_size)
            return self._finished(vectors)
        encode = partial(
            model.encode_query if side == "query" else model.encode_document,
            prompt=before,
            batch_size=self.batch_size,
            show_progress_bar=False,
            convert_to_tensor=True,
            normalize_embeddings=self.normalize,
            truncate_dim=self.dimensions,
        )
        most = part.max_length or model.max_seq_length
        return encoded_behind(model, before, encode, readable, most, self.batch_size)

    def read(self, texts: Sequence[str], side: Side) -> list[tuple[Tokens, str]] | None:
        """Return the tokens read of each text, and why its end is not, where it is cut.

        None where the model tells no tokens.
        """
        from leadline.models.loading import around

        model, part = self._loaded, self.parts[side]
        if not callable(model.tokenizer) or not model.max_seq_length:
            return None
        before, after = around(model, part.prompt, side, self.append_eos)
        most = min(part.max_length or model.max_seq_length, model.max_seq_length)
        fresh = list(dict.fromkeys(texts))
        readable = [before + text.encode("utf-8", "replace").decode("utf-8") for text in fresh]
        room = most - len(model.tokenizer(after, add_special_tokens=False)["input_ids"])
        encoded = model.tokenizer(readable, verbose=False)["input_ids"] if readable else []
        found = {
            text: (tuple(ids[:room]), f"cut at {most} tokens" if len(ids) > room else "")
            for text, ids in zip(fresh, encoded, strict=True)
        }
        return [found[text] for text in texts]

    def __getstate__(self) -> dict[str, Any]:
        """Leave the loaded model behind: a worker loads its own."""
        left = ("_loaded", "_compiled")
        return {name: value for name, value in self.__dict__.items() if name not in left}

    def _finished(self, vectors: Any) -> Any:
        """Return the vectors cut and of length 1, where they are to be."""
        vectors = vectors[:, : self.dimensions]
        if not self.normalize:
            return vectors
        lengths = (vectors**2).sum(axis=1, keepdims=True) ** 0.5
        return vectors / lengths.clip(min=1e-12)

    def _deciding(self) -> dict[str, Any]:
        return {
            "pooling": self.pooling,
            "pool_prompt": self.pool_prompt,
            "normalize": self.normalize,
            "dimensions": self.dimensions,
            "max_length": self.max_length,
            "append_eos": self.append_eos,
            "padding": self.padding,
            "bidirectional": self.bidirectional,
            "adapter": self.adapter,
            "dtype": self.dtype,
            "backend": self.backend,
        }

    @cached_property
    def _number_format(self) -> str:
        """The number format, which `auto` leaves to the device."""
        if self.dtype != "auto" or self.backend == "openvino":
            return self.dtype
        return "float32" if (self.device or best_device()) == "cpu" else "as stored"

    @cached_property
    def folder(self) -> Path | None:
        """The folder of the model, or None when the name is one of the hub."""
        if self.model.startswith(_PACKAGE):
            return self._in_package(self.model.removeprefix(_PACKAGE))
        return folder_of(self.model)

    def _in_package(self, name: str) -> Path:
        try:
            module = import_module(name)
        except ModuleNotFoundError as error:
            raise MissingExtraError(
                f"The model {self.model!r} needs the package {name}, which is not installed: "
                f"pip install {name.replace('_', '-')}"
            ) from error
        return Path(module.get_model_path())

    @cached_property
    def _identity(self) -> str:
        """What changes with the model's content: digests of its files, or its commit."""
        if self.folder is not None:
            return digest_of(self.folder)
        return f"{self.model}@{self._commit}"

    @cached_property
    def _commit(self) -> str:
        from leadline.models.hub import commit_of

        return commit_of(self.model, self.revision)

    @cached_property
    def _loaded(self) -> Any:
        return self.opened()

    @cached_property
    def _compiled(self) -> Any:
        from leadline.models.openvino import Compiled

        return Compiled(self._loaded, self.dtype)
