"""Facts of times that a network finds likely among all readings of a text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leadline.enrichers.learned.time_candidates import (
    Candidate,
    Passage,
    add_derived,
    candidates,
)
from leadline.enrichers.learned.time_features import Features
from leadline.enrichers.times.doubts import Doubts
from leadline.enrichers.times.readings import DENIED

Matrix = NDArray[np.float32]
Scores = Callable[[Matrix], Matrix]

ROUNDS = 3
"""A reading may count from one that the round before made likely."""
LEAST_ANCHOR = 0.05
"""How likely a reading must be for others to count from it."""


@dataclass(frozen=True, slots=True)
class TimeReading:
    """A value that a text may imply.

    kind, value  as those of a fact
    likely       from 0 to 1
    spans        (start, end) of the expression and of what it is counted from
    speaker      of the message
    why          the derivation in words
    is_doubted   whether the writer does not vouch for the expression
    """

    kind: str
    value: Any
    likely: float
    spans: tuple[tuple[int, int], ...]
    speaker: str
    why: str
    is_doubted: bool


@dataclass(frozen=True, slots=True)
class TimeGroup:
    """Values of one kind that one expression may have, of which one at most is meant."""

    readings: Sequence[TimeReading]


def read_times(text: str, doubts: Doubts, scores: Scores) -> list[TimeGroup]:
    """Return every reading of the expressions of a text, by those that compete.

    scores  of rows of features, see `time_network.TimeNetwork`
    """
    passage = Passage(text)
    found, shares = judged(passage, doubts, scores)
    return [
        TimeGroup([_reading(passage, doubts, found[number], share) for share, number in group])
        for group in grouped(found, shares)
    ]


def grouped(found: Sequence[Candidate], shares: Matrix) -> list[list[tuple[float, int]]]:
    """Return by expression and kind how likely each value is, and the reading that says so most.

    Ways in which one expression gives the same value count together.
    """
    whole: dict[tuple[int, str], dict[Any, tuple[float, int]]] = {}
    for number, (each, share) in enumerate(zip(found, shares.tolist(), strict=True)):
        group = whole.setdefault((each.mention, each.kind), {})
        known, strongest = group.get(each.value, (0.0, number))
        if share > shares[strongest]:
            strongest = number
        group[each.value] = (known + share, strongest)
    return [list(group.values()) for group in whole.values()]


def judged(passage: Passage, doubts: Doubts, scores: Scores) -> tuple[list[Candidate], Matrix]:
    """Return readings with how likely each is, after rounds of reading on from what is likely."""
    found: list[Candidate] = []
    shares = np.zeros(0, np.float32)
    new = candidates(passage) if passage.mentions else []
    if not new:
        return found, shares
    features = Features(passage, doubts)
    known: list[Matrix] = []
    for _ in range(ROUNDS):
        found += new
        known.append(scores(features.rows(new)))
        shares = chances(np.concatenate(known), found)
        fresh = add_derived(passage, found, shares.tolist(), LEAST_ANCHOR)
        new = candidates(passage, fresh=fresh) if fresh < len(passage.anchors) else []
        if not new:
            break
    return found, shares


def competing(found: Sequence[Candidate]) -> list[int]:
    """Return a number for each reading, the same for those of one expression and kind."""
    groups: dict[tuple[int, str], int] = {}
    return [groups.setdefault((each.mention, each.kind), len(groups)) for each in found]


def chances(scores: Matrix, found: Sequence[Candidate]) -> Matrix:
    """Return how likely each reading is among those it competes with, and none of them."""
    groups = np.array(competing(found))
    strength = np.exp(np.clip(scores, -15, 15))
    whole = 1 + np.bincount(groups, strength)
    return np.asarray(strength / whole[groups], np.float32)


def _reading(passage: Passage, doubts: Doubts, each: Candidate, likely: float) -> TimeReading:
    mention = passage.mentions[each.mention]
    spans = [(mention.start, mention.end)]
    why = passage.text[mention.start : mention.end]
    if each.anchor >= 0:
        anchor = passage.anchors[each.anchor]
        if anchor.end > anchor.start:
            spans.append((anchor.start, anchor.end))
            why += f" by {passage.text[anchor.start : anchor.end]}"
    message = passage.messages[passage.message(mention.start)]
    first = max(passage.text.rfind(sign, 0, mention.start) for sign in (". ", "\n"))
    denied = DENIED.search(passage.lower, max(first, 0), mention.end) is not None
    doubted = denied or bool(doubts.of(mention.start, mention.end))
    return TimeReading(each.kind, each.told(), likely, tuple(spans), message.speaker, why, doubted)
