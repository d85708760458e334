"""Dates and clock times as people write them: `26 Oct 2024`, `7/17/2024`, `Oct 6th`, `4.30pm`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from leadline_facts.read.number_words import ORDINALS, lowered
from leadline_facts.read.times.calendars import (
    MONTH_PATTERN,
    MONTHS,
    WEEKDAY_PATTERN,
    month_number,
    weekday_number,
)
from leadline_facts.words import patterns

WORDED_PATTERN = "|".join(sorted(ORDINALS, key=len, reverse=True)).replace("-", "[- ]")
_P = patterns(
    "written_dates",
    month_pattern=MONTH_PATTERN,
    weekday_pattern=WEEKDAY_PATTERN,
    worded_pattern=WORDED_PATTERN,
)
YEAR_PATTERN = _P["year_pattern"]
_SUFFIX = _P["suffix"]
DATE_PATTERN = _P["date_pattern"]
"""Regular expression without groups of a date with at least day and month; use IGNORECASE."""
TIME_PATTERN = _P["time_pattern"]
"""Regular expression without groups of a clock time in digits; use IGNORECASE."""

_FIND_DATE = re.compile(DATE_PATTERN, re.IGNORECASE)
_JOINED = re.compile(r"\d[-/.]\d\d?[-/.]\d")
_MONTHS = {m[:3]: re.compile(rf"{m[:3]}(?<!\w...)(?:{m[3:] or 'e'}|{m[3:4]})?\b") for m in MONTHS}
_LONGEST = 80
"""Every date holds what `_cores` finds, and so many characters before and after it at most."""
_NAMED = re.compile(rf"\b{MONTH_PATTERN}\b", re.IGNORECASE)
_WEEKDAY = re.compile(rf"{WEEKDAY_PATTERN}\b", re.IGNORECASE)
_DAY_ALONE = re.compile(rf"(?<!\d)(\d\d?){_SUFFIX}?(?!\d)|({WORDED_PATTERN})", re.IGNORECASE)
_YEAR_ALONE = re.compile(rf"\b{YEAR_PATTERN}\b")
_TIME = re.compile(r"(\d\d?)(?:[:.](\d\d))?(?::\d\d)?\s?(?:([ap])\.?m\b\.?)?", re.IGNORECASE)
_YEAR_PIVOT = 70


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A date as far as it is written: day and month, often a year, sometimes the weekday."""

    start: int
    end: int
    year: int | None
    month: int
    day: int
    weekday: int | None = None

    def full(self) -> date | None:
        """Return the date; None where the year is missing or the month has no such day."""
        if self.year is None:
            return None
        try:
            return date(self.year, self.month, self.day)
        except ValueError:
            return None


def find_written_dates(text: str, start: int = 0, end: int | None = None) -> Iterator[WrittenDate]:
    """Yield the dates of text[start:end] that have a day and a month, left to right.

    A slashed date that can be read either way is settled by its weekday, else by the same day and
    month written in words close by; unsettled ones are left out.
    """
    end = len(text) if end is None else end
    position = start
    for core_start, core_end in _cores(text, start, end):
        if core_start < position:
            continue
        near = min(end, core_end + _LONGEST)
        while match := _FIND_DATE.search(text, max(position, core_start - _LONGEST), near):
            if match.start() > core_end:
                break
            position = match.end()
            found = read_written_date(text, match.start(), match.end())
            if found:
                yield found
            if position > core_start:
                break
        position = max(position, core_start)  # no date begins before it any more


def _cores(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return where a date may be: where months are named, and where figures are joined."""
    lower = lowered(text)
    found = [match.span() for match in _JOINED.finditer(text, start, end)]
    for name, month in _MONTHS.items():
        if name in lower:
            found += [match.span() for match in month.finditer(lower, start, end)]
    return sorted(found)


def read_written_date(text: str, start: int, end: int) -> WrittenDate | None:
    """Return the date that text[start:end], a match of `DATE_PATTERN`, writes; None for none."""
    written = text[start:end]
    weekday = _WEEKDAY.match(written)
    number = weekday_number(weekday.group()) if weekday else None
    rest = written[weekday.end() :].lstrip("., ") if weekday else written
    if month := _NAMED.search(rest):
        year = _YEAR_ALONE.search(rest)
        short = None if year else re.search(r"['’](\d\d)\b", rest)
        bare = rest.replace(year.group(), " ", 1) if year else rest
        bare = bare.replace(short.group(), " ", 1) if short else bare
        day = _DAY_ALONE.search(bare.replace(month.group(), " ", 1))
        if not day:
            return None
        return WrittenDate(
            start,
            end,
            int(year.group()) if year else _century(int(short[1])) if short else None,
            month_number(month.group()),
            day_number(day.group()),
            number,
        )
    return _numeric(text, start, end, [int(part) for part in re.findall(r"\d+", rest)], number)


def day_number(written: str) -> int:
    """Return 17 for `17th`, `17` or `seventeenth`."""
    digits = re.match(r"\d+", written)
    if digits:
        return int(digits.group())
    return ORDINALS[written.lower().replace(" ", "-")]


def read_clock(written: str) -> tuple[int, bool] | None:
    """Return minutes since midnight of a match of `TIME_PATTERN`, and whether am/pm is certain.

    Without am or pm a time counts as certain when its hour is 0, above 12, or has two digits
    before a colon (`09:15`). None where the hour is impossible.
    """
    match = _TIME.fullmatch(written.strip())
    if not match:
        return None
    hour, minute = int(match[1]), int(match[2] or 0)
    if match[3]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if match[3].lower() == "p" else 0)
        return hour * 60 + minute, True
    return hour * 60 + minute, hour == 0 or hour > 12 or written.strip().startswith("0")


def _numeric(
    text: str, start: int, end: int, parts: list[int], weekday: int | None
) -> WrittenDate | None:
    first, second, third = parts
    if first > 31:
        return WrittenDate(start, end, first, second, third, weekday)
    year = third if third > 99 else _century(third)
    if "." in text[start:end]:
        return WrittenDate(start, end, year, second, first, weekday) if second <= 12 else None
    readings = [
        found
        for month, day in {(second, first), (first, second)}
        if month <= 12 and (found := WrittenDate(start, end, year, month, day, weekday)).full()
    ]
    if len(readings) > 1:
        readings = [each for each in readings if _is_settled(text, each)]
    return readings[0] if len(readings) == 1 else None


def _century(year: int) -> int:
    return year + (2000 if year < _YEAR_PIVOT else 1900)


def _is_settled(text: str, found: WrittenDate) -> bool:
    """Tell whether a date has its weekday before it, or stands in words close by, too."""
    if found.weekday is not None:
        day = found.full()
        return day is not None and day.weekday() == found.weekday
    near = text[max(0, found.start - 80) : found.start] + " | " + text[found.end : found.end + 80]
    return any(
        (other.month, other.day) == (found.month, found.day)
        for match in _FIND_DATE.finditer(near)
        if _NAMED.search(match.group())
        and (other := read_written_date(near, match.start(), match.end()))
    )
