"""Words of a text, as the probes count and compare them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from leadline.synthesis.words import STOP_WORDS

TOKEN = re.compile(r"\d+(?:[.,:/]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*")

_LONGEST = 64


_LETTERS = {each: each if chr(each).isalpha() else " " for each in range(128)}
_DIGITS = {each: each if chr(each).isdigit() else " " for each in range(128)}


def tokens(text: str) -> list[str]:
    """Return the words and numbers of a text, case folded; `4.7`, `207,000` and `120/70` are one.

    A word of more than 64 characters is cut there, so that hostile text costs no more than text.
    """
    return [found[:_LONGEST] for found in TOKEN.findall(text.casefold())]


def content_tokens(text: str) -> list[str]:
    """Return the distinct tokens that are no English function words, in order of appearance."""
    return [token for token in dict.fromkeys(tokens(text)) if token not in STOP_WORDS]


def normalised(text: str) -> str:
    """Return the tokens joined by spaces: equal for texts that differ in nothing a reader counts.

    Case, white space and punctuation do not matter. Where a text has no tokens at all (only
    symbols), it stands for itself.
    """
    return " ".join(tokens(text)) or " ".join(text.casefold().split())


@dataclass(frozen=True, slots=True)
class TokenFilter:
    """Tells in a fifth of the time of `tokens` that a text holds none of some tokens.

    words, numbers  the letters and the digits that the tokens begin with; None: tell nothing,
                    since some token has other letters than ASCII or is cut
    """

    words: frozenset[str] | None
    numbers: frozenset[str]

    @classmethod
    def of(cls, wanted: Iterable[str]) -> TokenFilter:
        """Return a filter for the tokens."""
        wanted = list(wanted)
        if not all(token.isascii() and len(token) < _LONGEST for token in wanted):
            return cls(None, frozenset())
        first = [re.split(r"[^a-z0-9]", token, maxsplit=1)[0] for token in wanted]
        numbers = frozenset(each for each in first if each.isdigit())
        return cls(frozenset(first) - numbers, numbers)

    def may_hold(self, casefolded: str) -> bool:
        """Return False only for a case-folded text that holds none of the tokens."""
        if self.words is None:
            return True
        if not casefolded.isascii():
            casefolded = casefolded.encode("ascii", "replace").decode()
        if not self.words.isdisjoint(casefolded.translate(_LETTERS).split()):
            return True
        return bool(self.numbers) and not self.numbers.isdisjoint(
            casefolded.translate(_DIGITS).split()
        )
