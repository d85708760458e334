"""Typed values that a language model's facts are reckoned with, and how it writes them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import TypeAlias

from leadline_facts.read.amounts.units import UNITS
from leadline_facts.read.number_words import find_numerals
from leadline_facts.read.times.calendars import WEEKDAYS
from leadline_facts.read.times.lengths import Length, read_length
from leadline_facts.read.times.written_dates import find_written_dates


@dataclass(frozen=True, slots=True)
class Measure:
    """An amount.

    sort  `money`, `quantity`, `duration`, `percent` or `number`; `open` where a product or a
          ratio of two measures has no unit that we keep track of
    unit  currency or canonical unit; empty for the other sorts
    """

    value: Fraction
    sort: str = "number"
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day, in minutes since midnight."""

    minute: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """Days, both ends included."""

    first: date
    last: date


@dataclass(frozen=True, slots=True)
class Interval:
    """Two moments."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Weekday:
    """0 for Monday to 6."""

    number: int


Value: TypeAlias = Measure | Clock | Stretch | Interval | Weekday | Length | date | datetime

_CLOSE = Fraction(1, 1000)
"""Relative difference at which a reading is still the one that the model wrote in decimals."""

_PLAIN_NUMBER = re.compile(r"[-+]?\d{1,15}(?:\.\d{1,9})?")
ONE_UNIT: Mapping[str, Length] = {
    "minute": Length(minutes=1), "hour": Length(minutes=60), "day": Length(days=1),
    "morning": Length(days=1), "evening": Length(days=1), "night": Length(days=1),
    "week": Length(days=7), "month": Length(months=1), "quarter": Length(months=3),
    "year": Length(months=12), "decade": Length(months=120),
}  # fmt: skip
"""What one of a unit of time comes to; parts of the day count as days."""

_HINTED_LENGTH = re.compile(r"(\d{1,5}(?:\.\d)?) ?([a-z]+?)s?", re.IGNORECASE)
_HINTED_CLOCK = re.compile(r"(?:.*T)?(\d\d?):(\d\d)(?::00)?")


def number_in(text: str) -> Fraction | None:
    """Return the plain number that a text is; None for any other text."""
    plain = text.strip().replace(",", "").removesuffix("%").strip()
    return Fraction(plain) if _PLAIN_NUMBER.fullmatch(plain) else None


def day_in(text: str) -> date | None:
    """Return the date that an ISO date or date with time begins with; None for any other text."""
    try:
        return date.fromisoformat(text.strip()[:10])
    except ValueError:
        return None


def says(value: Value, hint: str) -> bool:
    """Tell whether a reading is the one that the model wrote down."""
    if isinstance(value, Measure):
        number = number_in(hint) or _only_number(hint)
        if number is None:
            return False
        asked = [number, number * 100] if value.sort == "percent" else [number]
        slack = _CLOSE * max(abs(value.value), _CLOSE)
        return any(abs(value.value - each) <= slack for each in asked)
    if isinstance(value, Length):
        return value == _hinted_length(hint)
    if isinstance(value, Clock):
        match = _HINTED_CLOCK.fullmatch(hint.strip())
        return match is not None and int(match[1]) * 60 + int(match[2]) == value.minute
    if isinstance(value, Weekday):
        return WEEKDAYS[value.number] == hint.strip().lower()
    if isinstance(value, Stretch):
        return value.first.isoformat().startswith(hint.strip()[:7])
    if isinstance(value, datetime):
        return value.isoformat(timespec="minutes") == hint.strip()[:16]
    return value == (day_in(hint) or _written_day(hint))


def _only_number(hint: str) -> Fraction | None:
    """Return the number of `$40`, `2 days` or `three`."""
    found = find_numerals(hint[:60])
    return found[0].value if len(found) == 1 else None


def _written_day(hint: str) -> date | None:
    return next((each.full() for each in find_written_dates(hint[:60])), None)


def _hinted_length(hint: str) -> Length | None:
    match = _HINTED_LENGTH.fullmatch(hint.strip())
    unit = length_of_unit(match[2]) if match else None
    return times(unit, Fraction(match[1])) if match and unit else read_length(hint)


def length_of_unit(word: str) -> Length | None:
    """Return what one of a unit of time comes to; None for a word that is none."""
    name = word.lower()
    name = UNITS.get(name, name.removesuffix("s"))
    return Length(days=14) if name == "fortnight" else ONE_UNIT.get(name)


def times(unit: Length, count: Fraction) -> Length | None:
    """Return so many of a unit; None where they come to no whole minutes, days or months."""
    parts = [count * each for each in (unit.months, unit.days, unit.minutes)]
    if any(part.denominator != 1 or abs(part) > 10**7 for part in parts):
        return None
    return Length(*map(int, parts))


def as_measure(length: Length) -> Measure | None:
    """Return a length of time as an amount; None where it mixes months and days."""
    if not length.months:
        return Measure(Fraction(length.days * 1440 + length.minutes), "duration", "minute")
    if length.days or length.minutes:
        return None
    return Measure(Fraction(length.months), "duration", "month")
