"""Where the weights of a model lie, what tells them from others, and how they are loaded."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from leadline.data.fingerprint import libraries
from leadline.errors import needs
from leadline.models.checkpoints import (
    Dtype,
    check_device,
    digest_of,
    folder_of,
    loading,
    number_format,
)
from leadline.models.cutting import let_pad

Kind = Literal["SparseEncoder", "MultiVectorEncoder"]

_NAMES = {"SparseEncoder": "sparse encoder", "MultiVectorEncoder": "late-interaction model"}


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

    def __post_init__(self) -> None:
        check_device(self.device)

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
            from sentence_transformers.util import load_file_path
        options = {
            "device": self.device or None,
            "trust_remote_code": self.trust_remote_code,
            "revision": None if self.folder else self._commit,
            "model_kwargs": {"dtype": getattr(torch, self.number_format)},
        }
        where = str(self.folder or self.model)
        with loading(self.model, _NAMES[kind]) as lacking:
            model = getattr(sentence_transformers, kind)(where, **options)
            listed = load_file_path(where, "modules.json", revision=options["revision"])
            lacking.missing |= _made_new(model, listed)
        let_pad(model.tokenizer, self.model)
        return model

    @cached_property
    def _commit(self) -> str:
        from leadline.models.hub import commit_of

        return commit_of(self.model, self.revision)


def _made_new(model: Any, listed: str | None) -> set[str]:
    """Return the parameters of the modules that sentence-transformers put on a model it converts.

    listed  its `modules.json`, None where it has none
    """
    if "HF_ColBERT" in (model[0].model.config.architectures or []):
        return set()  # its projection lies among the weights of the transformer
    modules = json.loads(Path(listed).read_text("utf-8")) if listed else []
    known = {"Transformer", *(each["type"].rpartition(".")[2] for each in modules)}
    return {
        f"{type(module).__name__}.{name}"
        for module in model
        for name, _ in module.named_parameters()
        if type(module).__name__ not in known
    }
