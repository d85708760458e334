"""The best of many scores, with ties in their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def ranking(names: Sequence[str], scores: Any) -> dict[str, float]:
    """Return id -> score, best first, of an array with a score for each; ties in their order."""
    values = scores.tolist()
    return {names[place]: values[place] for place in np.argsort(-scores, kind="stable").tolist()}


def best_places(scores: Any, k: int, *, above: float = -np.inf) -> Any:
    """Return the places of the k greatest scores, greatest first, ties in order.

    scores  [N]
    above   what a score must exceed
    """
    places = np.flatnonzero(scores > above)
    found = scores[places]
    if len(places) > k:
        least = np.partition(found, len(found) - k)[len(found) - k]
        places = places[found >= least]
        found = scores[places]
    return places[np.argsort(-found, kind="stable")[:k]]


class Best:
    """The best k of scores that come in blocks, for one query.

    Documents come in corpus order, so that ties keep it.
    """

    def __init__(self, k: int) -> None:
        self._k = k
        self._scores: Any = np.empty(0, np.float32)
        self._places: Any = np.empty(0, np.int64)

    def add(self, scores: Any, start: int, *, above: float = -np.inf) -> None:
        """Take in the scores of the documents from place `start` on."""
        if len(self._scores) == self._k:  # an equal score comes too late
            above = max(above, float(self._scores[-1]))
        places = best_places(scores, self._k, above=above)
        if not len(places):
            return
        joined = np.concatenate([self._scores, scores[places]])
        order = np.argsort(-joined, kind="stable")[: self._k]
        self._scores = joined[order]
        self._places = np.concatenate([self._places, places + start])[order]

    def named(self, names: list[str]) -> dict[str, float]:
        """Return score by document, best first."""
        pairs = zip(self._places.tolist(), self._scores.tolist(), strict=True)
        return {names[place]: score for place, score in pairs}
