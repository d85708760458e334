"""Durations in digits and words: `seven hours fifty minutes`, `a fortnight`, `2½ weeks`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from functools import lru_cache

from leadline_facts.read.number_words import read_number
from leadline_facts.read.times.calendars import add_months
from leadline_facts.words import patterns

_P = patterns("lengths")
COUNT_PATTERN = _P["count_pattern"]
"""Regular expression without groups of a whole or half number of things; use IGNORECASE."""
LENGTH_PATTERN = _P["length_pattern"]
"""Regular expression without groups of a length of time; use IGNORECASE."""

_PART = re.compile(_P["part"], re.IGNORECASE)
_MINUTES = {"min": 1, "hou": 60, "hrs": 60, "hr": 60}
_DAYS = {"day": 1, "nig": 1, "wee": 7, "wk": 7, "wks": 7, "for": 14}
_MONTHS = {"mon": 1, "mth": 1, "yea": 12, "yrs": 12, "yr": 12, "dec": 120, "cen": 1200}
_PARTS = {"a half": Fraction(1, 2), "a quarter": Fraction(1, 4), "three quarters": Fraction(3, 4)}
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
    return read_number(words)


@lru_cache(maxsize=4096)
def read_length(text: str) -> Length | None:
    """Return the length that a match of `LENGTH_PATTERN` writes.

    None where it comes to no whole minutes, days or months.
    """
    if short := re.fullmatch(r"(half|quarter)[\s-]hour", text.lower()):
        return Length(minutes=30 if short[1] == "half" else 15)
    months, days, minutes = (Fraction(0),) * 3
    found = False
    for match in _PART.finditer(text):
        count = read_count(match["count"])
        if count is None or match["unit"].lower().startswith("weekend"):
            return None
        count += _PARTS[" ".join(re.split(r"[\s-]", match["part"].lower()))] if match["part"] else 0
        minutes += (read_count(match["minutes"]) or 0) if match["minutes"] else 0
        unit = match["unit"].lower()
        key = unit if unit in ("hr", "yr", "hrs", "yrs") else unit[:3]
        if match["kind"].strip().lower() in ("working", "business", "week"):
            return None
        months += count * _MONTHS.get(key, 0)
        days += count * _DAYS.get(key, 0)
        minutes += count * _MINUTES.get(key, 0)
        found = True
    if not found or any(each.denominator != 1 for each in (months, days, minutes)):
        return None
    return Length(int(months), int(days), int(minutes))
