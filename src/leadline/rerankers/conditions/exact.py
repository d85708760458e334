"""Facts of a condition that can be checked exactly: numbers, years and names of months."""

from __future__ import annotations

import re
from functools import lru_cache

_NUMBER = re.compile(r"(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?!\d|s\b)")
_ABOUT_WORDS = """
    about around roughly nearly almost over under above below some circa approximately just
    before after least most more less half
"""
_ABOUT = frozenset(_ABOUT_WORDS.split())
"""Words that make a number in a condition less than exact."""

_ONES_WORDS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
    fifteen sixteen seventeen eighteen nineteen
"""
_ONES = _ONES_WORDS.split()
_TENS_WORDS = """
    twenty thirty forty fifty sixty seventy eighty ninety
"""
_TENS = _TENS_WORDS.split()
_WORDS = (
    {word: value for value, word in enumerate(_ONES) if value > 1}
    | {word: 10 * value for value, word in enumerate(_TENS, 2)}
    | {"dozen": 12, "twice": 2, "trio": 3, "twins": 2, "pair": 2}
)
_MONTHS_WORDS = """
    january february march april may june july august september october november december
"""
_MONTHS = _MONTHS_WORDS.split()
_SPELT = re.compile(r"[a-z]+", re.IGNORECASE)


@lru_cache(maxsize=65536)
def digits(text: str) -> frozenset[float]:
    """Return the numbers that a text gives in digits."""
    return frozenset(
        float(match[1].replace(",", "") + (match[2] or "")) for match in _NUMBER.finditer(text)
    )


@lru_cache(maxsize=65536)
def numbers(text: str) -> frozenset[float]:
    """Return the numbers of a text, in digits or words; one alone in words is no number."""
    found = set(digits(text))
    words = [word.lower() for word in _SPELT.findall(text)]
    before = 0.0
    for word in words:
        value = float(_WORDS.get(word, 1 if word == "one" else 0))
        if value and value < 10 and before >= 20 and before % 10 == 0:
            found -= {before}
            value += before
        if value > 1:
            found.add(value)
        before = value
    return frozenset(found)


@lru_cache(maxsize=65536)
def months(text: str) -> frozenset[str]:
    """Return the months that a text names with a capital."""
    return frozenset(month for month in _MONTHS if month.capitalize() in text)


@lru_cache(maxsize=4096)
def _asked(condition: str) -> frozenset[float]:
    """Return the numbers that a condition asks for exactly."""
    about = _ABOUT.intersection(word.lower() for word in _SPELT.findall(condition))
    return frozenset() if about else digits(condition)


def contradicted(condition: str, span: str) -> str:
    """Return the fact of a condition that a span about it gives otherwise, or an empty string.

    A number in digits is given otherwise where the span has numbers and none of the condition's; a
    month, where it names another one. What is only about right contradicts nothing.
    """
    if asked := _asked(condition):
        said = numbers(span)
        if said and not asked & said:
            return ", ".join(f"{value:g}" for value in sorted(asked))
    if named := months(condition):
        others = months(span)
        if others and not named & others:
            return ", ".join(sorted(month.capitalize() for month in named))
    return ""
