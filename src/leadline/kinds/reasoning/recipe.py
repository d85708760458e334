"""What is built from a seed: styles, difficulty and lengths, each a switch of an ablation."""

from __future__ import annotations

import random
from dataclasses import dataclass

from leadline.errors import InputError, unknown

DAILY, EXPERT, PLAIN = "daily", "expert", "plain"

STYLES = {"both": (DAILY, EXPERT), DAILY: (DAILY,), EXPERT: (EXPERT,), PLAIN: (PLAIN,)}
"""What is made of a seed query; `plain` takes it as it stands."""

DIFFICULTIES = ("mixed", "simple", "hard")
PROTOCOLS = ("short", "paper")
JUDGES = ("own", "rank1")

_DIFFICULTY = {
    "simple": "One step of reasoning should lead from the question to its answer.",
    "hard": "Several steps of reasoning, from different sources, should lead to the answer.",
}

TRACES = {
    "adaptive": "Take a sentence where that is enough, and several paragraphs where the passage "
    "bears on the query only through several steps.",
    "short": "Take at most three sentences.",
    "long": "Take at least three paragraphs: weigh each step, and what speaks against it.",
}
"""Length of the reasoning, as the judge reads it."""

_LENGTH = {"simple": "two or three sentences", "hard": "six to ten sentences"}

_SHAPES = (
    "what they take for known, then what they measured, read or saw that contradicts it",
    "a choice between two ways to do it, what speaks for each in their case, and their constraint",
    "a procedure that they followed step by step, and the step at which it failed",
    "a case at the edge of a rule, with the facts that pull it to either side",
    "two cases that look alike and came out differently, with what was the same in both",
    "a quantity that they have to estimate, what they know about it, and what they could not find",
)
"""What an expert writes before the question, drawn for each query so that no mould repeats."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is built from each seed query.

    style       `both` (one daily-life and one expert query), `daily`, `expert`, or `plain`
    difficulty  `simple`, `hard`, or `mixed`: every other query is simple
    traces      length of the reasoning: `adaptive`, `short` or `long`
    protocol    `short`: one plan of four relevant passages and four others for each query;
                `paper`: persona, solution, 3 to 7 and 1 to 5 of them, each in a call of its own
    judge       `own` prompt, or that of `rank1`, for a model that thinks before it answers
    words       fewest and most words of a passage
    Source: LimRank, section 3 and appendix A; fewest and most as there, words ours.
    """

    style: str = "both"
    difficulty: str = "mixed"
    traces: str = "adaptive"
    protocol: str = "short"
    judge: str = "own"
    words: tuple[int, int] = (50, 250)

    def __post_init__(self) -> None:
        choices = {"style": STYLES, "difficulty": DIFFICULTIES, "traces": TRACES,
                   "protocol": PROTOCOLS, "judge": JUDGES}  # fmt: skip
        for name, known in choices.items():
            if getattr(self, name) not in known:
                raise unknown(name, getattr(self, name), tuple(known))
        fewest, most = self.words
        if not 1 <= fewest <= most:
            raise InputError(f"words: {fewest} to {most} is no range of numbers from 1.")

    @property
    def is_as_in_paper(self) -> bool:
        """Whether each step of the paper is a call of its own."""
        return self.protocol == "paper"

    @property
    def styles(self) -> tuple[str, ...]:
        """What is made of one seed query."""
        return STYLES[self.style]

    def difficulty_of(self, place: int) -> str:
        """Return how hard the query at a place of the run is to be."""
        if self.difficulty != "mixed":
            return self.difficulty
        return ("hard", "simple")[place % 2]

    def instructions(self, difficulty: str) -> dict[str, str]:
        """Return what a writer of queries reads about difficulty and length."""
        return {"difficulty": _DIFFICULTY[difficulty], "length": _LENGTH[difficulty]}


def shape_of(id: str, seed: int) -> str:
    """Return what an expert's query consists of, drawn by the seed."""
    return random.Random(f"{seed} {id} shape").choice(_SHAPES)
