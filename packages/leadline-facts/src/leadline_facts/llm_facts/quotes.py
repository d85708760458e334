"""Where the words that a language model copied stand in a document, if they stand there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]

LONGEST = 500
"""Characters of a quote: more is no evidence but a copy of the text."""

_TYPOGRAPHY = str.maketrans("‘’ʼ‛“”„‟–—‐‑−\u00a0\u202f\u2009", "''''\"\"\"\"-----   ")
_SPACED = 0x2E80
"""From here on lie scripts that are written without spaces between words."""


class Quotes:
    """Finds quotes in a text, typographic quotation marks, dashes and white space aside."""

    def __init__(self, text: str) -> None:
        """Take in the text."""
        self._plain = text.translate(_TYPOGRAPHY)

    def find(self, quote: str, near: Span) -> Span | None:
        """Return the (start, end) of a quote, the one closest to `near` where there are several.

        A quote that begins or ends within a word or number does not stand there.
        """
        words = quote.translate(_TYPOGRAPHY).split()
        if not words or len(quote) > LONGEST:
            return None
        pattern = re.compile(r"\s+".join(map(re.escape, words)))
        return min(self._whole(pattern), key=lambda span: _distance(span, near), default=None)

    def _whole(self, pattern: re.Pattern[str]) -> Iterator[Span]:
        text = self._plain
        for match in pattern.finditer(text):
            start, end = match.span()
            if not (_is_cut(text, start) or _is_cut(text, end)):
                yield start, end


def _is_cut(text: str, place: int) -> bool:
    """Tell whether a word or a number goes on across a place."""
    if not 0 < place < len(text):
        return False
    before, after = text[place - 1], text[place]
    if before.isdigit() and after in ".,:/" and text[place + 1 : place + 2].isdigit():
        return True
    if after.isdigit() and before in ".,:/" and place > 1 and text[place - 2].isdigit():
        return True
    if before.isdigit() != after.isdigit() and before.isalnum() and after.isalnum():
        return False  # `5` and `km` of `5km` are read apart
    return before.isalnum() and after.isalnum() and ord(before) < _SPACED and ord(after) < _SPACED


def _distance(span: Span, near: Span) -> int:
    return max(near[0] - span[1], span[0] - near[1], 0)
