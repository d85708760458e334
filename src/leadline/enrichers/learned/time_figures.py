"""Figures and number words that may be clock times, days of a month, years and ages."""

from __future__ import annotations

from typing import Protocol

from leadline.enrichers.learned.time_numbers import (
    CARDINALS,
    SUFFIXES,
    number_before,
    number_from,
    ordinal_from,
)
from leadline.enrichers.learned.time_tokens import Tokens

_TO_HOURS = frozenset(
    [
        "at",
        "by",
        "until",
        "till",
        "from",
        "before",
        "after",
        "to",
        "around",
        "about",
        "between",
        "@",
        "since",
        "and",
        "or",
        "-",
        "–",
        "past",
        "for",
    ]
)
_TO_AGES = frozenset(
    [
        "aged",
        "age",
        "turned",
        "turns",
        "turn",
        "turning",
        "reached",
        "reaching",
        "hit",
        "hits",
        "is",
        "was",
        "be",
        "am",
        "now",
        ",",
        "at",
        "only",
        "just",
        "nearly",
        "reach",
        "m",
        "re",
        "s",
        "been",
        "being",
        "age",
    ]
)
_FEASTS = frozenset(("birthday", "bday", "anniversary", "wedding", "year", "jubilee"))
_COUNTED = frozenset(
    [
        "minute",
        "minutes",
        "min",
        "mins",
        "hour",
        "hours",
        "hr",
        "hrs",
        "day",
        "days",
        "week",
        "weeks",
        "month",
        "months",
        "year",
        "years",
        "yr",
        "yrs",
        "night",
        "nights",
        "%",
        "km",
        "kg",
        "m",
        "miles",
        "people",
        "percent",
        "pounds",
        "euros",
        "dollars",
        "st",
        "nd",
        "rd",
        "th",
        "o",
        "times",
        "fold",
        "litres",
        "per",
        "x",
        "mm",
        "cm",
    ]
)
_FIXED = {"noon": 720, "midday": 720, "midnight": 0}


class Reader(Protocol):
    """What reads a text, see `time_mentions.Reader`."""

    tokens: Tokens

    def add(self, kind: str, first: int, last: int, data: object) -> None:
        """Note an expression."""


def read_figures(reader: Reader, at: int) -> None:
    """Read what figures may say, by what stands around them."""
    tokens = reader.tokens
    word = tokens.words[at]
    if (
        tokens.word(at - 1) in (":", ".", "/")
        and tokens.joined(at)
        and tokens.word(at - 2).isdigit()
    ):
        return
    if _clock_in_figures(reader, at):
        return
    value = int(word) if len(word) < 9 else 0
    before, after = tokens.word(at - 1), tokens.word(at + 1)
    if len(word) == 4 and 1500 <= value < 2100 and after not in SUFFIXES and before not in "$£€.,:":
        reader.add("year", at, at + 1, value)
    if len(word) == 2 and before in ("'", "’", "‘"):
        reader.add("short_year", at - 1, at + 1, value)
    if before == "q" and tokens.joined(at) and 1 <= value <= 4:
        reader.add("quarter", at - 1, at + 1, value)
    ordinal = ordinal_from(tokens, at)
    if ordinal:
        _read_ordinal(reader, at, *ordinal)
    elif len(word) < 4:
        _read_number(reader, at, at + 1, value)


def read_worded(reader: Reader, at: int) -> None:
    """Read what number words, `half`, `noon` may say."""
    tokens = reader.tokens
    word = tokens.words[at]
    if word in _FIXED:
        reader.add("clock", at, at + 1, (_FIXED[word], True, "fixed"))
        return
    if _past(reader, at):
        return
    if word in ("half", "quarter"):
        return
    if word == "hundred":
        at -= 1
        if tokens.word(at) not in ("a", "one"):
            return
    if tokens.word(at - 1) in CARDINALS and CARDINALS[tokens.word(at - 1)] >= 20:
        return
    if tokens.word(at - 1) == "-" and CARDINALS.get(tokens.word(at - 2), 0) >= 20:
        return
    ordinal = ordinal_from(tokens, at)
    if ordinal:
        _read_ordinal(reader, at, *ordinal)
        return
    number = number_from(tokens, at)
    if number:
        _read_number(reader, at, number[1], number[0])


