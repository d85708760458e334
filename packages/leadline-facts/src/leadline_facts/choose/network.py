"""A small network that estimates what pairs of amounts mean.

Words become vectors, and three neighbours at a time become signals. The signals in the windows
around a pair are summed. Each operation is scored by them and by features of the pair and its
result. NumPy evaluates it; `learning/learn.py` trains it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leadline_facts.read.contexts import Context


@lru_cache(maxsize=1)
def _libraries() -> Any:
    """Return what limits the threads of numpy's libraries of linear algebra.

    These matrices are too small to share: threads that wait for each other by spinning take up to
    twice the CPU time.
    """
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@dataclass(frozen=True)
class Features:
    """Pairs and their candidates as arrays.

    windows     first and last token of each window: (pairs, windows, 2)
    pairs       (pairs, names of what is known of a pair)
    of_pair     pair of each candidate: (candidates,)
    operations  operation of each candidate: (candidates,)
    results     (candidates, names of what is known of a result)
    """

    windows: NDArray[np.int64]
    pairs: NDArray[np.float32]
    of_pair: NDArray[np.int64]
    operations: NDArray[np.int64]
    results: NDArray[np.float32]


def squeezed(values: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return numbers whose size hardly matters any more: their logarithms, at most 8."""
    small = np.minimum(8.0, np.log1p(np.abs(values)))
    return np.asarray(np.copysign(small, values), np.float32)


UNKNOWN = 1
"""Row of the vector of words that were too rare in training; row 0 is nothing, and is zero."""

Array = NDArray[np.float32]


