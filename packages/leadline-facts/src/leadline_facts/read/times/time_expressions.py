"""Find expressions of days, months and years in a text. Other files resolve them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from leadline_facts.read.times.calendars import MONTH_PATTERN, MONTHS, WEEKDAY_PATTERN, WEEKDAYS
from leadline_facts.read.times.holidays import HOLIDAY_NAMES, HOLIDAY_PATTERN
from leadline_facts.read.times.lengths import LENGTH_PATTERN
from leadline_facts.read.times.written_dates import DATE_PATTERN, WORDED_PATTERN, YEAR_PATTERN
from leadline_facts.words import patterns, rows

_WEEKDAY = rf"{WEEKDAY_PATTERN}\b"
_FULL_MONTH = rf"(?:{'|'.join(MONTHS)}|jan|feb|apr|aug|sept?|oct|nov|dec)\b"
_FEAST_STARTS = "|".join(
    f"{first}[{''.join(sorted({name[1] for name in HOLIDAY_NAMES if name[0] == first}))}]"
    for first in sorted({name[0] for name in HOLIDAY_NAMES})
)
_P = patterns(
    "time_expressions",
    date=DATE_PATTERN,
    month_pattern=MONTH_PATTERN,
    full_month=_FULL_MONTH,
    weekday_name=_WEEKDAY,
    worded_pattern=WORDED_PATTERN,
    year_pattern=YEAR_PATTERN,
    length_pattern=LENGTH_PATTERN,
    holiday_pattern=HOLIDAY_PATTERN,
    feast_starts=_FEAST_STARTS,
)
_SHAPES = (
    "date", "month_year", "nth", "edge", "counted", "turn", "weekday", "holiday", "offset", "step",
    "period", "month", "ordinal", "year",
)  # fmt: skip
"""Kinds of expressions, in the order in which they are tried; each is an entry of the table."""
_FEASTS = "|".join(sorted({re.split(r"[ '-]", name)[0] for name in HOLIDAY_NAMES}))
# Nearly all positions fail at this gate; without it the shapes take seven times as long.
_MASTER = re.compile(
    rf"(?<!\w)(?={_P['openers']}|{_FEASTS})(?:"
    + "|".join(f"(?P<{name}_>{_P[name]})" for name in _SHAPES)
    + ")"
)


_TOKEN = re.compile(r"[^\W\d_]+")
_IN_FIGURES = re.compile(r"['’]\d\d|(?:1[5-9]|20)\d\d|\d(?:st|nd|rd|th)|\d[-/.]\d\d?[-/.]\d")
_TELLING = [word for (line,) in rows("time_words") for word in line.split()]
_TIME_WORDS = frozenset((*_TELLING, *MONTHS, *WEEKDAYS, *(f"{day}s" for day in WEEKDAYS)))
_FEAST_WORDS = frozenset(
    max(_TOKEN.findall(form), key=len)
    for name in HOLIDAY_NAMES
    if _TIME_WORDS.isdisjoint(_TOKEN.findall(name))
    for form in (name, name.replace("'", ""))
)
TELLING_WORDS = _TIME_WORDS | _FEAST_WORDS
"""Every expression holds one of these words, or figures that `_IN_FIGURES` finds.

A shape that needs neither is found only where this is told of its words."""
_LONGEST = max(map(len, TELLING_WORDS))


def _tells_time(lower: str, start: int, end: int) -> bool:
    """Return False only where lower[start:end] holds no expression: most sentences hold none."""
    found = _telling_places(lower)
    number = bisect_left(found, start - _LONGEST)
    return number < len(found) and found[number] < end


@lru_cache(maxsize=4)  # one text is asked about sentence by sentence
def _telling_places(lower: str) -> list[int]:
    found = [match.start() for match in _IN_FIGURES.finditer(lower)]
    if not TELLING_WORDS.isdisjoint(_TOKEN.findall(lower)):
        tokens = _TOKEN.finditer(lower)
        found += [match.start() for match in tokens if match[0] in TELLING_WORDS]
    return sorted(found)


def find_expressions(lower: str, start: int, end: int) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield (shape, match) of every expression in lower[start:end], left to right.

    lower  a text from `lowered`: searching in lower case is several times as fast

    The shapes are the keys of the table above.
    """
    if not _tells_time(lower, start, end):
        return
    position = start
    while match := _MASTER.search(lower, position, end):
        shape = next(name for name in _SHAPES if match[f"{name}_"] is not None)
        yield shape, match
        position = max(match.end(), position + 1)
