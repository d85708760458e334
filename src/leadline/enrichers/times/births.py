"""How old someone is on each dated day of a text that tells when they were born."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from leadline.enrichers.times.scenes import Reading, Scene, Span

_BORN = re.compile(
    r"\b(?:born|birth(?:date)?|d\.?\s?o\.?\s?b\.?|b\.|n[ée]e|delivered|(?:came|come)\sinto\s(?:the|this)\sworld|saw\sthe\slight"
    r"|(?:whose|his|her|my|their|the|[a-z]+['’]s)\sbirthday(?:\s(?:is|was)|,|:))[^.;!?\n\d]{0,40}$"
)
_ANNIVERSARY = re.compile(r"\b(?:anniversary|centenary|bicentenary|centennial)\s(?:of\s)?")
_LIFE = re.compile(r"\((?:born\s|b\.\s|\*\s?)?$")
_TO_DEATH = re.compile(r"\s?(?:[-–—]|to|,?\s?(?:†|d\.|died))\s?(?:on\s)?")
_OLDEST = 110
_REACH = 600
"""Characters. A birth told further away is not likely that of the person at hand."""


def birth_in(scene: Scene, readings: Sequence[Reading]) -> Reading | None:
    """Return the day or month of birth that a sentence tells."""
    lower = scene.lower
    for number, reading in enumerate(readings):
        if reading.role == "alternative" or not (reading.day or reading.kind == "month"):
            continue
        # `b.` may close a sentence before the date
        start = max(scene.message.body, readings[number - 1].span[1] if number else 0)
        lead = lower[max(start, reading.span[0] - 70) : reading.span[0]]
        if _BORN.search(lead) and not _ANNIVERSARY.search(lead):
            return reading
        if _LIFE.search(lead) and number + 1 < len(readings):
            after = readings[number + 1]
            if reading.day and after.day and reading.role == after.role == "stated":
                gap = lower[reading.span[1] : after.span[0]]
                if _TO_DEATH.fullmatch(gap) and lower.startswith(")", after.span[1]):
                    return reading
    return None


def read_ages_at(scene: Scene, sentence: Span, readings: Sequence[Reading]) -> Iterator[Reading]:
    """Yield the age at each dated event of someone whose day or month of birth is told.

    readings  of the sentence. A birth told in it also dates what was told before it in the message
    """
    new = birth_in(scene, readings)
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


def _age(born: Reading, event: Reading) -> int | None:
    """Return the whole years between two days, or months where their order in the year tells."""
    if born.kind == event.kind == "date":
        start, end = date.fromisoformat(born.value), date.fromisoformat(event.value)
        return end.year - start.year - ((end.month, end.day) < (start.month, start.day))
    if not {born.kind, event.kind} <= {"date", "month"}:
        return None
    (year, month), (end_year, end_month) = (
        [int(part) for part in str(each.value).split("-")[:2]] for each in (born, event)
    )
    return end_year - year - (end_month < month) if month != end_month else None
