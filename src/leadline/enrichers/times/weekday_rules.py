"""What weekdays and names of days mean, seen from the day of a message."""

from __future__ import annotations

import re
from datetime import timedelta

from leadline.enrichers.read.times.calendars import (
    week_of,
    weekday_after,
    weekday_before,
    weekday_number,
)
from leadline.enrichers.read.times.lengths import read_length
from leadline.enrichers.read.times.tenses import tense_at
from leadline.enrichers.times.scenes import (
    Reading,
    Scene,
    clause_around,
    on_day,
)
from leadline.enrichers.times.weekday_names import names_weekday
from leadline.enrichers.words import listed, patterns, rows

_DAY = timedelta(1)
_TURNS = {word: int(days) for days, words in rows("turns") for word in listed(words)}
_P = patterns("weekday_rules")
_IDIOM = re.compile(_P["idiom"])


def read_turn(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `yesterday`, `the day after tomorrow`, `tonight`."""
    word = match["turn"]
    if scene.today is None or _IDIOM.match(scene.lower, match.end()):
        return None
    if tail := match["turn_tail"]:
        days = _TURNS.get(word, 0) + (7 if tail == "week" else 14)
        return on_day(scene.today + days * _DAY, match.span(), match.group())
    if word in _TURNS:
        return on_day(scene.today + _TURNS[word] * _DAY, match.span(), word)
    # the date of today stands in the text
    return on_day(scene.today, match.span(), word, confidence=0.6, role="stated")


def read_weekday(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `Friday`, `last Tuesday`, `Monday week`, `the Monday before last`, `Friday the 3rd`."""
    today = scene.today
    if today is None or not names_weekday(match, scene):
        return None
    number = weekday_number(match["weekday"])
    which = (match["which"] or "").removeprefix("the ")
    tail = match["tail"] or ""
    span = match.span()
    week = re.search(r"\b(last|next)\sweek,?\s(?:on\s)?$", scene.lower[: match.start()])
    if week and not which and not tail:
        monday = week_of(today)[0] + _weeks(week[1])
        return on_day(monday + number * _DAY, span, f"{week.group()}{match.group()}")
    if match["in_week"] and which in ("last", "next", "this"):
        return on_day(week_of(today)[0] + _weeks(which) + number * _DAY, span, match.group())
    if which in ("following", "previous") or which.startswith(("that", "same")):
        if not scene.event or not scene.event.day:
            return None
        if which.startswith(("that", "same")):
            day = weekday_after(scene.event.day - _DAY, number)
            return on_day(day, span, match.group(), confidence=0.8, base=(scene.event.span,))
        step = weekday_after if which == "following" else weekday_before
        return on_day(step(scene.event.day, number), span, match.group(), base=(scene.event.span,))
    if not which and not tail and scene.lower[: span[0]].endswith("the "):
        return _definite(match, scene, number)
    tense = scene.tense(span)
    past = which in ("last", "past", "this past") or tail in ("gone", "just gone", "last")
    past = past or tail in ("before last", "past", "just past")
    if tail == "next":
        which = "next"
    if not past and (not which or which == "this") and not tail:
        past = tense == "past"
    if which == "this":
        past = (
            tense_at(scene.lower, *clause_around(scene.lower, scene.near(span), span), span[0])
            == "past"
        )
    day = weekday_before(today, number) if past else weekday_after(today, number)
    confidence = 0.9
    if not past and which == "this" and today.weekday() == number:
        day = today
    if tail in ("before last", "after next", "week", "fortnight"):
        day += {"before last": -7, "after next": 7, "week": 7, "fortnight": 14}[tail] * _DAY
    elif tail.endswith("week"):
        monday = week_of(today)[0] + _weeks(tail.removeprefix("of ").split()[0])
        day = monday + number * _DAY
    elif which in ("last", "next") and week_of(day) == week_of(today):
        confidence = 0.5
    if not which and not tail and not tense:
        confidence = 0.6
    return on_day(day, span, match.group(), confidence=confidence)


def read_counted(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `a week on Thursday`, `a month ago today`, `a fortnight tomorrow`."""
    today, length = scene.today, read_length(match["counted"])
    if today is None or length is None or scene.lower[: match.start()].endswith("for "):
        return None
    word = match["counted_from"]
    near = scene.near(match.span())
    start, end = clause_around(scene.lower, near, match.span())
    told = re.search(r"\b(?:gone|been)\b", scene.lower[start : match.start()])
    told = told or re.match(r"\s(?:since|that)\b", scene.lower[match.end() : end])
    back = match["ago"] is not None or word == "yesterday" or " last " in match.group()
    if told and not back:
        turns = word in _TURNS or word in ("today", "tonight")
        day = (
            today + _TURNS.get(word, 0) * _DAY
            if turns
            else weekday_after(today, weekday_number(word))
        )
        return on_day(length.after(day, -1), match.span(), match.group())
    if word in _TURNS or word in ("today", "tonight"):
        begins = today + _TURNS.get(word, 0) * _DAY
    else:
        number = weekday_number(word)
        begins = weekday_before(today, number) if back else weekday_after(today, number)
    return on_day(length.after(begins, -1 if back else 1), match.span(), match.group())


def _definite(match: re.Match[str], scene: Scene, number: int) -> Reading | None:
    """Read `the Tuesday`: the one at or after the day spoken of, or of its week or the next."""
    if scene.today and (not scene.event or scene.event.span == scene.message.stamp):
        past = scene.tense(match.span()) == "past"
        day = (weekday_before if past else weekday_after)(scene.today, number)
        return on_day(day, match.span(), match.group(), confidence=0.6)
    if not scene.event or not scene.event.day:
        return None
    day = weekday_after(scene.event.day - _DAY, number)
    base = (scene.event.span,)
    return on_day(day, match.span(), match.group(), confidence=0.7, base=base)


def _weeks(word: str) -> timedelta:
    return timedelta(7 * {"last": -1, "next": 1}.get(word, 0))
