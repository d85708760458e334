"""One error with its evidence, and what a rule says of its cause."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar

Stage: TypeAlias = Literal["retrieval", "reading"]

NO_CANDIDATE = "not a candidate"
PUT_DOWN = "put down"
QUERY_CUT = "query cut"
TEXT_CUT = "text cut"
NOT_SEEN = "not seen"
OVERLAP = "word overlap"
RETRIEVAL = (
    NO_CANDIDATE,
    PUT_DOWN,
    QUERY_CUT,
    TEXT_CUT,
    NOT_SEEN,
    OVERLAP,
    "semantic cue",
    "length",
    "unknown",
)
READING = ("malformed", "no answer", "distraction")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Judgement:
    """The cause that a rule finds.

    decided  whether the rule settles it; else it is a proposal for a person
    why      what it saw, in words
    """

    category: str
    decided: bool
    why: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A document as evidence."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class ErrorCase:
    """One error.

    given     what the reader answered; empty for a retrieval error
    positive  the document that should have been first, or that holds the answer
    other     the one that was first, or that the answer was taken from, where there is one
    passing   the variant of the query most like it that went well; empty where there is none
    """

    stage: Stage
    system: str
    benchmark: str
    query_id: str
    question: str
    gold: str
    given: str
    positive: Shown
    other: Shown | None
    judgement: Judgement
    passing: str = ""


@dataclass(frozen=True, slots=True)
class Shares:
    """How the errors of one system on one benchmark divide.

    counts   category -> errors, those that are only proposed among them
    decided  errors that a rule settles
    """

    stage: Stage
    system: str
    benchmark: str
    counts: dict[str, int]
    decided: int

    @property
    def total(self) -> int:
        """All errors."""
        return sum(self.counts.values())


def shares(cases: Iterable[ErrorCase]) -> list[Shares]:
    """Count categories for each stage, system and benchmark, in the order of the cases."""
    groups: dict[tuple[Stage, str, str], list[ErrorCase]] = {}
    for case in cases:
        groups.setdefault((case.stage, case.system, case.benchmark), []).append(case)
    return [
        Shares(*key, _counts(key[0], group), sum(each.judgement.decided for each in group))
        for key, group in groups.items()
    ]


def drawn(cases: Sequence[T], count: int, seed: int, label: str) -> list[T]:
    """Return `count` of the cases, drawn by the seed, in their order; all where there are fewer."""
    if len(cases) <= count:
        return list(cases)
    places = random.Random(f"{seed}/{label}").sample(range(len(cases)), count)
    return [cases[place] for place in sorted(places)]


def _counts(stage: Stage, cases: Iterable[ErrorCase]) -> dict[str, int]:
    found = Counter(case.judgement.category for case in cases)
    return {name: found[name] for name in (RETRIEVAL if stage == "retrieval" else READING)}
