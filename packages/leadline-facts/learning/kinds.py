"""What learning needs to know of a kind of facts: amounts or times."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from leadline_facts.choose.network import Features, Network
from leadline_facts.read.contexts import Cues

STEP, TRAP, IDLE = 0.25, 3.0, 0.3
"""What a value counts that is only a step on the way to an expected one, a wrong reading, and one
that is true, but that nobody asks for."""


@dataclass
class Text:
    """A text with what it implies, and what may be derived from its literals.

    source    the literals of the text: `Sums` or `Moments`
    expected  key of a value -> how difficult it is
    wrong     keys of wrong readings
    idle      keys of values that are true, but that nobody asks for
    steps     values on the way to an expected one
    trust     how much is made of what is not expected
    """

    source: Any
    expected: dict[Any, int]
    wrong: set[Any]
    pairs: list[Any]
    steps: set[float] = field(default_factory=set)
    trust: float = 1.0
    idle: set[Any] = field(default_factory=set)
    known: Features | None = None
    by_hand: bool = False

    def features(self, kind: Kind) -> Features:
        """Return what is known of its pairs, computed once for each."""
        done = len(self.known.pairs) if self.known else 0
        if self.known is None or done < len(self.pairs):
            fresh = kind.features(self.source, self.pairs[done:])
            self.known = joined(self.known, fresh) if self.known else fresh
        return self.known


def joined(one: Features, other: Features) -> Features:
    """Return the features of pairs and of those after them."""
    return Features(
        np.concatenate([one.windows, other.windows]),
        np.concatenate([one.pairs, other.pairs]),
        np.concatenate([one.of_pair, other.of_pair + len(one.pairs)]),
        np.concatenate([one.operations, other.operations]),
        np.concatenate([one.results, other.results]),
    )


@dataclass(frozen=True)
class Kind:
    """Functions of one kind of facts.

    names, operations, windows, pair_names, result_names  of its features
    sets        texts by the name of their set
    plain       texts in which next to nothing is implied
    candidates  of pairs, with the numbers of these
    key_of      what makes the value of a candidate equal to an expected one, None for no value
    step_of     its value as a step on the way to another
    further     pairs of what is likely with the rest: (text, likely candidates with their pairs)
    rounds      how often further pairs are added
    derived     what is read in a text with a network: (key, probability)
    stated      keys of what stands in the text
    """

    name: str
    names: tuple[str, ...]
    operations: tuple[str, ...]
    windows: tuple[str, ...]
    pair_names: tuple[str, ...]
    result_names: tuple[str, ...]
    cues: Cues
    sets: Callable[[], Iterator[tuple[str, list[Text]]]]
    plain: Callable[[], Iterator[Text]]
    features: Callable[[Any, Sequence[Any]], Features]
    candidates: Callable[[Sequence[Any]], Iterator[tuple[int, Any]]]
    key_of: Callable[[Any], Any]
    step_of: Callable[[Any], float]
    further: Callable[[Text, list[tuple[Any, Any, float]]], list[Any]]
    rounds: int
    derived: Callable[[Any, Network], Iterator[tuple[Any, float]]]
    stated: Callable[[Any], set[Any]]


def labels(kind: Kind, text: Text) -> tuple[list[float], list[float]]:
    """Return for each candidate whether it holds, and what it counts."""
    marks, weights = [], []
    for _, each in kind.candidates(text.pairs):
        key = kind.key_of(each)
        holds = key in text.expected
        is_step = not holds and kind.step_of(each) in text.steps
        marks.append(float(holds or is_step))
        weight = TRAP if key in text.wrong else STEP if is_step else 1.0
        weights.append(text.trust * (IDLE if key in text.idle else weight))
    return marks, weights
