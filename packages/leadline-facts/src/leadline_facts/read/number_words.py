"""Numbers in digits and in words: `1.2 million`, `two and a half`, `three-quarters`, `a dozen`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from leadline_facts.words import patterns, rows

CARDINALS, SCALES, GROUPS, DENOMINATORS, ORDINALS = (
    {word: int(value) for each, word, value in rows("numbers") if each == kind}
    for kind in ("cardinal", "scale", "group", "part", "ordinal")
)
"""Word -> value: 0 to 19 and the tens; `hundred` and above; nouns that count (`two dozen`); what
`a third` is one of; `first` to `thirty-first`."""

_SIGNS = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅛": (1, 8), "⅕": (1, 5),
    "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8),
}  # fmt: skip
_SUFFIXES = {"k": 1000, "mn": 10**6, "bn": 10**9}


def starting_words(words: Iterable[str]) -> str:
    """Return a pattern for one of many lower-case words where a word begins, longest first.

    Each branch opens with its letter, so that the search skips what begins with none of them.
    """
    rests: dict[str, list[str]] = {}
    for word in sorted(words, key=len, reverse=True):
        rests.setdefault(word[0], []).append(word[1:])
    return "|".join(rf"{first}(?<!\w\w)(?:{'|'.join(rest)})" for first, rest in rests.items())


_WORD = "|".join(sorted([*CARDINALS, *SCALES], key=len, reverse=True))
_PARTS = "|".join(sorted(DENOMINATORS, key=len, reverse=True))
_COUNTED = r"dozens?|gross|couple|score|pair"
_LARGE = "hundred|thousand|million|billion|lakh|crore"
_FIRST_WORDS = [
    *CARDINALS,
    *SCALES,
    "baker['’]s[ ]dozen",
    f"half(?:[ -]an?[ -](?:dozen|gross|{_LARGE})|[ ](?:dozen|million|billion))?",
    f"a(?:n|nother)?[ -](?:{_COUNTED}|{_PARTS}|{_LARGE})",
]
_P = patterns(
    "number_words",
    signs="".join(_SIGNS),
    word=_WORD,
    parts=_PARTS,
    counted=_COUNTED,
    first_words=starting_words(_FIRST_WORDS),
)
_IN_DIGITS = re.compile(_P["in_digits"])
_IN_WORDS = re.compile(_P["in_words"])
_TOKEN = re.compile(r"[a-z]+(?:['’]s)?|,")


_MOST_DIGITS = 60
"""A longer run of digits counts nothing: it is a code, or a picture."""


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in a text.

    value        exact
    start, end   characters of the text
    is_word      spelled in words, at least in part
    is_fraction  named as a part of one: `a third`, `3/4`; not `2.5`
    """

    value: Fraction
    start: int
    end: int
    is_word: bool = False
    is_fraction: bool = False


def find_numerals(text: str) -> list[Numeral]:
    """Return the numbers of a text in order. Ordinals, years and dates are not told apart."""
    lower = lowered(text)
    found = [_digits(each) for each in _IN_DIGITS.finditer(lower) if len(each[0]) <= _MOST_DIGITS]
    ends = {numeral.end for numeral in found if numeral.is_word}
    for match in _IN_WORDS.finditer(lower):
        # the words of `1.2 million` are read with its digits
        if match.end() not in ends:
            found.extend(_words(match[0], match.start()))
    return sorted(found, key=_start)


