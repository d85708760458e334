"""Load an encoder with sentence-transformers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from leadline.errors import InputError, needs

with needs("dense"):
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling
    from transformers.utils import logging


def load(
    name: str,
    folder: Path | None,
    *,
    revision: str,
    pooling: str,
    max_length: int | None,
    device: str,
    precision: str,
    trust_remote_code: bool,
) -> Any:
    """Return a SentenceTransformer with the settings of `dense.build`.

    folder  where the model lies; None when `name` is one of the hub

    Raises InputError when it cannot be loaded or does not take a setting.
    """
    try:
        with _quiet():
            model = SentenceTransformer(
                str(folder or name),
                device=device or None,
                trust_remote_code=trust_remote_code,
                revision=revision or None,
                model_kwargs={"dtype": getattr(torch, precision)},
            )
    except (OSError, ValueError, RuntimeError) as error:
        reason = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
        raise InputError(
            f"The model {name!r} cannot be loaded: {reason} "
            "Give the folder of a model, or its name on the hub."
        ) from error
    if pooling:
        _repool(model, pooling, name)
    if max_length is not None:
        _cut_at(model, max_length, name)
    return model


def _repool(model: Any, pooling: str, name: str) -> None:
    """Exchange how the model makes one vector of many."""
    for key, module in model.named_children():
        if isinstance(module, Pooling):
            new = Pooling(module.embedding_dimension, pooling, module.include_prompt)
            setattr(model, key, new)
            return
    raise InputError(f"The model {name!r} does not pool tokens, so it takes no pooling={pooling}.")


def _cut_at(model: Any, length: int, name: str) -> None:
    config = getattr(getattr(model[0], "model", None), "config", None)
    most = getattr(config, "max_position_embeddings", None)
    if most is not None and length > most > 0:
        raise InputError(f"The model {name!r} reads at most {most} tokens, got {length}.")
    model.max_seq_length = length


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
