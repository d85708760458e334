"""The words of a text by the signals that they give."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leadline_facts.words import single


@dataclass(frozen=True)
class Cues:
    """Classes of words that may say how two things of a text belong together.

    names    of the classes, in the order of their columns
    columns  word in lower case -> columns of its classes
    """

    names: tuple[str, ...]
    columns: Mapping[str, tuple[int, ...]]


def read_cues(lists: Mapping[str, str]) -> Cues:
    """Return the classes of `name -> words, parted by blanks`; a word may be in several."""
    columns: dict[str, tuple[int, ...]] = {}
    for column, words in enumerate(lists.values()):
        for word in words.split(" "):
            columns[word] = (*columns.get(word, ()), column)
    return Cues(tuple(lists), columns)


class Context:
    """The tokens of a text, and the classes of cues that each is of.

    tokens   in lower case
    offsets  where each of them starts in the text, ascending
    table    1 where a token is of a class, else 0: (tokens, classes)
    """

    def __init__(self, tokens: Sequence[str], offsets: Sequence[int], cues: Cues) -> None:
        self.tokens = tokens
        self.offsets = offsets
        self.table: NDArray[np.float32] = np.zeros((len(tokens), len(cues.names)), np.float32)
        for row, token in enumerate(tokens):
            for column in cues.columns.get(token, ()):
                self.table[row, column] = 1

    def at(self, offset: int) -> int:
        """Return the number of the first token at or after an offset of the text."""
        return bisect_left(self.offsets, offset)


AMOUNT_SORTS = "mqtpyxfcn"
"""Sorts of amounts; the mark of each in a text is a token, too."""


def _signals(name: str) -> dict[str, str]:
    lists = single(name)
    return {
        signal: words.replace("<line>", "\n").replace("<semicolon>", ";")
        for signal, words in lists.items()
    }


AMOUNT_CUES = read_cues(
    {
        **_signals("amount_cues"),
        **{f"amount {sort}": f"§{sort}" for sort in AMOUNT_SORTS},
        "amount": " ".join(f"§{sort}" for sort in AMOUNT_SORTS),
    }
)
