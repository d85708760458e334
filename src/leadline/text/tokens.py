"""Split a text into words, as the probes count and compare them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from leadline.text.words import STOP_WORDS

TOKEN = re.compile(r"\d+(?:[.,:/]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*")

LONGEST = 64


def tokens(text: str) -> list[str]:
    """Return the words and numbers of a text, case folded; `4.7`, `207,000` and `120/70` are one.

    A word of more than 64 characters is cut there, so that hostile text costs no more than text.
    """
    return [found[:LONGEST] for found in TOKEN.findall(text.casefold())]


def content_tokens(text: str) -> list[str]:
    """Return the distinct tokens that are no English function words, in order of appearance."""
    return [token for token in dict.fromkeys(tokens(text)) if token not in STOP_WORDS]


def stretch_of(place: int, bounds: Sequence[int]) -> str:
    """Return between which bounds a place of a text lies, from 1: "1-64", "65-128", ..., "513-"."""
    low = 1
    for bound in bounds:
        if place <= bound:
            return f"{low}-{bound}"
        low = bound + 1
    return f"{low}-"


def normalised(text: str) -> str:
    """Return the tokens joined by spaces: equal for texts that differ in nothing a reader counts.

    Case, white space and punctuation do not matter. Where a text has no tokens at all (only
    symbols), it stands for itself.
    """
    return " ".join(tokens(text)) or " ".join(text.casefold().split())
