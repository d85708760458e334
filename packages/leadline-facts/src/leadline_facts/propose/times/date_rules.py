"""Holidays, and written dates without a year."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from leadline_facts.propose.times.scenes import Reading, Scene, on_day
from leadline_facts.read.times.holidays import holiday_date
from leadline_facts.read.times.tenses import Tense
from leadline_facts.read.times.written_dates import WrittenDate, read_written_date
from leadline_facts.words import patterns

_SEASONAL = {"christmas", "xmas", "easter", "halloween", "thanksgiving", "pentecost"}
_P = patterns("date_rules")
_AT = re.compile(_P["at"])
_FEAST_THING = re.compile(_P["feast_thing"])
_GREETING = re.compile(_P["greeting"])
_ON = re.compile(r"\b(?:on|since|from)\s(?:the\s)?(?:\w+day,?\s)?$")
_YEAR = _P["year"]
_YEAR_BEFORE = re.compile(rf"\({_YEAR},\s$")
_YEAR_AFTER = re.compile(_P["year_after"])
"""`(2020, August 27)`, `22 February to 3 March 2016`, `August 28-30, 1862`."""
_LOOKS_BACK = re.compile(r"\b(?:had|after|following|having|before|since|from)\b")


def read_holiday(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `on Labor Day`, `last Christmas`, `Ash Wednesday, 2022`."""
    span, name, why = match.span(), match["holiday"], match.group()
    said, which = match["feast_year"] or "", match["which_feast"] or ""
    before = scene.lower[max(0, span[0] - 14) : span[0]]
    if _GREETING.search(before) or _FEAST_THING.match(scene.lower, span[1]):
        return None
    if scene.event and scene.lower[scene.event.span[1] : span[0]] == ", ":
        return None  # `31 August 2011, Independence Day`: the date is there
    if name in _SEASONAL and not said and not which and not _AT.search(before):
        return None
    today = scene.today or _told_in_passing(scene)
    if said[:1].isdigit() or said.endswith("year"):
        step = {"last": -1, "next": 1}.get(said.split()[0], 0)
        year = int(said) if said.isdigit() else today.year + step if today else None
        day = holiday_date(name, year) if year else None
        return on_day(day, span, why) if day else None
    if today is None:
        return None
    tense = scene.tense(span)
    if said or which in ("last", "next"):
        tense = "future" if "next" in (said, which) else "past"
    years = range(today.year - 4, today.year + 5)
    found = (holiday_date(name, year) for year in years)
    chosen = nearest([day for day in found if day], today, tense)
    return on_day(chosen, span, why, confidence=0.8) if chosen else None


def read_date(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read a written date; the year, where it is missing, is the nearest that fits the tense."""
    span = match.span()
    found = read_written_date(scene.text, *span)
    if found is None:
        return None
    if full := found.full():
        return on_day(full, span, match.group(), role="stated", confidence=1.0)
    told = _told_in_passing(scene)
    today = told or scene.today or scene.message.day
    beside = _YEAR_BEFORE.search(scene.lower, max(0, span[0] - 9), span[0])
    if beside := beside or _YEAR_AFTER.match(scene.lower, span[1]):
        day = _in_year(found, int(beside[1])) if found.year is None else None
        return on_day(day, span, match.group()) if day else None
    if found.year is not None or today is None:
        return None
    tense = "" if told else scene.tense(span, alone=True)
    days = [day for step in (-1, 0, 1) if (day := _in_year(found, today.year + step))]
    if found.weekday is not None:
        days = [day for day in days if day.weekday() == found.weekday]
    if told and not _LOOKS_BACK.search(scene.lower, scene.sentence[0], span[0]):
        days = [day for day in days if day >= told]  # a story goes on
    chosen = nearest(days, today, tense)
    return on_day(chosen, span, match.group()) if chosen else None


def nearest(days: Iterable[date], today: date | None, tense: Tense) -> date | None:
    """Return the nearest day; one that does not fit the tense only where it is nearer by far."""
    if today is None:
        return None
    back, ahead = _FARTHER[tense]
    return min(days, key=lambda day: max((today - day) * back, (day - today) * ahead), default=None)


_FARTHER: dict[Tense, tuple[int, int]] = {"past": (1, 10), "future": (10, 1), "": (2, 1)}
"""So many times as far off counts a day that lies back, and one that lies ahead."""


def _told_in_passing(scene: Scene) -> date | None:
    """Return the day told last, in a text whose first date is that of an event, not its own."""
    stamp = scene.message.stamp
    if stamp[0] < scene.message.body or scene.event is None:
        return None
    lead = scene.lower[max(0, stamp[0] - 16) : stamp[0]]
    return scene.event.day if scene.message.is_told or _ON.search(lead) else None


def _in_year(found: WrittenDate, year: int) -> date | None:
    try:
        return date(year, found.month, found.day)
    except ValueError:
        return None
