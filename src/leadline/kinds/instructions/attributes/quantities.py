"""Lengths that a query gives in numbers: `about a hundred words`, `no more than two sentences`."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from leadline.kinds.instructions.attributes.lengths import (
    WORDS_A_MINUTE,
    WORDS_A_PAGE,
    WORDS_A_PARAGRAPH,
    WORDS_A_SENTENCE,
    Span,
)

_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30,
    "forty": 40, "fifty": 50, "sixty": 60, "eighty": 80, "ninety": 90, "half": 0.5, "couple": 2,
    "few": 3, "several": 5, "dozen": 12,
}  # fmt: skip
_UNITS = {
    "word": 1, "sentence": WORDS_A_SENTENCE, "line": 14, "paragraph": WORDS_A_PARAGRAPH,
    "page": WORDS_A_PAGE, "minute": WORDS_A_MINUTE, "min": WORDS_A_MINUTE, "second": 4,
}  # fmt: skip
_NUMBER = rf"(?:\d+(?:,\d{{3}})*|{'|'.join(_NUMBERS)})"
_PATTERN = re.compile(
    rf"(?P<sign>no more than|not more than|at most|up to|under|below|less than"
    rf"|fewer than|within|max(?:imum)?"
    rf"(?: of)?|no longer than|at least|no less than|no fewer than|more than|over|above"
    rf"|longer than|"
    rf"from|upwards of|about|around|roughly|some|approximately|between)?\s*"
    rf"\b(?P<first>{_NUMBER})(?: (?P<times>hundred|thousand|dozen))?(?: of)?"
    rf"(?:\s*(?:to|or|and|-|–)\s*(?P<second>{_NUMBER})(?: (?P<times2>hundred|thousand))?)?"
    rf"[ -](?:full |short |long |brief )?(?P<unit>{'|'.join(_UNITS)})s?\b",
    re.IGNORECASE,
)
_HUNDREDS = {"hundred": 100, "thousand": 1000, "dozen": 12, None: 1}
_PLAIN = {"sentence", "paragraph", "line"}
_MOST = re.compile(
    r"no more|not more|at most|up to|under|below|less|fewer|within|max|no longer", re.IGNORECASE
)
_LEAST = re.compile(r"at least|no less|no fewer|more than|over|above|longer|upwards", re.IGNORECASE)


class Asked(NamedTuple):
    """A length in words, and where a sentence gives it."""

    span: Span
    start: int
    end: int


def lengths_in(sentence: str) -> list[Asked]:
    """Find lengths in numbers; a bare `one sentence` is left to the names of the classes."""
    return [asked for match in _PATTERN.finditer(sentence) if (asked := _asked(match)) is not None]


def _asked(match: re.Match[str]) -> Asked | None:
    unit, sign = match["unit"].lower(), (match["sign"] or "").lower()
    first = _value(match["first"]) * _HUNDREDS[(match["times"] or "").lower() or None]
    last = first
    if match["second"]:
        last = _value(match["second"]) * _HUNDREDS[(match["times2"] or "").lower() or None]
        if match["times2"] and not match["times"]:
            first *= _HUNDREDS[match["times2"].lower()]
    if unit in _PLAIN and last <= 1 and not _MOST.search(sign):
        return None
    if unit in ("minute", "min", "second") and not re.search(
        r"read|long|skim|scan", match.string, re.IGNORECASE
    ):
        return None
    low, high = first * _UNITS[unit], last * _UNITS[unit]
    if _MOST.search(sign):
        return Asked(Span(0, high * 1.25), match.start(), match.end())
    if _LEAST.search(sign):
        return Asked(Span(low, math.inf), match.start(), match.end())
    return Asked(Span(low * 0.6, high * 1.6), match.start(), match.end())


def _value(text: str) -> float:
    return float(_NUMBERS.get(text.lower()) or text.replace(",", ""))
