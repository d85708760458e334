"""Where the weights of a model lie, what tells them from others, and how they are loaded."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from leadline.errors import needs
from leadline.files.fingerprint import libraries
from leadline.models.checkpoints import Dtype, digest_of, folder_of, loading, number_format

Kind = Literal["SparseEncoder", "MultiVectorEncoder"]


@dataclass(frozen=True)
class Checkpoint:
    """A model in a folder or on the hub, and how it is to run.

    revision   branch, tag or commit on the hub
    device     `cpu`, `cuda`, ...; empty for the best there is
    dtype      number format of the weights; auto is float32 on a processor, bfloat16 on an
               accelerator that computes in it, else float16
    """

    model: str
    revision: str
    device: str
    dtype: Dtype
    trust_remote_code: bool

    @cached_property
    def folder(self) -> Path | None:
        """The folder of the model, or None when the name is one of the hub.

        Raises InputError for a path at which no folder lies.
        """
        return folder_of(self.model)

    @cached_property
    def identity(self) -> str:
        """What changes with the model's content: a digest of its files, or its commit."""
        if self.folder is None:
            return f"{self.model}@{self._commit}"
        return digest_of(self.folder)

    @cached_property
    def number_format(self) -> str:
        """The number format that the weights have here."""
        return number_format(self.device) if self.dtype == "auto" else self.dtype

    def key(self, **settings: Any) -> str:
        """Return 32 hex digits for the model's content and the settings that change a vector."""
        how = [self.number_format, self.trust_remote_code, libraries("models")]
        content = json.dumps([self.identity, *how, settings], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:32]

    def loaded(self, kind: Kind) -> Any:
        """Return the model of sentence-transformers.

        Raises InputError when it cannot be loaded, MissingExtraError without the library.
        """
        with needs("dense"):
            import sentence_transformers
            import torch
        options = {
            "device": self.device or None,
            "trust_remote_code": self.trust_remote_code,
            "revision": None if self.folder else self._commit,
            "model_kwargs": {"dtype": getattr(torch, self.number_format)},
        }
        with loading(self.model):
            return getattr(sentence_transformers, kind)(str(self.folder or self.model), **options)

    @cached_property
    def _commit(self) -> str:
        from leadline.models.hub import commit_of

        return commit_of(self.model, self.revision)
