"""Lengths of time in digits and words: `seven hours fifty minutes`, `a fortnight`, `2½ weeks`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

from leadline.enrichers.calendars import add_months
from leadline.enrichers.number_words import read_number

_ONES = "one|two|three|four|five|six|seven|eight|nine"
_TEENS = (
    "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|zero|dozen"
)
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
COUNT_PATTERN = (
    r"(?:(?<![\d.,:$£€])\d{1,4}(?:\.\d)?½?(?![.,:]?\d)"
    r"|half\san?|(?:three[\s-])?quarters?\sof\san|(?:three|two|four)\sscore(?:\sand\s\w+)?"
    rf"|(?:an?|one)\shundred(?:\sand\s(?:(?:{_TENS})(?:[\s-](?:{_ONES}))?|{_TEENS}|{_ONES}))?"
    rf"|(?:(?:{_TENS})(?:[\s-](?:{_ONES}))?|(?:an?\s)?(?:{_TEENS})|{_ONES})(?:\sand\sa\shalf)?"
    r"|an?)"
)
"""Regular expression without groups of a whole or half number of things; use IGNORECASE."""
_UNIT = (
    r"(?:minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|fortnights?|months?|years?|yrs?|decades?"
    r"|weekends?)\b"
)
_TIMES = rf"\b{COUNT_PATTERN}(?:\s|-)(?:(?:whole|full|calendar|consecutive|more)\s)?{_UNIT}"
LENGTH_PATTERN = rf"(?:{_TIMES}(?:\sand\sa\shalf\b)?(?:(?:,|,?\sand)?\s{_TIMES})?)"
"""Regular expression without groups of a length of time; use IGNORECASE."""

_PART = re.compile(
    rf"(?P<count>{COUNT_PATTERN})[\s-](?:(?:whole|full|calendar|consecutive|more)\s)?"
    rf"(?P<unit>{_UNIT})(?P<half>\sand\sa\shalf\b)?",
    re.IGNORECASE,
)
_MINUTES = {"min": 1, "hou": 60, "hrs": 60, "hr": 60}
_DAYS = {"day": 1, "nig": 1, "wee": 7, "for": 14}
_MONTHS = {"mon": 1, "yea": 12, "yrs": 12, "yr": 12, "dec": 120}
_WORDS = {"a": Fraction(1), "an": Fraction(1), "zero": Fraction(0), "dozen": Fraction(12)}


@dataclass(frozen=True, slots=True)
class Length:
    """A length of time, exact in its own units; months and days are not converted."""

    months: int = 0
    days: int = 0
    minutes: int = 0

    @property
    def is_short(self) -> bool:
        """Whether it has minutes and nothing else."""
        return self.minutes > 0 and not (self.months or self.days)

    def after(self, day: date, times: int = 1) -> date:
        """Return the day this length after a day, before it where `times` is -1.

        Raises OverflowError or ValueError beyond the years 1 to 9999.
        """
        return add_months(day, times * self.months) + timedelta(times * self.days)


def read_count(text: str) -> Fraction | None:
    """Return the number that a match of `COUNT_PATTERN` writes."""
    words = " ".join(text.lower().replace("½", ".5").split())
    if words in _WORDS:
        return _WORDS[words]
    if words in ("half a", "half an"):
        return Fraction(1, 2)
    if words.startswith(("quarter", "three quarter", "three-quarter")):
        return Fraction(1 if words.startswith("quarter") else 3, 4)
    if " score" in words:
        scores, _, rest = words.partition(" score")
        more = read_number(rest.removeprefix(" and ")) if rest else Fraction(0)
        base = read_number(scores)
        return None if base is None or more is None else base * 20 + more
    return read_number(words)


def read_length(text: str) -> Length | None:
    """Return the length that a match of `LENGTH_PATTERN` writes.

    None where it comes to no whole minutes, days or months.
    """
    months, days, minutes = Fraction(0), Fraction(0), Fraction(0)
    found = False
    for match in _PART.finditer(text):
        count = read_count(match["count"])
        if count is None or match["unit"].lower().startswith("weekend"):
            return None
        count += Fraction(1, 2) if match["half"] else 0
        unit = match["unit"].lower()
        key = unit if unit in ("hr", "yr", "hrs", "yrs") else unit[:3]
        months += count * _MONTHS.get(key, 0)
        days += count * _DAYS.get(key, 0)
        minutes += count * _MINUTES.get(key, 0)
        found = True
    if not found or any(each.denominator != 1 for each in (months, days, minutes)):
        return None
    return Length(int(months), int(days), int(minutes))