def fingerprint(names: Sequence[str]) -> str:
    """Return what a network must agree with that was trained on features of these names."""
    return hashlib.sha256("\n".join(names).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class _Network:
    """Weights by name: shapes are (inputs, outputs).

    words                of the vectors of words: (vocabulary, size)
    signals              of three neighbours: (3 * (size + classes), signals), and their bias
    pair                 of windows and pair: (windows * (signals + classes) + pair, hidden), bias
    operation, result    what operation and result add to a pair: (operations, hidden), bias
    deep, last, direct   from there to one number, and from a pair to each operation
    """

    weights: Mapping[str, Array]

    def logits(self, read: _Read, known: Features) -> Array:
        """Return the log odds of each candidate: (candidates,)."""
        w = self.weights
        tokens = np.concatenate([w["words"][read.rows], read.table], 1)
        three = tokens[read.neighbours].reshape(len(read.neighbours), -1)
        signals = np.maximum(three @ w["signals"] + w["signals_bias"], 0)
        seen = np.concatenate([signals, read.table[read.neighbours[:, 1]]], 1)
        none = np.zeros((1, seen.shape[1]), np.float32)
        sums = np.concatenate([none, seen.cumsum(0, dtype=np.float32)])
        around = sums[read.windows[..., 1]] - sums[read.windows[..., 0]]
        pooled = np.log1p(np.maximum(around, 0)).reshape(len(read.windows), -1)
        pair = np.concatenate([pooled, known.pairs], 1) @ w["pair"] + w["pair_bias"]
        pair = np.maximum(pair, 0)
        joint = pair[known.of_pair] + w["operation"][known.operations]
        joint = np.maximum(joint + known.results @ w["result"] + w["result_bias"], 0)
        deep = np.maximum(joint @ w["deep"] + w["deep_bias"], 0)
        last = (deep @ w["last"] + w["last_bias"])[:, 0]
        direct = (pair @ w["direct"] + w["direct_bias"])[known.of_pair, known.operations]
        logits: Array = last + direct
        return logits


@dataclass(frozen=True)
class _Read:
    """The tokens of a passage, and those of them that stand in a window.

    rows        of the vectors of words, with nothing before and behind: (tokens + 2,)
    table       classes of cues, likewise: (tokens + 2, classes)
    neighbours  of each token in a window, and itself: (some, 3), places in `rows`
    windows     as places among those: (pairs, windows, 2)
    """

    rows: NDArray[np.int64]
    table: Array
    neighbours: NDArray[np.int64]
    windows: NDArray[np.int64]


def _read(rows: NDArray[np.int64], table: Array, windows: NDArray[np.int64]) -> _Read:
    edges = np.zeros(len(rows) + 1, np.int64)
    np.add.at(edges, windows[..., 0].ravel(), 1)
    np.add.at(edges, windows[..., 1].ravel(), -1)
    is_seen = edges.cumsum()[:-1] > 0
    place = np.concatenate([[0], is_seen.cumsum()])
    here = np.flatnonzero(is_seen)[:, None] + np.arange(3)
    return _Read(np.pad(rows, 1), np.pad(table, ((1, 1), (0, 0))), here, place[windows])


class Network:
    """Several networks that were trained alike, which together are surer than each."""

    def __init__(self, vocabulary: Sequence[str], members: Sequence[Mapping[str, Array]]) -> None:
        self._rows = {word: row for row, word in enumerate(vocabulary, UNKNOWN + 1)}
        self._members = [_Network(weights) for weights in members]

    def probabilities(self, context: Context, known: Features) -> Array:
        """Return how likely each candidate of a text is, in order: from 0 to 1."""
        if not len(known.of_pair):
            return np.zeros(0, np.float32)
        read = _read(self.rows(context.tokens), context.table, known.windows)
        with _libraries().limit(limits=1, user_api="blas"):
            logits = [each.logits(read, known) for each in self._members]
        mean = np.clip(np.mean(logits, axis=0), -30, 30)
        return np.asarray(1 / (1 + np.exp(-mean)), np.float32)

    def rows(self, tokens: Sequence[str]) -> NDArray[np.int64]:
        """Return the row of the vector of each token."""
        return np.array([self._rows.get(token, UNKNOWN) for token in tokens], np.int64)


@lru_cache(maxsize=4)
def package_network(name: str, names: tuple[str, ...]) -> Network:
    """Return a network that comes with the package, read once."""
    with resources.as_file(resources.files(__package__) / f"{name}.npz") as path:
        return read_network(path, names)


def read_network(path: Path, names: Sequence[str]) -> Network:
    """Return the network of a file that `learning/learn.py` wrote.

    names  of the features that it reads

    Raises ValueError when it was trained on other features.
    """
    return Network(*kept_weights(path, names))


def kept_weights(path: Path, names: Sequence[str]) -> tuple[list[str], list[dict[str, Array]]]:
    """Return the vocabulary of a file and the weights of each member, as `read_network` does."""
    kept = dict(np.load(path).items())
    if str(kept.pop("fingerprint")) != fingerprint(names):
        raise ValueError(f"{path.name} was trained on other features. Run learning/learn.py")
    vocabulary = str(kept.pop("vocabulary")).split(" ")
    members: dict[str, dict[str, Array]] = {}
    for key, value in kept.items():
        number, _, name = key.partition(".")
        if not name.endswith("_scale"):
            scale = kept.get(f"{key}_scale", np.float16(1)).astype(np.float32)
            members.setdefault(number, {})[name] = value.astype(np.float32) * scale
    return vocabulary, list(members.values())


_STEPS = {"words": 7}
"""Steps to either side of zero in which a matrix is kept; 127 for all others."""


def packed(weights: Mapping[str, Array]) -> dict[str, NDArray[np.generic]]:
    """Return weights as they are kept: matrices in steps, with a scale for each row."""
    kept: dict[str, NDArray[np.generic]] = {}
    for name, value in weights.items():
        if value.ndim == 2 and value.size > _SMALL:
            largest = np.maximum(np.abs(value).max(axis=1, keepdims=True), 1e-3)
            scale = (largest / _STEPS.get(name, 127)).astype(np.float16)
            kept[name] = np.rint(value / scale.astype(np.float32)).astype(np.int8)
            kept[f"{name}_scale"] = scale
        else:
            kept[name] = value.astype(np.float16)
    return kept


_SMALL = 4096
