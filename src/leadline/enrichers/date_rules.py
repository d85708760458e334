"""Holidays, and written dates whose year the text leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from leadline.enrichers.calendars import (
    MONTH_PATTERN,
)
from leadline.enrichers.holidays import holiday_date
from leadline.enrichers.scenes import (
    Reading,
    Scene,
    Span,
    on_day,
)
from leadline.enrichers.tenses import Tense
from leadline.enrichers.written_dates import read_written_date

_SEASONAL = {"christmas", "xmas", "easter", "halloween", "thanksgiving", "pentecost"}
_AT = re.compile(
    r"\b(?:on|by|before|after|until|till|since|over|at|for|from|to|of|and|is|was|or|between|it['’]s)\s(?:the\s)?$"
)
_FEAST_THING = re.compile(
    r"[\s-](?:trees?|eggs?|bunn\w+|cards?|presents?|gifts?|cakes?|markets?|jumpers?|lights|carols?"
    r"|songs?|decorations?|holidays?|break|shopping|season|specials?|puddings?|bonus\w*|islands?"
    r"|stockings?|crackers?|lily|lilies|cookies|films?|movies?|albums?|dip|sales?|deals?|costumes?"
    r"|spirit|rush|menu|rising|play|concert|service|roast|pies?|resolutions?|sunday|weekend)\b"
)
_GREETING = re.compile(
    r"\b(?:happy|merry|blessed|white|every|each|most|like|father|a|(?<!eve\s)of|than)\s$"
)
_LINK = re.compile(r"\s?(?:to|until|till|through|and|–|—|-)\s?(?:the\s)?", re.IGNORECASE)


def read_holiday(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `on Labor Day`, `last Christmas`, `Ash Wednesday, 2022`."""
    span = match.span()
    said = match["feast_year"] or ""
    today = scene.today
    if _GREETING.search(scene.lower, max(0, span[0] - 10), span[0]) or _FEAST_THING.match(
        scene.lower, span[1]
    ):
        return None
    bare = match["holiday"] in _SEASONAL and not said and not match["which_feast"]
    if bare and not _AT.search(scene.lower, max(0, span[0] - 14), span[0]):
        return None
    if said[:1].isdigit():
        day = holiday_date(match["holiday"], int(said), scene.country)
        return on_day(day, span, match.group()) if day else None
    if today is None:
        return None
    if said:
        year = today.year + {"last": -1, "next": 1}.get(said.split()[0], 0)
        day = holiday_date(match["holiday"], year, scene.country)
        return on_day(day, span, match.group()) if day else None
    which = match["which_feast"] or ""
    tense = scene.tense(span)
    if which in ("last", "this past"):
        tense = "past"
    elif which in ("next", "this coming"):
        tense = "future"
    years = range(today.year - 4, today.year + 5)
    found = (holiday_date(match["holiday"], year, scene.country) for year in years)
    chosen = nearest([day for day in found if day], today, tense)
    return on_day(chosen, span, match.group(), confidence=0.8) if chosen else None


def read_date(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read a written date; the year, where it is missing, is the nearest that fits the tense."""
    span = match.span()
    found = read_written_date(scene.text, *span)
    if found is None or (found.year is None and _is_modal(scene, span)):
        return None
    full = found.full()
    if full:
        return on_day(full, span, match.group(), role="stated", confidence=1.0)
    if found.year is not None or scene.today is None:
        return None
    today = scene.today
    years = [today.year + step for step in (-1, 0, 1)]
    if linked := _year_after(scene, span[1]):
        years = [linked]
    days = []
    for year in years:
        try:
            days.append(date(year, found.month, found.day))
        except ValueError:
            continue
    if found.weekday is not None:
        days = [day for day in days if day.weekday() == found.weekday]
    tense: Tense = "" if linked else scene.tense(span)
    chosen = nearest(days, today, tense)
    return on_day(chosen, span, match.group()) if chosen else None


def nearest(days: Iterable[date], today: date | None, tense: Tense) -> date | None:
    """Return the nearest day not after (past) or not before (future) today, or nearest at all."""
    chosen = list(days)
    if today is None:
        return None
    if tense == "past":
        chosen = [day for day in chosen if day <= today] or chosen
    elif tense == "future":
        chosen = [day for day in chosen if day >= today] or chosen
    return min(chosen, key=lambda day: abs(day - today), default=None)


def _is_modal(scene: Scene, span: Span) -> bool:
    written = scene.text[slice(*span)]
    month = re.search(rf"\b{MONTH_PATTERN}\b", written, re.IGNORECASE)
    return month is not None and month.group() in ("may", "march", "mar", "dec", "jan")


def _year_after(scene: Scene, end: int) -> int | None:
    """Return the year that `22 February to 3 March 2016` gives to its first date."""
    link = _LINK.match(scene.lower, end)
    if not link:
        return None
    year = re.match(r"[\w,.\s]{3,24}?\b((?:1[5-9]|20)\d\d)\b", scene.lower[link.end() :])
    return int(year[1]) if year and re.search(MONTH_PATTERN, year.group()) else None
