"""How likely each thing is that pairs of amounts may yield, as a small network has learned it.

The words of a passage become vectors, and three neighbours at a time become signals; what stands
in the windows around a pair is summed up, and each operation is judged by that, by what is known of
the pair and of its result. Evaluated with NumPy; trained by `benchmarks/learn_amounts.py`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from leadline.enrichers.learned.amount_features import NAMES, Features, features_of
from leadline.enrichers.learned.amount_pairs import Pair, Sums

UNKNOWN = 1
"""Row of the vector of words that were too rare in training; row 0 is nothing."""

Array = NDArray[np.float32]


def fingerprint() -> str:
    """Return what a network must agree with that was trained on these features."""
    return hashlib.sha256("\n".join(NAMES).encode()).hexdigest()[:16]


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

    def logits(self, rows: NDArray[np.int64], table: Array, known: Features) -> Array:
        """Return the log odds of each candidate: (candidates,)."""
        w = self.weights
        tokens = np.concatenate([w["words"][rows], table], 1)
        edge = np.zeros((1, tokens.shape[1]), np.float32)
        padded = np.concatenate([edge, tokens, edge])
        three = np.concatenate([padded[:-2], padded[1:-1], padded[2:]], 1)
        signals = np.maximum(three @ w["signals"] + w["signals_bias"], 0)
        read = np.concatenate([signals, table], 1)
        none = np.zeros((1, read.shape[1]), np.float32)
        sums = np.concatenate([none, read.cumsum(0, dtype=np.float32)])
        around = sums[known.windows[..., 1]] - sums[known.windows[..., 0]]
        pooled = np.log1p(np.maximum(around, 0)).reshape(len(known.windows), -1)
        pair = np.concatenate([pooled, known.pairs], 1) @ w["pair"] + w["pair_bias"]
        pair = np.maximum(pair, 0)
        joint = pair[known.of_pair] + w["operation"][known.operations]
        joint = np.maximum(joint + known.results @ w["result"] + w["result_bias"], 0)
        deep = np.maximum(joint @ w["deep"] + w["deep_bias"], 0)
        last = (deep @ w["last"] + w["last_bias"])[:, 0]
        direct = (pair @ w["direct"] + w["direct_bias"])[known.of_pair, known.operations]
        logits: Array = last + direct
        return logits


class AmountNetwork:
    """Several networks that were trained alike, which together are surer than each."""

    def __init__(self, vocabulary: Sequence[str], members: Sequence[Mapping[str, Array]]) -> None:
        self._rows = {word: row for row, word in enumerate(vocabulary, UNKNOWN + 1)}
        self._members = [_Network(weights) for weights in members]

    def probabilities(self, sums: Sums, pairs: Sequence[Pair]) -> Array:
        """Return how likely each candidate of the pairs is, in order: from 0 to 1."""
        known = features_of(sums, pairs)
        if not len(known.of_pair):
            return np.zeros(0, np.float32)
        rows = self.rows(sums.context.tokens)
        logits = [each.logits(rows, sums.context.table, known) for each in self._members]
        mean = np.clip(np.mean(logits, axis=0), -30, 30)
        return np.asarray(1 / (1 + np.exp(-mean)), np.float32)

    def rows(self, tokens: Sequence[str]) -> NDArray[np.int64]:
        """Return the row of the vector of each token."""
        return np.array([self._rows.get(token, UNKNOWN) for token in tokens], np.int64)


@lru_cache(maxsize=1)
def amount_network() -> AmountNetwork:
    """Return the network that comes with the package, read once.

    Raises ValueError when it was trained on other features.
    """
    with resources.as_file(resources.files(__package__) / "amounts.npz") as path:
        kept = dict(np.load(path).items())
    if str(kept.pop("fingerprint")) != fingerprint():
        raise ValueError(
            "learned/amounts.npz was trained on other features; run benchmarks/learn_amounts.py"
        )
    vocabulary = str(kept.pop("vocabulary")).split(" ")
    members: dict[str, dict[str, Array]] = {}
    for key, value in kept.items():
        number, _, name = key.partition(".")
        members.setdefault(number, {})[name] = value.astype(np.float32)
    return AmountNetwork(vocabulary, list(members.values()))