def lowered(text: str) -> str:
    """Return a text in lower case, every character where it was."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(low if len(low := character.lower()) == 1 else character for character in text)


def read_number(text: str) -> Fraction | None:
    """Return the value of a text that is one number and nothing else; None for any other text."""
    found = find_numerals(text.strip())
    if len(found) != 1 or (found[0].start, found[0].end) != (0, len(text.strip())):
        return None
    return found[0].value


def _start(numeral: Numeral) -> int:
    return numeral.start


def _digits(match: re.Match[str]) -> Numeral:
    end, is_fraction = match.end(), False
    if match["lone"]:
        return Numeral(Fraction(*_SIGNS[match["lone"]]), match.start(), end, is_fraction=True)
    value = _in_figures(match["digits"])
    if match["sign"]:
        value += Fraction(*_SIGNS[match["sign"]])
    elif match["mixed"]:
        top, bottom = match["mixed"].split("/")
        value += Fraction(int(top), int(bottom) or 1)
    elif match["under"]:
        value, is_fraction = value / (int(match["under"]) or 1), True
    if match["scale"]:
        value *= (SCALES | GROUPS)[match["scale"]]
    elif match["suffix"]:
        value *= _SUFFIXES[match["suffix"]]
    return Numeral(value, match.start(), end, bool(match["scale"]), is_fraction)


@lru_cache(maxsize=4096)
def _in_figures(digits: str) -> Fraction:
    return Fraction(re.sub(r"[,'’ \u00a0\u202f]", "", digits))


def _words(words: str, offset: int) -> Iterator[Numeral]:
    tokens = [(token[0], token.start(), token.end()) for token in _TOKEN.finditer(words)]
    names = tuple(token[0] for token in tokens)
    position = 0
    while position < len(tokens):
        value, used, is_fraction = _read(names[position:])
        if used:
            start, end = tokens[position][1], tokens[position + used - 1][2]
            yield Numeral(value, offset + start, offset + end, True, is_fraction)
        position += used or 1


@lru_cache(maxsize=4096)
def _read(words: tuple[str, ...]) -> tuple[Fraction, int, bool]:
    """Return value, words used (0: no number) and whether it is a part of one."""
    value, used = _cardinal(words)
    rest = words[used:]
    if not used:
        return _bare_part(words)
    if rest[:1] and rest[0].rstrip("s") in DENOMINATORS and value.denominator == 1:
        if rest[0].rstrip("s") in ("half", "halve") and value != 1:
            return value, used, False
        if value < 20 and (value == 1 or rest[0].endswith("s")):
            return value / DENOMINATORS[rest[0].rstrip("s")], used + 1, True
    part, taken = _and_fraction(rest)
    value, used = value + part, used + taken
    rest = words[used:]
    if rest[:1] and rest[0] in ("dozen", "dozens", "gross", "score"):
        return (
            value * GROUPS[rest[0].removesuffix("s") if rest[0] == "dozens" else rest[0]],
            (used + 1),
            False,
        )
    if taken and rest[:1] and rest[0] in SCALES:
        return value * SCALES[rest[0]], used + 1, False
    return value, used, False


def _cardinal(words: tuple[str, ...]) -> tuple[Fraction, int]:
    """Return value and words used of the longest whole number that the words begin with."""
    total, group, used = 0, 0, 0
    room, scale = 10**15, 10**15
    for position, word in enumerate(words):
        following = words[position + 1] if position + 1 < len(words) else ""
        if word in ("and", ",") and used and room >= 100 and 0 < CARDINALS.get(following, 0) < room:
            continue
        if word in CARDINALS and (not used or 0 < CARDINALS[word] < room):
            group, used = group + CARDINALS[word], position + 1
            room = 10 if CARDINALS[word] >= 20 else 1
        elif word == "hundred" and group < 100 and (group or not used):
            group, used, room = (group or 1) * 100, position + 1, 100
        elif word in SCALES and word != "hundred" and SCALES[word] < scale and (group or not used):
            room = scale = SCALES[word]
            total, group, used = total + (group or 1) * scale, 0, position + 1
        else:
            break
    return Fraction(total + group), used


def _and_fraction(words: tuple[str, ...]) -> tuple[Fraction, int]:
    """Read `and a half`, `and three quarters`, after a number."""
    if words[:1] != ("and",) or len(words) < 3:
        return Fraction(0), 0
    top = 1 if words[1] in ("a", "one") else CARDINALS.get(words[1], 0)
    bottom = DENOMINATORS.get(words[2].rstrip("s"), 0)
    if not top or not bottom or top >= bottom:
        return Fraction(0), 0
    return Fraction(top, bottom), 3


def _bare_part(words: tuple[str, ...]) -> tuple[Fraction, int, bool]:
    """Read `a third`, `half`, `half a million`, `a dozen`."""
    if words[0] in ("baker's", "baker’s"):
        return Fraction(13), 2, False
    if words[0] in ("half", "threequarters"):
        value = Fraction(1, 2) if words[0] == "half" else Fraction(3, 4)
        skip = 1 + (words[1:2] in (("a",), ("an",)))
        if words[skip : skip + 1] and words[skip] in SCALES | GROUPS:
            return value * (SCALES | GROUPS)[words[skip]], skip + 1, False
        return value, 1, True
    if words[0] in ("a", "an", "another") and len(words) > 1:
        name = words[1]
        if name in GROUPS:
            return Fraction(GROUPS[name]), 2, False
        if name in DENOMINATORS:
            return Fraction(1, DENOMINATORS[name]), 2, True
        if name in SCALES:
            value, used = _cardinal(words[1:])
            return value, used + 1, False
    return Fraction(0), 0, False