def _clock_in_figures(reader: Reader, at: int) -> bool:
    """Read `14:30`, `6.45 pm`, `7pm`, `1930 hrs`, `0615h`."""
    tokens = reader.tokens
    word = tokens.words[at]
    hour = int(word) if len(word) < 3 else -1
    named = tokens.word(at + 1) in ("hrs", "hours", "h")
    is_hour = len(word) == 4 and int(word[:2]) < 24 and int(word[2:]) < 60
    if is_hour and (named or word[0] == "0"):
        minute = int(word[:2]) * 60 + int(word[2:])
        reader.add("clock", at, at + 1 + named, (minute, True, "hundred"))
        return True
    if not 0 <= hour < 24:
        return False
    last, minute, sign = at + 1, 0, ""
    if tokens.word(last) in (":", ".") and tokens.joined(last) and tokens.joined(last + 1):
        digits = tokens.word(last + 1)
        if len(digits) == 2 and digits.isdigit() and int(digits) < 60:
            sign, minute, last = tokens.words[last], int(digits), last + 2
            if tokens.word(last) == ":" and tokens.joined(last) and tokens.word(last + 1).isdigit():
                last += 2
    half = _half(tokens, last)
    if half:
        if not 1 <= hour <= 12:
            return False
        reader.add("clock", at, half[1], (hour % 12 * 60 + minute + half[0], True, "half"))
        return True
    if sign == ":":
        sure = hour == 0 or hour > 12 or word[0] == "0"
        reader.add("clock", at, last, (hour * 60 + minute, sure, "colon"))
        return True
    if sign == "." and tokens.word(at - 1) in _TO_HOURS:
        reader.add("clock", at, last, (hour * 60 + minute, hour > 12, "dot"))
        return True
    return False


def _half(tokens: Tokens, at: int) -> tuple[int, int] | None:
    """Return the minutes that am or pm at a token adds, with the token after it."""
    word = tokens.word(at)
    if word in ("am", "pm"):
        return (720 if word == "pm" else 0), at + 1
    if word in ("a", "p") and tokens.word(at + 1) == "." and tokens.word(at + 2) == "m":
        return (720 if word == "p" else 0), at + 3 + (tokens.word(at + 3) == ".")
    return None


def _past(reader: Reader, at: int) -> bool:
    """Read `half past seven`, `twenty to nine`, `half four`, `ten past`."""
    tokens = reader.tokens
    word = tokens.words[at]
    if word in ("half", "quarter"):
        minutes, last = (30 if word == "half" else 15), at + 1
    else:
        found = number_from(tokens, at)
        if not found or found[0] > 29:
            return False
        minutes, last = found
    if tokens.word(last) in ("minutes", "minute", "mins"):
        last += 1
    side = tokens.word(last)
    if side == "-":
        side = tokens.word(last + 1)
        last += 1
    if side not in ("past", "to", "after", "before", "till", "of"):
        hour = CARDINALS.get(side) or (int(side) if side.isdigit() and len(side) < 3 else 0)
        if word == "half" and 1 <= hour <= 12 and tokens.word(last + 1) not in _COUNTED:
            reader.add("clock", at, last + 1, (hour % 12 * 60 + 30, False, "half"))
            return True
        return False
    name = tokens.word(last + 1)
    sign = 1 if side in ("past", "after") else -1
    if name in _FIXED:
        reader.add("clock", at, last + 2, ((_FIXED[name] + sign * minutes) % 1440, True, "sided"))
        return True
    hour = CARDINALS.get(name) or (int(name) if name.isdigit() and len(name) < 3 else 0)
    told = word in ("half", "quarter") or side in ("past", "to") or word.isdigit()
    if 1 <= hour <= 12 and tokens.word(last + 2) not in _COUNTED and told:
        half = _half(tokens, last + 2)
        minute = (hour % 12 * 60 + sign * minutes) % 720
        if half:
            reader.add("clock", at, half[1], ((minute + half[0]) % 1440, True, "sided"))
        else:
            reader.add("clock", at, last + 2, (minute, False, "sided"))
        return True
    alone = side == "past" or (side == "to" and word == "quarter")
    if alone and not number_before(tokens, last + 2):
        reader.add("past_hour", at, last + 1, sign * minutes)
        return True
    return False


