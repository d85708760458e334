"""The tokens of a text with what they count for, and the expressions of time read from them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leadline.enrichers.learned.time_cues import CUES, NAMES, shape_of

_TOKEN = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|\n")
_COLUMN = {name: number for number, name in enumerate(NAMES)}


@dataclass(frozen=True, slots=True)
class Mention:
    """An expression of time, as yet without a meaning.

    kind         one of `time_cues.KINDS`
    start, end   offsets in the text
    first, last  numbers of its first token and of the one after its last
    data         what it says: a date, (month, day, weekday), an amount and unit, by kind
    """

    kind: str
    start: int
    end: int
    first: int
    last: int
    data: Any


@dataclass(slots=True)
class Tokens:
    """The tokens of a text in lower case.

    words    the tokens
    offsets  where each starts
    ends     where each ends
    """

    lower: str
    words: list[str] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def at(self, offset: int) -> int:
        """Return the number of the first token at or after an offset."""
        return bisect_left(self.offsets, offset)

    def until(self, offset: int) -> int:
        """Return the number of tokens that start before an offset."""
        return bisect_right(self.offsets, offset - 1)

    def word(self, number: int) -> str:
        """Return a token, empty outside of the text."""
        return self.words[number] if 0 <= number < len(self.words) else ""

    def joined(self, number: int) -> bool:
        """Tell whether a token follows the one before it without a gap."""
        return 0 < number < len(self.words) and self.ends[number - 1] == self.offsets[number]


def read_tokens(lower: str) -> Tokens:
    """Return the tokens of a text in lower case: words, figures and single signs."""
    tokens = Tokens(lower)
    for match in _TOKEN.finditer(lower):
        tokens.words.append(match[0])
        tokens.offsets.append(match.start())
        tokens.ends.append(match.end())
    return tokens


def sums(tokens: Tokens, mentions: Iterable[Mention]) -> NDArray[np.float32]:
    """Return how often each class stands before every token: (tokens + 1, classes)."""
    count = len(tokens.words)
    rows: list[int] = []
    columns: list[int] = []
    for row, word in enumerate(tokens.words, 1):
        found = _columns(word)
        if found:
            rows += [row] * len(found)
            columns += found
    for mention in mentions:
        rows.append(mention.first + 1)
        columns.append(_COLUMN[f"is {mention.kind}"])
    table = np.zeros((count + 1, len(NAMES)), np.float32)
    table[rows, columns] = 1
    return np.asarray(table.cumsum(0), np.float32)


@lru_cache(maxsize=20000)
def _columns(word: str) -> tuple[int, ...]:
    shape = shape_of(word)
    return (*CUES.columns.get(word, ()), *((_COLUMN[shape],) if shape else ()))
