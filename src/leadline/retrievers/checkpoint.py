"""Where the weights of a model lie, what tells them from others, and how they are loaded."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from leadline.errors import InputError, needs

Kind = Literal["SparseEncoder", "MultiVectorEncoder"]
Dtype = Literal["auto", "float32", "float16", "bfloat16"]

_SMALL = 1 << 20


@dataclass(frozen=True)
class Checkpoint:
    """A model in a folder or on the hub, and how it is to run.

    revision   branch, tag or commit on the hub
    device     `cpu`, `cuda`, ...; empty for the best there is
    dtype  number format of the weights; auto is float32 on a processor, bfloat16 on an
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
        path = Path(self.model).expanduser()
        if path.is_dir():
            return path
        if path.exists():
            raise InputError(f"{self.model} is a file; a model is a folder.")
        if self.model.startswith((".", "/", "~")) or self.model.count("/") > 1:
            raise InputError(f"There is no model folder {self.model}.")
        return None

    @cached_property
    def identity(self) -> str:
        """What changes with the model's content: a digest of its files, or its commit."""
        if self.folder is None:
            return f"{self.model}@{self._commit}"
        content = json.dumps([_fingerprint(path, self.folder) for path in _files(self.folder)])
        return hashlib.blake2b(content.encode(), digest_size=16).hexdigest()

    @cached_property
    def number_format(self) -> str:
        """The number format that the weights have here."""
        if self.dtype != "auto":
            return self.dtype
        with needs("dense"):
            import torch
        if self.device.startswith("cpu") or not (self.device or torch.cuda.is_available()):
            return "float32"
        return "bfloat16" if torch.cuda.is_bf16_supported() else "float16"

    def key(self, **settings: Any) -> str:
        """Return 32 hex digits for the model's content and the settings that change a vector."""
        content = json.dumps([self.identity, self.number_format, settings], sort_keys=True)
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
        try:
            with _quiet():
                return getattr(sentence_transformers, kind)(
                    str(self.folder or self.model), **options
                )
        except (OSError, ValueError, RuntimeError, KeyError) as error:
            reason = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
            raise InputError(
                f"The model {self.model!r} cannot be loaded: {reason} "
                "Give the folder of a model, or its name on the hub."
            ) from error

    @cached_property
    def _commit(self) -> str:
        from leadline.retrievers.hub import commit_of

        return commit_of(self.model, self.revision)


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _fingerprint(path: Path, folder: Path) -> list[Any]:
    """Return what tells a file from a changed one: content, or size and time of a large file."""
    stat = path.stat()
    if stat.st_size <= _SMALL:
        content: Any = hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()
    else:
        content = stat.st_mtime_ns
    return [path.relative_to(folder).as_posix(), stat.st_size, content]


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep back what the libraries say while loading and nobody can act on."""
    from transformers.utils import logging

    level, bar = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.set_verbosity(level)
        if bar:
            logging.enable_progress_bar()
