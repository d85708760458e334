"""Stretches of days: `from Monday to Wednesday`, `for three days starting yesterday`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

from leadline_facts.propose.times.scenes import Reading, Span, on_day, over_days
from leadline_facts.read.times.calendars import MONTH_PATTERN, WEEKDAY_PATTERN, weekday_before
from leadline_facts.read.times.lengths import LENGTH_PATTERN, read_length
from leadline_facts.words import patterns

LONGEST_LISTED = 14
"""Days of a stretch that are also facts on their own, at most."""

_P = patterns("date_spans", length_pattern=LENGTH_PATTERN, month_pattern=MONTH_PATTERN)
_TO = re.compile(_P["to"])
_FOR = re.compile(_P["for"])
_STARTING = re.compile(_P["starting"])
_NUMBER_TO = re.compile(_P["number_to"])
_TO_NUMBER = re.compile(_P["to_number"])
_WEEKDAY = re.compile(rf"{WEEKDAY_PATTERN}s?\.?")
_AS_A_RULE = re.compile(_P["as_a_rule"])


def read_spans(lower: str, sentence: Span, readings: Sequence[Reading]) -> Iterator[Reading]:
    """Yield the stretches that the days of one sentence bound or begin.

    readings  of the sentence, left to right; only those with a day count

    `For N days from D` ends the day before D + N, `for N months` the day before that day N
    months on.
    """
    days = [each for each in readings if each.day]
    for day in days:
        yield from _numbered(lower, day)
    for begin, last in pairwise(days):
        if found := _from_to(lower, begin, last):
            yield found
    for match in _FOR.finditer(lower, *sentence):
        length = read_length(match["length"])
        start = _start(lower, match, days)
        if start is None or start.span[1] > match.start() > start.span[0] - 6:
            continue
        if length is None or length.minutes or start.day is None:
            continue
        if match.group().startswith(("took", "takes", "last", "stay", "spent")) or (
            "night" in match["length"]
        ):
            over = length.after(start.day)
            yield on_day(over, match.span(), match.group(), base=(start.span,), confidence=0.7)
        end = length.after(start.day) - timedelta(1)
        if end > start.day:
            yield over_days(
                start.day, end, match.span(), match.group(), base=(start.span,), confidence=0.85
            )


def aligned(lower: str, readings: Sequence[Reading]) -> list[Reading]:
    """Put the first weekday of `Monday to Wednesday last week` into the week of the second.

    Weekdays that say when something is open as a rule are dropped.
    """
    found = list(readings)
    for number, (first, last) in enumerate(pairwise(readings)):
        is_pair = _WEEKDAY.fullmatch(first.why) and _WEEKDAY.fullmatch(last.why.split()[0])
        gap = lower[first.span[1] : last.span[0]]
        if not is_pair or not first.day or not last.day or not _TO.fullmatch(gap):
            continue
        start = max(lower.rfind(".", 0, first.span[0]), lower.rfind("\n", 0, first.span[0])) + 1
        if _AS_A_RULE.search(lower, start, last.span[1] + 30):
            found = [each for each in found if each not in (first, last)]
        elif last.day < first.day or (last.day - first.day).days > 6:
            day = weekday_before(last.day, first.day.weekday())
            found[number] = replace(first, value=day.isoformat(), day=day)
    return found


def days_of(reading: Reading) -> list[date]:
    """Return the days that a reading names one by one: its day, or those of a short stretch."""
    if reading.day:
        return [reading.day]
    if reading.kind != "date_range":
        return []
    first, last = (date.fromisoformat(each) for each in reading.value)
    if (last - first).days >= LONGEST_LISTED:
        return []
    return [first + timedelta(number) for number in range((last - first).days + 1)]


def _numbered(lower: str, told: Reading) -> Iterator[Reading]:
    """Read the `3` of `from 3 to 14 June` and the `14` of `June 3-14`."""
    if not told.day or not re.search(r"[a-z]{3}", lower[slice(*told.span)]):
        return
    before = _NUMBER_TO.search(lower, max(0, told.span[0] - 14), told.span[0])
    found = before or _TO_NUMBER.match(lower, told.span[1])
    try:
        other = told.day.replace(day=int(found[1])) if found else told.day
    except ValueError:
        return
    first, end = (other, told.day) if before else (told.day, other)
    if found and first < end:
        span = (min(found.start(), told.span[0]), max(found.end(), told.span[1]))
        yield on_day(other, span, lower[slice(*span)], role=told.role, base=told.base)
        if "and" not in found.group():
            yield over_days(first, end, span, lower[slice(*span)], role=told.role, base=told.base)


def _from_to(lower: str, first: Reading, last: Reading) -> Reading | None:
    linked = _TO.fullmatch(lower[first.span[1] : last.span[0]])
    if not linked or not first.day or not last.day or last.day <= first.day:
        return None
    stated = first.role == last.role == "stated"
    return over_days(
        first.day,
        last.day,
        (first.span[0], last.span[1]),
        f"from {first.why} to {last.why}",
        role="stated" if stated else "derived",
        base=(*first.base, *last.base),
    )


def _start(lower: str, match: re.Match[str], days: list[Reading]) -> Reading | None:
    """Return the day a length begins on: one introduced as a start, else one right beside it."""
    if lower.startswith(" from ", match.end()):
        after = [day for day in days if 0 <= day.span[0] - match.end() <= 20]
        if after:
            return after[0]
    bases = {span for day in days for span in day.base}
    days = [day for day in days if day.span not in bases]
    for day in sorted(days, key=lambda each: abs(each.span[0] - match.start())):
        before = lower[max(0, day.span[0] - 40) : day.span[0]]
        inside = lower[slice(*day.span)].startswith(("from ", "since "))
        if _STARTING.search(before) or inside:
            return day
    return None
