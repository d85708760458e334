"""Numbers beside a token: `twenty-one days`, `an hour`, `two and a half`, `her fortieth`."""

from __future__ import annotations

from fractions import Fraction

from leadline.enrichers.learned.time_tokens import Tokens

_ONES = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
_ONES += " sixteen seventeen eighteen nineteen"
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
CARDINALS = {word: number for number, word in enumerate(_ONES.split(), 1)} | {
    word: 10 * number for number, word in enumerate(_TENS, 2)
}
_IRREGULAR = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth",
              "nine": "ninth", "twelve": "twelfth"}  # fmt: skip
ORDINALS = {
    _IRREGULAR.get(word, word[:-1] + "ieth" if word.endswith("y") else word + "th"): number
    for word, number in CARDINALS.items()
} | {"hundredth": 100}
SUFFIXES = frozenset(("st", "nd", "rd", "th"))
_SINGLE = {"a": Fraction(1), "an": Fraction(1), "couple": Fraction(2), "dozen": Fraction(12),
           "hundred": Fraction(100), "half": Fraction(1, 2)}  # fmt: skip
_BETWEEN = frozenset((
    "more", "full", "whole", "further", "working", "clear", "solid", "long", "calendar", "good",
    "straight", "short", "odd", "extra", "-", "of", "few",
))  # fmt: skip


def number_before(tokens: Tokens, at: int) -> tuple[Fraction, int] | None:
    """Return the number that ends before a token, a unit, with the number of its first token."""
    last = at - 1
    while tokens.word(last) in _BETWEEN and last > at - 3:
        if tokens.words[last] == "of" and tokens.word(last - 1) not in ("couple", "quarters"):
            return None
        last -= 1
    word = tokens.word(last)
    if word.isdigit():
        if tokens.word(last - 1) == "." and tokens.word(last - 2).isdigit() and tokens.joined(last):
            return Fraction(f"{tokens.words[last - 2]}.{word}"), last - 2
        return (Fraction(int(word)), last) if len(word) < 5 else None
    if (
        word == "an"
        and tokens.word(last - 2) in ("quarters", "quarter")
        and tokens.word(last - 1) == "of"
    ):
        if tokens.word(last - 3) == "three":
            return Fraction(3, 4), last - 3
        return Fraction(1, 4), last - 2 - (tokens.word(last - 3) in ("a", "an"))
    if word in ("quarter", "quarters") and tokens.word(last - 1) == "three":
        whole = number_before(tokens, last - 2) if tokens.word(last - 2) == "and" else None
        return (whole[0] + Fraction(3, 4), whole[1]) if whole else (Fraction(3, 4), last - 1)
    if word in ("half", "quarter") and tokens.word(last - 1) in ("a", "an"):
        part = Fraction(1, 2 if word == "half" else 4)
        if tokens.word(last - 2) == "and":
            whole = number_before(tokens, last - 2)
            return (whole[0] + part, whole[1]) if whole else None
        return part, last - 1
    if word in ("a", "an") and tokens.word(last - 1) == "half":
        return Fraction(1, 2), last - 1
    for first in range(max(0, last - 4), last + 1):
        found = number_from(tokens, first)
        if found and found[1] == last + 1:
            return Fraction(found[0]), first
    if word in _SINGLE:
        wide = tokens.word(last - 1) in ("a", "an", "one") and word in (
            "couple",
            "dozen",
            "hundred",
        )
        return _SINGLE[word], last - wide
    return None


def number_from(tokens: Tokens, at: int) -> tuple[int, int] | None:
    """Return a whole number below 1000 that starts at a token, with the token after it."""
    word = tokens.word(at)
    if word.isdigit():
        return (int(word), at + 1) if len(word) < 4 else None
    if word in ("a", "one") and tokens.word(at + 1) == "hundred":
        total, last = 100, at + 2
        rest = number_from(tokens, last + 1) if tokens.word(last) == "and" else None
        return (total + rest[0], rest[1]) if rest and rest[0] < 100 else (total, last)
    value = CARDINALS.get(word)
    if value is None:
        return None
    last = at + 1
    if value >= 20:
        one = last + (tokens.word(last) == "-")
        more = CARDINALS.get(tokens.word(one), 10)
        if more < 10:
            return value + more, one + 1
    return value, last


def ordinal_from(tokens: Tokens, at: int) -> tuple[int, int] | None:
    """Return an ordinal that starts at a token, `21st` or `twenty-first`, with the token after."""
    word = tokens.word(at)
    if word.isdigit():
        suffixed = tokens.word(at + 1) in SUFFIXES and tokens.joined(at + 1)
        return (int(word), at + 2) if suffixed and len(word) < 4 else None
    if word in ORDINALS:
        return ORDINALS[word], at + 1
    tens = CARDINALS.get(word, 0)
    if tens >= 20:
        one = at + 1 + (tokens.word(at + 1) == "-")
        more = ORDINALS.get(tokens.word(one), 10)
        if more < 10:
            return tens + more, one + 1
    return None
