"""Weights that tell how far a sentence says what is asked, over token vectors: the format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from leadline.data.writing import cannot_write
from leadline.errors import InputError

LAYERS = (0, 4, 6)
"""Layers of `minilm` whose token vectors are read: words, and words in their sentence."""

_LIGHT = 0.15
_STOP_WORDS = """
    the a an of in on at to and or was were is are be been by with for from as that this it
    its his her he she they their had has have which who
"""
_STOP = frozenset(_STOP_WORDS.split())
_FORMAT = 1


@dataclass(frozen=True)
class Head:
    """What is learned; float32.

    projection  [layers * D, d] of the states of a token
    asking      [layers * D + 1] log weight of a token of a condition, with a constant
    saying      [layers * D + 1] log weight of a token of a sentence
    balance     weight of what is said against what is asked, above 0
    """

    projection: Any
    asking: Any
    saying: Any
    balance: float

    def save(self, path: str | Path) -> None:
        """Write the weights. Raises InputError where that cannot be."""
        try:
            self._write(Path(path))
        except OSError as error:
            raise cannot_write(Path(path), error) from error

    def _write(self, path: Path) -> None:
        np.savez_compressed(
            path,
            format=np.array(_FORMAT),
            projection=self.projection.astype(np.float16),
            asking=self.asking.astype(np.float32),
            saying=self.saying.astype(np.float32),
            balance=np.array(self.balance, dtype=np.float32),
        )


def load_head(path: str | Path) -> Head:
    """Return the weights in a file. Raises InputError where they are not of this format."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            if int(stored["format"]) != _FORMAT:
                raise KeyError("format")
            arrays = {name: stored[name].astype(np.float32) for name in stored.files}
    except (OSError, ValueError, KeyError) as error:
        raise InputError(
            f"{path} holds no verifier ({error}). studies/learning/verifier/learn.py makes one."
        ) from error
    return Head(arrays["projection"], arrays["asking"], arrays["saying"], float(arrays["balance"]))


def token_weights(tokens: Sequence[str]) -> Any:
    """Return float32 [len(tokens)]: little for marks and the commonest words."""
    light = [token in _STOP or not token.strip("#").isalnum() for token in tokens]
    return np.where(light, _LIGHT, 1.0).astype(np.float32)
