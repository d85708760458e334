"""Ages, birthdays and anniversaries: the year or day they count from, and ages at dated events."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from fractions import Fraction

from leadline.enrichers.calendars import add_months, month_number
from leadline.enrichers.lengths import COUNT_PATTERN, read_count
from leadline.enrichers.number_words import read_number
from leadline.enrichers.scenes import Reading, Scene, Span, in_month, on_day
from leadline.enrichers.written_dates import day_number

_JUBILEES = {
    "tin": 10,
    "crystal": 15,
    "china": 20,
    "silver": 25,
    "pearl": 30,
    "coral": 35,
    "ruby": 40,
    "sapphire": 45,
    "golden": 50,
    "emerald": 55,
    "diamond": 60,
    "platinum": 70,
    "centenary": 100,
    "centennial": 100,
    "sesquicentennial": 150,
    "bicentenary": 200,
    "bicentennial": 200,
    "tercentenary": 300,
}
_ORDINAL = r"\d{1,3}(?:st|nd|rd|th)|[a-z]+(?:-[a-z]+)?(?:st|nd|rd|th)|first|second|third"
_COUNTED = re.compile(
    rf"\bturn(?:s|ed|ing)?\s(?P<turned>{COUNT_PATTERN})\b(?!\s?(?:%|[a-z]*(?:minutes|hours|pages|points)))"
    rf"|\b(?P<nth>{_ORDINAL})\s(?:wedding\s)?(?P<feast>birthdays?|anniversary)\b"
    rf"|\b(?P<jubilee>{'|'.join(_JUBILEES)})(?:\s(?:wedding(?:\sanniversary)?|anniversary|jubilee))"
    r"|\b(?P<alone>centenary|centennial|sesquicentennial|bicentenary|bicentennial|tercentenary)\b"
    rf"|(?:\b(?:i|he|she)(?:['’]m|['’]s)|\b(?:is|am|was|be|being))\s(?P<today>{COUNT_PATTERN})"
    r"(?=,?\s(?:today|tomorrow|yesterday|on|next|this|last|in\s[a-z]+(?:uary|ch|il|may|ne|ly|st|er))\b)"
    rf"|\b(?P<running>{_ORDINAL})\s(?:year|time)\s(?:running|in\sa\srow)\b"
)
_TRIGGER = re.compile(
    r"\b(?:turn(?:s|ed|ing)?\s|birthday|anniversary|wedding|jubilee|\w{0,8}centen|aged?\s|then\s\w+,"
    r"|(?:year|time)\s(?:running|in\sa)|(?:be|is|am|was|being)\s[a-z\d-]+,?\s(?:to|yes|on|next|this|last|in)"
    r"|(?:i['’]m|s?he['’]s)\s[a-z\d-]+\s(?:to|on|next|this|last|in))"
)
_AGED = re.compile(
    rf"(?:\baged\s|,\sthen\s(?:aged\s)?|\bat\s(?:the\sage\sof\s)|\bwas\sthen\s)(?P<age>{COUNT_PATTERN})\b"
)
_BIRTHDAY_MONTH = re.compile(
    r"\bbirthday\s(?:is|falls|was)\s(?:in|on\s(?:the\s)?\d*(?:st|nd|rd|th)?\s?(?:of\s)?)\s?(?P<month>[a-z]+)\b"
)
_BIRTHDAY_PAST = re.compile(
    r"birthday\s(?:had|has)\s(?:just\s|already\s)?(?:fallen|been|passed|gone)"
    r"|\b(?:a|one|two|three)?\s?(?:days?|weeks?)\safter\s(?:his|her|my)\sbirthday"
)
_BORN = re.compile(r"\bborn\s(?:on\s)?(?:the\s)?$")


def read_ages(scene: Scene, sentence: Span, readings: Sequence[Reading]) -> Iterator[Reading]:
    """Yield what birthdays and anniversaries of a sentence tell of the day they count from.

    readings  of the sentence, left to right
    """
    lower = scene.lower
    if not _TRIGGER.search(lower, *sentence):
        return
    for match in _COUNTED.finditer(lower, *sentence):
        years = _years(match)
        if years and 0 < years <= 300:
            yield from _first_time(scene, match, years, readings)
    yield from _from_age(scene, sentence, readings)


def read_ages_at(scene: Scene, born: Reading, readings: Sequence[Reading]) -> Iterator[Reading]:
    """Yield the age at each later dated event of someone whose day of birth is told."""
    for reading in readings:
        if reading.role != "stated" or not born.day or not reading.day:
            continue
        if reading.day > born.day:
            yield Reading(
                "age",
                _age(born.day, reading.day),
                reading.span,
                confidence=0.7,
                base=(born.span,),
                why=f"born {born.why}, {reading.why}",
            )


def birth_in(scene: Scene, readings: Sequence[Reading]) -> Reading | None:
    """Return the day of birth that a sentence tells."""
    for reading in readings:
        start = reading.span[0]
        if reading.day and _BORN.search(scene.lower, max(0, start - 16), start):
            return reading
    return None


def _years(match: re.Match[str]) -> int | None:
    if word := match["jubilee"] or match["alone"]:
        return _JUBILEES[word]
    if nth := match["nth"] or match["running"]:
        number = _ordinal(nth)
        return number - 1 if number and match["running"] else number
    return _whole(read_count(match["turned"] or match["today"]))


def _ordinal(word: str) -> int | None:
    try:
        return day_number(word)
    except ValueError:
        pass
    stem = re.sub(r"ieth$", "y", word)
    if stem != word:
        return _whole(read_number(stem))
    tens, _, ones = word.partition("-")
    if not ones:
        return None
    try:
        unit = day_number(ones)
    except ValueError:
        return None
    base = read_number(tens)
    return int(base) + unit if base else None


def _whole(number: Fraction | None) -> int | None:
    return int(number) if number is not None and number.denominator == 1 else None


def _first_time(
    scene: Scene, match: re.Match[str], years: int, readings: Sequence[Reading]
) -> Iterator[Reading]:
    """Count back from the day, month or year that stands closest in the sentence."""
    span = match.span()
    headed = [each for each in readings if each.span != scene.message.stamp]
    near = min(headed, key=lambda each: _distance(each.span, span), default=None)
    why = scene.lower[slice(*span)]
    if match["running"]:
        if scene.today:
            yield Reading("year", str(scene.today.year - years), span, confidence=0.7, why=why)
        return
    if near is None or _distance(near.span, span) > (9 if match["today"] else 160):
        if scene.today and re.search(r"\bthis\syear\b", scene.lower[slice(*scene.near(span))]):
            year = scene.today.year - years
            yield Reading("year", str(year), span, confidence=0.8, why=why)
        return
    base = (near.span,)
    if near.day:
        first = add_months(near.day, -12 * years)
        yield on_day(first, span, why, base=base, confidence=0.8)
        yield Reading("year", str(first.year), span, base=base, confidence=0.6, why=why)
    elif near.kind == "month":
        year, month = (int(part) for part in near.value.split("-"))
        yield in_month(year - years, month, span, why, base=base, confidence=0.8)
        yield Reading("year", str(year - years), span, base=base, confidence=0.8, why=why)
    elif near.kind == "year":
        year = int(near.value) - years
        yield Reading("year", str(year), span, base=base, confidence=0.8, why=why)


def _from_age(scene: Scene, sentence: Span, readings: Sequence[Reading]) -> Iterator[Reading]:
    """Take an age on a dated day, with the month of the birthday, back to the year of birth."""
    match = _AGED.search(scene.lower, *sentence)
    days = [each for each in readings if each.day]
    age = match and _whole(read_count(match["age"]))
    if not match or not days or age is None:
        return
    told = days[0]
    assert told.day is not None
    after = scene.lower[sentence[0] : sentence[1] + 160]
    base, why = (told.span,), match.group().strip(", ")
    if _BIRTHDAY_PAST.search(after):
        year = str(told.day.year - age)
        yield Reading("year", year, match.span(), base=base, confidence=0.8, why=why)
    elif found := _BIRTHDAY_MONTH.search(after):
        try:
            month = month_number(found["month"])
        except StopIteration:
            return
        if month == told.day.month:
            return
        number = told.day.year - age - (month > told.day.month)
        yield in_month(number, month, match.span(), why, base=base, confidence=0.8)
        yield Reading("year", str(number), match.span(), base=base, confidence=0.8, why=why)


def _age(born: date, day: date) -> int:
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


def _distance(one: Span, other: Span) -> int:
    return max(one[0] - other[1], other[0] - one[1], 0)
