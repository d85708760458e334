"""Quick check whether a query can have a constraint, before the rules run."""

from __future__ import annotations

import re
import string

from leadline.text.countries import VARIANTS
from leadline_facts.read.number_words import CARDINALS, DENOMINATORS, GROUPS, SCALES

TIME = 1
"""A figure, noon or midnight."""

AMOUNT = 2
"""A number in figures or words."""

PLACE = 4
"""A word of the name of a country, or a capital within the text."""

ANYTHING = -1

_WORD = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"[\d½⅓⅔¼¾⅛⅕⅜⅝⅞]")
_HOURS = frozenset((b"noon", b"midday", b"midnight", b"afternoon", b"afternoons"))
_NUMBERS = frozenset(
    form.encode()
    for word in (*CARDINALS, *SCALES, *GROUPS, *DENOMINATORS, "threequarters")
    for form in (word, f"{word}s")
)
# The longest word of a name is the one that least often stands for something else. Names of two
# letters count in capitals only, and the letter `u` only as that of `u.s.`
_COUNTRIES = frozenset(
    max(_WORD.findall(name.lower()), key=len).encode()
    for names in VARIANTS.values()
    for name in names
    if len(name) > 2
) - {b"u"}
_ABBREVIATED = re.compile(r"u(?<!\w\w)\.")
_ALL = _HOURS | _NUMBERS | _COUNTRIES | {b"u"}
_PLAIN = bytes.maketrans(
    (string.punctuation + string.digits).encode(),
    b" " * len(string.punctuation) + b"0" * len(string.digits),
)


def cues(text: str) -> int:
    """Return the cues that a query's text holds, as bits.

    May tell of more than there is, never of less; takes a microsecond or two.
    """
    lower = text.lower()
    found = 0 if text[1:] == lower[1:] else PLACE
    if lower.isascii():  # bytes are several times as fast as a regular expression
        plain = lower.encode().translate(_PLAIN)
        has_digits = b"0" in plain
        words = plain.replace(b"0", b" ").split()
    else:
        has_digits = _DIGITS.search(lower) is not None
        words = [word.encode() for word in _WORD.findall(lower)]
    if not has_digits and _ALL.isdisjoint(words):
        return found
    if not _COUNTRIES.isdisjoint(words) or _ABBREVIATED.search(lower):
        found |= PLACE
    if has_digits or not _HOURS.isdisjoint(words):
        found |= TIME
    return found | AMOUNT if has_digits or not _NUMBERS.isdisjoint(words) else found
