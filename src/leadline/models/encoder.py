"""Encoder: a text model with its settings, and the key that identifies its vectors.

Stored vectors need no model, so heavy libraries are imported only when a model is loaded.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

from leadline.data.digests import libraries
from leadline.models.checkpoints import Located, best_device, check_device, content_of

Pooling = Literal["", "mean", "cls", "lasttoken", "max", "weightedmean"]
Dtype = Literal["auto", "float32", "float16", "bfloat16", "int8"]
Padding = Literal["", "left", "right"]
Backend = Literal["torch", "openvino"]
Side = Literal["query", "document"]

Tokens: TypeAlias = tuple[int, ...]

TEXT = "{text}"
"""Placeholder for the text in a prompt. A prompt without it goes before the text."""

INSTRUCTION = "{instruction}"
"""Placeholder for the task in a prompt."""

_NOT_DECIDING = frozenset({"model", "revision", "parts", "batch_size", "device"})
"""Fields outside the key: they change no vector, or the key has their content."""


@dataclass(frozen=True)
class Part:
    """Settings of one side, `query` or `document`.

    prompt      prompt around a text, see `TEXT`; None for the model's own
    max_length  tokens to read; None for the model's length
    adapter     task adapter of the checkpoint to use; empty for none
    """

    prompt: str | None = None
    max_length: int | None = None
    adapter: str = ""


@dataclass(frozen=True)
class Encoder(Located):
    """A model and every setting that changes its vectors, see `dense.build`."""

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
        """The settings for reports."""
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
        identities = [self.identity, *map(content_of, self.adapter.split())]
        content = json.dumps([*identities, deciding], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:32]

    def kind(self, side: Side) -> str:
        """Return all settings that decide the vector of a `query` or a `document`."""
        part = self.parts[side]
        return json.dumps([side, part.prompt, part.max_length, part.adapter])

    def about(self) -> dict[str, Any]:
        """Return facts that only the loaded model has."""
        return {"max_length": self._loaded.max_seq_length, "content": self.identity}

    def opened(self) -> Any:
        """Load a separate copy of the model, to change it. Raises what `loading.load` raises."""
        from leadline.models.loading import load

        return load(self)

    def encode(self, texts: Sequence[str], side: Side) -> Any:
        """Return float32 [len(texts), D]."""
        from leadline.models.loading import encoded

        compiled = self._compiled if self.backend == "openvino" else None
        return encoded(self, self._loaded, texts, side, compiled)

    def read(self, texts: Sequence[str], side: Side) -> list[tuple[Tokens, str]] | None:
        """Return the tokens read of each text, and why it is cut, if so. None without tokens."""
        from leadline.models.loading import tokens_read

        return tokens_read(self, self._loaded, texts, side)

    def __getstate__(self) -> dict[str, Any]:
        left = ("_loaded", "_compiled")
        return {name: value for name, value in self.__dict__.items() if name not in left}

    def _deciding(self) -> dict[str, Any]:
        names = (
            "pooling", "pool_prompt", "normalize", "dimensions", "max_length", "append_eos",
            "padding", "bidirectional", "adapter", "dtype", "backend",
        )  # fmt: skip
        return {name: getattr(self, name) for name in names}

    @cached_property
    def _number_format(self) -> str:
        if self.dtype != "auto" or self.backend == "openvino":
            return self.dtype
        return "float32" if (self.device or best_device()) == "cpu" else "as stored"

    @cached_property
    def _loaded(self) -> Any:
        return self.opened()

    @cached_property
    def _compiled(self) -> Any:
        from leadline.models.openvino import Compiled

        return Compiled(self._loaded, self.dtype)


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors, for engines and services that store vectors but compute none."""

    @property
    def encoders(self) -> Mapping[Any, Encoder]:
        """The encoders of the sides `query` and `document`, which may be the same."""
        ...

    @property
    def settings(self) -> dict[str, Any]:
        """The settings for reports."""
        ...

    def rows(self, texts: Sequence[str], side: str) -> Any:
        """Return the stored rows of the texts' vectors. `side` is `query` or `document`."""
        ...

    def vectors(self, rows: Any) -> Any:
        """Return float32 [len(rows), D]."""
        ...


Encoders = Callable[[str], Embedder]
"""Builds an encoder from its name."""


def embed(source: Embedder, texts: Sequence[str], side: str) -> Any:
    """Return float32 [len(texts), D]."""
    return source.vectors(source.rows(texts, side))


def identity(source: Embedder) -> list[str]:
    """Return a value that changes if documents get other vectors."""
    encoder = source.encoders["document"]
    return [encoder.key(), encoder.kind("document")]
