"""Where the weights of a model lie, what tells them from others, and how they are loaded here."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, Literal

from leadline.errors import InputError, needs

Dtype = Literal["auto", "float32", "float16", "bfloat16"]
"""Number format of weights; auto is left to the device."""

_SMALL = 1 << 20


def folder_of(model: str) -> Path | None:
    """Return the folder of a model, or None when the name is one of the hub.

    Raises InputError for a path at which no folder lies.
    """
    path = Path(model).expanduser()
    if path.is_dir():
        return path
    if path.exists():
        raise InputError(f"{model} is a file; a model is a folder.")
    if model.startswith((".", "/", "~")) or model.count("/") > 1:
        raise InputError(f"There is no model folder {model}.")
    return None


def digest_of(folder: Path) -> str:
    """Return 32 hex digits that change with the content of a model's folder."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    content = json.dumps([_fingerprint(path, folder) for path in paths])
    return hashlib.blake2b(content.encode(), digest_size=16).hexdigest()


def content_of(model: str, revision: str = "") -> str:
    """Return what changes with a model's content: a digest of its folder, or its commit on the hub.

    Raises InputError when there is no such model.
    """
    folder = folder_of(model)
    if folder is not None:
        return digest_of(folder)
    from leadline.models.hub import commit_of

    return f"{model}@{commit_of(model, revision)}"


def best_device() -> str:
    """Return `cuda` where there is one, else `mps`, else `cpu`."""
    with needs("dense"):
        import torch
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def number_format(device: str) -> str:
    """Return float32 for a processor, else bfloat16 where it is computed in, else float16.

    device  empty for the best there is
    """
    with needs("dense"):
        import torch
    device = device or best_device()
    if device.startswith("cpu"):
        return "float32"
    fits = device.startswith("cuda") and torch.cuda.is_bf16_supported()
    return "bfloat16" if fits else "float16"


@contextmanager
def loading(name: str) -> Iterator[None]:
    """Keep back what the libraries say while a model loads, and turn their errors into one line."""
    try:
        with _quiet():
            yield
    except UnpicklingError as error:
        raise InputError(
            f"The model {name!r} cannot be loaded: its weights are pickled with more than tensors, "
            "which could run anything. Convert them to safetensors where you trust them."
        ) from error
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        reason = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
        raise InputError(
            f"The model {name!r} cannot be loaded: {reason} "
            "Give the folder of a model, or its name on the hub."
        ) from error


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