def _read_number(reader: Reader, at: int, last: int, value: int) -> None:
    tokens = reader.tokens
    before, after = tokens.word(at - 1), tokens.word(last)
    if after in _COUNTED and after != "o":
        if after in ("year", "years") and tokens.word(last + 1) in ("old", "-", "of"):
            reader.add("age", at, last + 1, value)
        return
    if after == "-" and tokens.word(last + 1) in ("year", "yr"):
        reader.add("age", at, last + 2, value)
        return
    if 1 <= value <= 12:
        half = _half(tokens, last)
        if after == "o" and tokens.word(last + 2).startswith("clock"):
            half = _half(tokens, last + 3)
            minute = value % 12 * 60 + (half[0] if half else 0)
            reader.add("clock", at, half[1] if half else last + 3, (minute, bool(half), "o'clock"))
        elif half:
            reader.add("clock", at, half[1], (value % 12 * 60 + half[0], True, "half"))
        elif tokens.words[at] in CARDINALS and number_from(tokens, last) and (
            number_from(tokens, last)[0] in range(10, 60)  # type: ignore[index]
        ):  # fmt: skip
            minutes, last = number_from(tokens, last)  # type: ignore[misc]
            reader.add("clock", at, last, (value % 12 * 60 + minutes, False, "worded"))
        elif (
            before in _TO_HOURS
            or _opens(tokens, last)
            or after in ("sharp", "prompt", "tonight", "in")
        ):
            reader.add("clock", at, last, (value % 12 * 60, False, "bare"))
    elif value in (18, 19, 20, 21, 22, 23, 24) and tokens.word(last) == "hundred":
        reader.add("clock", at, last + 1, (value * 60 % 1440, True, "hundred"))
    if (
        tokens.words[at].isdigit()
        and 0 < value <= 31
        and before in ("by", "on", "until", "till", "from", "to", "before")
    ):
        reader.add("day_of_month", at, last, value)
    if 1 <= value < 120 and (before in _TO_AGES or (before == "(" and after == ")")):
        reader.add("age", at, last, value)


def _opens(tokens: Tokens, at: int) -> bool:
    """Tell whether a token leads to the later of two times: `8 till 4.30`, `ten to five pm`."""
    if tokens.word(at) in ("till", "until", "til"):
        return True
    if tokens.word(at) not in ("to", "-", "–"):
        return False
    later = number_from(tokens, at + 1)
    if not later or not 1 <= later[0] <= 12:
        return False
    return tokens.word(later[1]) in (":", ".", "am", "pm", "o") or tokens.word(at) == "to"


def _read_ordinal(reader: Reader, at: int, value: int, last: int) -> None:
    tokens = reader.tokens
    after = tokens.word(last)
    if after in _FEASTS or tokens.word(last + 1) in _FEASTS:
        reader.add("age", at, last, value)
        return
    worded = not tokens.words[at].isdigit()
    if worded and (tokens.word(at - 1) != "the" or (after.isalpha() and after not in _AFTER_DAY)):
        return
    if 1 <= value <= 31:
        reader.add("day_of_month", at, last, value)
    elif not worded and value < 120:
        reader.add("age", at, last, value)


_AFTER_DAY = frozenset(
    [
        "of",
        "and",
        "or",
        "to",
        "at",
        "in",
        "for",
        "is",
        "was",
        "will",
        "till",
        "until",
        "from",
        "inst",
        "ult",
        "prox",
        "instant",
        "ultimo",
        "proximo",
        "we",
        "i",
        "he",
        "she",
        "they",
        "it",
        "but",
        "because",
        "as",
        "so",
    ]
)
