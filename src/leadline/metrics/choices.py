"""Which of the lettered choices an answer settles on, and whether it is the right one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_uppercase

from leadline.text.thought import after_thought
from leadline.types import Query

CHOICES = "choices"
"""Facet of a query with lettered choices: how many there are."""


@dataclass(frozen=True, slots=True)
class Wording:
    """A way to name a choice. X in a pattern stands for the letter, as `B`, `(B)` or `B)`."""

    pattern: str
    example: str
    other: str


WORDINGS: Sequence[Wording] = (
    Wording(
        r"\b(?:answer|choice|option)\s+(?:is|would\s+be|must\s+be)\s*:?\s*X",
        "The correct answer is (B).",
        "The answer is a gas.",
    ),
    Wording(r"^\W*(?:final\s+)?(?:answer|choice)\s*:\s*X", "Answer: B", "Answer: Boron"),
    Wording(r"\\boxed\{(?:\\text\{)?X\}", r"so \boxed{B}", r"so \boxed{2B}"),
    Wording(r"^X\s+is\s+(?:the\s+)?(?:correct|right)\b", "(B) is correct", "Both are correct"),
    Wording(r"\AX\.?\Z", "B.", "Beryllium"),
    Wording(r"^X(?=[ .:]+\S.*\Z)", "It falls.\n(B) 3 m/s", "It falls.\nBy 3 m/s"),
)
"""The surest first. Within one, what is said last counts."""


def chosen_letter(output: str, count: int = 4) -> str:
    """Return the letter that an answer settles on; empty where none can be read.

    count  of choices: only letters that were offered count, and only capitals

    A thought does not count, see `thought.py`. An answer that names
    two letters at once (`A or B`) names none.
    """
    text = _EMPHASIS.sub("", after_thought(output)).strip()
    for pattern in _patterns(ascii_uppercase[:count]):
        said = [match.group("bare") or match.group("held") for match in pattern.finditer(text)]
        if said:
            return said[-1]
    return ""


@dataclass(frozen=True)
class ChoiceLetter:
    """Whether answers settle on the letter that is the `answer` of each query."""

    unit: str = field(default="query", init=False)

    @property
    def name(self) -> str:
        """`ChoiceLetter`."""
        return "ChoiceLetter"

    def __call__(self, queries: Sequence[Query], outputs: Mapping[str, str]) -> dict[str, float]:
        """Return 1 or 0 by query id, 0 where no letter can be read.

        A query without lettered choices or output is left out.
        """
        return {
            query.id: float(chosen_letter(outputs[query.id], offered(query)) == query.answer)
            for query in queries
            if offered(query) and query.answer and query.id in outputs
        }


def unreadable(queries: Iterable[Query], outputs: Mapping[str, str]) -> int:
    """Count the answers of which no letter can be read."""
    return sum(
        not chosen_letter(outputs[query.id], offered(query))
        for query in queries
        if offered(query) and query.id in outputs
    )


def offered(query: Query) -> int:
    """Return how many lettered choices a query offers; 0 for none."""
    count = query.facets.get(CHOICES, "")
    return int(count) if count.isdecimal() else 0


_EMPHASIS = re.compile(r"\*+|`+|\$")
_KNOWN: dict[str, tuple[re.Pattern[str], ...]] = {}


def _patterns(letters: str) -> tuple[re.Pattern[str], ...]:
    if letters not in _KNOWN:
        one = f"[{letters}]"
        not_two = rf"(?!\s*(?:or|and|,|/|&)\s*\(?{one}\b)"
        letter = rf"(?:\((?P<held>{one})\)|(?P<bare>{one})(?![\w'])\)?){not_two}"
        _KNOWN[letters] = tuple(
            re.compile(each.pattern.replace("X", f"(?-i:{letter})"), re.IGNORECASE | re.MULTILINE)
            for each in WORDINGS
        )
    return _KNOWN[letters]
