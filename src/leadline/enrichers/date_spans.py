"""Stretches of days: `from Monday to Wednesday`, `for three days starting yesterday`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

from leadline.enrichers.calendars import WEEKDAYS, weekday_before
from leadline.enrichers.lengths import LENGTH_PATTERN, read_length
from leadline.enrichers.scenes import Reading, Span, on_day, over_days

LONGEST_LISTED = 14
"""Days of a stretch that are also facts on their own, at most."""

_TO = re.compile(
    r",?\s?(?:to|until|till|through|thru|–|—|-|up\sto|right\sthrough\sto)\s?(?:and\sincluding\s)?"
    r"(?:the\s)?(?:\w+\s(?:of\s)?)?"
)
_AND = re.compile(r"\s?and\s(?:the\s)?")
_BETWEEN = re.compile(r"\b(?:between|from)\s(?:the\s)?(?:\w+\s)?$")
_FOR = re.compile(
    rf"(?:\bfor|\btook|\bstay(?:s|ed|ing)?(?:\sfor)?|\bspent|\blast(?:s|ed|ing)?|\bruns?(?:\sfor)?|\bran(?:\sfor)?|\brunning\sfor|\bover|\bof)\s"
    rf"(?:exactly\s|the\s(?:next|first|following|whole|entire)\s|a\s(?:total|period|term)\sof\s)?(?P<length>{LENGTH_PATTERN})"
    r"(?!\s(?:ago|before|after|later|earlier|from\snow|hence|old|now))"
)
_STARTING = re.compile(
    r"\b(?:start(?:s|ed|ing)?|beg[aiu]n(?:s|ning)?|commenc\w+|from|as\sof|with\seffect\sfrom|effective"
    r"|since|open(?:s|ed|ing)?|kick(?:s|ed|ing)?\soff|moved?\sin|arriv\w+|away|leav\w+|out)\b[^.;!?]{0,18}$"
)
_WRITTEN = re.compile(r"[a-z]{3}")
_NUMBER_TO = re.compile(
    r"(?<![\d:.,/$£€-])\b([12]?\d|3[01])(?:st|nd|rd|th)?\s?(?:to|–|—|-|until|till|through|and)\s?(?:the\s)?$"
)
_TO_NUMBER = re.compile(
    r"\s?(?:to|–|—|-|until|till|through)\s?([12]?\d|3[01])(?:st|nd|rd|th)?\b(?![:.]\d)"
)
_AS_A_RULE = re.compile(
    r"\b(?:open|opens|hours|daily|weekly|every|each|usually|normally|office|term-time|regular)\b"
)
_INCLUDED = re.compile(
    r"\binclusive\b|\bincluding\sboth|\b(?:both|first\sand\slast|last)\s(?:days?|dates?)?[\s,]{0,2}(?:are\s|were\s)?"
    r"(?:included|counted)"
)
_BESIDE = re.compile(r",?\s(?:and\s)?$")


def read_spans(lower: str, sentence: Span, readings: Sequence[Reading]) -> Iterator[Reading]:
    """Yield the stretches that the days of one sentence bound or begin.

    readings  of the sentence, left to right; only those with a day count

    `For N days from D` ends the day before D + N, `for N months` the day before that day N
    months on.
    """
    days = [each for each in readings if each.day]
    for day in days:
        yield from _bare_number(lower, day)
    for first, last in pairwise(days):
        found = _from_to(lower, first, last)
        if found:
            yield found
            if _INCLUDED.search(lower, *sentence):
                begins, ends = map(date.fromisoformat, found.value)
                value = {"amount": (ends - begins).days + 1, "unit": "day"}
                yield Reading("duration", value, found.span, why=f"{found.why}, both ends included")
    for match in _FOR.finditer(lower, *sentence):
        length = read_length(match["length"])
        start = _start(lower, match, days)
        if start is None or start.span[1] > match.start() > start.span[0] - 6:
            continue
        if length is None or length.minutes or start.day is None:
            continue
        if match.group().startswith(("took", "last", "stay", "spent")):
            over = length.after(start.day)
            yield on_day(over, match.span(), match.group(), base=(start.span,), confidence=0.7)
        end = length.after(start.day) - timedelta(1)
        if end > start.day and not match.group().startswith(("stay", "spent")):
            yield over_days(
                start.day, end, match.span(), match.group(), base=(start.span,), confidence=0.85
            )


def aligned(lower: str, readings: Sequence[Reading]) -> list[Reading]:
    """Put the first weekday of `Monday to Wednesday last week` into the week of the second.

    Weekdays that say when something is open as a rule are dropped.
    """
    found = list(readings)
    for number, (first, last) in enumerate(pairwise(readings)):
        is_pair = first.why in WEEKDAYS and last.why.split()[0] in WEEKDAYS
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


def _bare_number(lower: str, last: Reading) -> Iterator[Reading]:
    """Read the `3` of `from 3 to 14 June` and the `14` of `June 3-14`."""
    if not last.day or not _WRITTEN.search(lower[slice(*last.span)]):
        return
    before = _NUMBER_TO.search(lower, max(0, last.span[0] - 14), last.span[0])
    after = _TO_NUMBER.match(lower, last.span[1]) if not before else None
    found = before or after
    if not found:
        return
    number = int(found[1])
    try:
        other = last.day.replace(day=number)
    except ValueError:
        return
    first, end = (other, last.day) if before else (last.day, other)
    if first < end:
        span = (min(found.start(), last.span[0]), max(found.end(), last.span[1]))
        why = lower[slice(*span)]
        yield on_day(other, span, why, base=last.base)
        if before is None or "and" not in found.group():
            yield over_days(first, end, span, why, base=last.base)


def _from_to(lower: str, first: Reading, last: Reading) -> Reading | None:
    gap = lower[first.span[1] : last.span[0]]
    before = lower[max(0, first.span[0] - 20) : first.span[0]]
    opened = _BETWEEN.search(before) or lower[slice(*first.span)].startswith(("from ", "between "))
    linked = _TO.fullmatch(gap) or (opened and "between" in before and _AND.fullmatch(gap))
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
    bases = {span for day in days for span in day.base}
    days = [day for day in days if day.span not in bases]
    for day in sorted(days, key=lambda each: abs(each.span[0] - match.start())):
        before = lower[max(0, day.span[0] - 40) : day.span[0]]
        inside = lower[slice(*day.span)].startswith(("from ", "since "))
        if _STARTING.search(before) or inside:
            return day
    for day in days:
        if _BESIDE.fullmatch(lower[day.span[1] : match.start()]):
            return day
    return None
