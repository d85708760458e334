"""Ages, birthdays and anniversaries: the year or day they count from, and ages at dated events."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from fractions import Fraction

from leadline_facts.propose.times.scenes import Reading, Scene, Span, in_month, on_day
from leadline_facts.read.times.calendars import add_months, years_between
from leadline_facts.read.times.lengths import COUNT_PATTERN, read_count
from leadline_facts.read.times.written_dates import WORDED_PATTERN, day_number
from leadline_facts.words import patterns

_JUBILEES = {
    "silver jubilee": 25, "golden jubilee": 50, "diamond jubilee": 60, "platinum jubilee": 70,
    "centenary": 100, "centennial": 100, "bicentenary": 200, "bicentennial": 200,
}  # fmt: skip
_P = patterns(
    "ages",
    count_pattern=COUNT_PATTERN,
    worded_pattern=WORDED_PATTERN,
    jubilees="|".join(_JUBILEES),
)
_FIND_COUNTED = re.compile(_P["counted"])
_TRIGGER = re.compile(_P["trigger"])
_BORN = re.compile(_P["born"])
_OLDEST = 110
_REACH = 600
"""Characters. A birth told further away is not likely that of the person at hand."""


def read_ages(scene: Scene, sentence: Span, readings: Sequence[Reading]) -> Iterator[Reading]:
    """Yield what birthdays and anniversaries of a sentence tell of the day they count from.

    readings  of the sentence, left to right
    """
    if not _TRIGGER.search(scene.lower, *sentence):
        return
    for match in _FIND_COUNTED.finditer(scene.lower, *sentence):
        years = _years(match)
        if years and 0 < years <= 300:
            yield from _first_time(match, years, readings)


def _years(match: re.Match[str]) -> int | None:
    if match["nth"]:
        return day_number(match["nth"])
    if match["jubilee"]:
        return _JUBILEES[match["jubilee"]]
    return _whole(read_count(match["turned"] or match["today"] or match["standing"]))


def _whole(number: Fraction | None) -> int | None:
    return int(number) if number is not None and number.denominator == 1 else None


def _first_time(match: re.Match[str], years: int, readings: Sequence[Reading]) -> Iterator[Reading]:
    """Count back from the time told beside an anniversary."""
    span, why = match.span(), match.group()
    told = [each for each in readings if not span[0] <= each.span[0] < span[1]]
    near = min(told, key=lambda each: _distance(each.span, span), default=None)
    if near is None or _distance(near.span, span) > (12 if match["today"] else 160):
        return
    base = (near.span,)
    if near.day:
        first = add_months(near.day, -12 * years)
        if first.day != near.day.day:
            return  # nobody born on 28 February has a birthday on the 29th
        yield on_day(first, span, why, base=base, confidence=0.8)
        yield Reading("year", str(first.year), span, base=base, confidence=0.6, why=why)
    elif near.kind in ("month", "year"):
        year = int(near.value[:4]) - years
        if near.kind == "month":
            yield in_month(year, int(near.value[5:]), span, why, base=base, confidence=0.8)
        yield Reading("year", str(year), span, base=base, confidence=0.8, why=why)


def read_ages_at(scene: Scene, sentence: Span, readings: Sequence[Reading]) -> Iterator[Reading]:
    """Yield the age at each dated event of someone whose day or month of birth is told.

    readings  of the sentence. A birth told in it also dates what was told before it in the message
    """
    new = _birth_in(scene, readings)
    born = scene.born = new or scene.born
    if born is None or sentence[0] - born.span[1] > _REACH:
        return
    events = list(readings)
    if new:
        first = max(scene.message.body, sentence[0] - _REACH)
        events += [each for each in scene.recent() if first <= each.span[0] < sentence[0]]
    for event in events:
        if event.role == "alternative" or event.span == born.span:
            continue
        age = _age(born, event)
        if age is not None and 0 < age <= _OLDEST:
            why = f"born {born.why}, {event.why}"
            yield Reading("age", age, event.span, confidence=0.7, base=(born.span,), why=why)


def _birth_in(scene: Scene, readings: Sequence[Reading]) -> Reading | None:
    """Return the day or month of birth that a sentence tells."""
    start = scene.message.body  # `b.` may close a sentence before the date
    for reading in readings:
        lead = scene.lower[max(start, reading.span[0] - 70) : reading.span[0]]
        start = reading.span[1]
        if (
            reading.role != "alternative"
            and reading.kind in ("date", "month")
            and _BORN.search(lead)
        ):
            return reading
    return None


def _age(born: Reading, event: Reading) -> int | None:
    """Return the whole years between two days, or months where their order in the year tells."""
    if born.kind == event.kind == "date":
        start, end = date.fromisoformat(born.value), date.fromisoformat(event.value)
        return years_between(start, end)
    if not {born.kind, event.kind} <= {"date", "month"}:
        return None
    (year, month), (end_year, end_month) = (
        [int(part) for part in str(each.value).split("-")[:2]] for each in (born, event)
    )
    return end_year - year - (end_month < month) if month != end_month else None


def _distance(one: Span, other: Span) -> int:
    return max(one[0] - other[1], other[0] - one[1], 0)
