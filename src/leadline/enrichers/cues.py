"""What a query must hold for a rule to find a constraint in it, told without the rules."""

from __future__ import annotations

import re
import string

from leadline.enrichers.countries import VARIANTS
from leadline.enrichers.number_words import CARDINALS, DENOMINATORS, GROUPS, SCALES

NUMBER = 1
"""A digit, a number in words or a named hour: no amount or time is asked for without one."""

PLACE = 2
"""A word that begins the name of a country, or a capital within the text."""

ANYTHING = -1

_DIGITS = re.compile(r"[\d½⅓⅔¼¾⅛⅕⅜⅝⅞]")
_WORD = re.compile(r"[^\W_]+")
_OTHER_NUMBERS = """
noon midday midnight afternoon afternoons halved threequarters twice thrice treble triple triples
tripled tripling double doubled doubling quadruple quadrupled
"""
_NUMBERS = frozenset(_OTHER_NUMBERS.split()) | {
    form for word in (*CARDINALS, *SCALES, *GROUPS, *DENOMINATORS) for form in (word, f"{word}s")
}
_COUNTRIES = frozenset(
    words[words[0] == "the" and len(words) > 1]
    for names in VARIANTS.values()
    for name in names
    if (words := _WORD.findall(name.lower()))
)
_ALL = frozenset(word.encode() for word in _NUMBERS | _COUNTRIES)
_PLAIN = bytes.maketrans(
    (string.punctuation + string.digits).encode(),
    b" " * len(string.punctuation) + b"0" * len(string.digits),
)


def cues(text: str) -> int:
    """Return the cues that a query's text holds, as bits.

    May tell of more than there is, never of less; takes a few microseconds.
    """
    lower = text.lower()
    found = PLACE if text[1:] != lower[1:] else 0
    if lower.isascii():
        plain = lower.encode().translate(_PLAIN)  # bytes, as that is several times as fast
        if b"0" in plain:
            found |= NUMBER
        if _ALL.isdisjoint(plain.split()):
            return found
    elif _DIGITS.search(text):
        found |= NUMBER
    words = _WORD.findall(lower)
    found |= 0 if _NUMBERS.isdisjoint(words) else NUMBER
    return found if _COUNTRIES.isdisjoint(words) else found | PLACE
