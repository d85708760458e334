"""What weekdays and names of days mean, seen from the day of a message."""

from __future__ import annotations

import re
from datetime import date, timedelta

from leadline.enrichers.calendars import (
    WEEKDAYS,
    add_months,
    month_end,
    week_of,
    weekday_after,
    weekday_before,
    weekday_number,
)
from leadline.enrichers.date_rules import nearest
from leadline.enrichers.lengths import read_length
from leadline.enrichers.scenes import (
    Reading,
    Scene,
    clause_around,
    on_day,
)
from leadline.enrichers.tenses import tense_at

_DAY = timedelta(1)
_TURNS = {
    "yesterday": -1,
    "last night": -1,
    "the night before last": -2,
    "night before last": -2,
    "tomorrow": 1,
    "tmrw": 1,
    "tmr": 1,
    "day after tomorrow": 2,
    "day before yesterday": -2,
}
_IDIOM = re.compile(
    r"\s(?:never\s(?:comes|dies|knows)|is\sanother\sday)|['’]s\s(?:news|man|men|world|leaders|child)\b"
)
_IDIOM_BEFORE = re.compile(
    r"(?:\bno|\bborn|\bhere|\bof|\bthe\sbeatles['’]?|\blike\sit\swas|\bweren['’]t\sborn|\bwasn['’]t\sborn)\s$"
)
_WORKS = re.compile(
    r"\b(?:called|titled|entitled|song|film|movie|album|novel|sang|sings?|singing|hum\w*|about)\s$"
)
_HABIT = re.compile(
    r"\b(?:every|each|any|some|another|one|a|most|which|other|alternate|man|girl|happy|freaky|casual|two|three|these|those|no)\s$"
)
_NAMING = re.compile(r"\s(?:is|was)\s(?:the\sname|called|named|a\s(?:cat|dog|song|book|film))")
_COUNTS = ("two", "three", "four", "five", "six")


def read_turn(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `yesterday`, `the day after tomorrow`, `tonight`."""
    word = match["turn"]
    start = match.start("turn")
    if scene.today is None or _is_title(scene, start) or _is_capital(scene, start, match.end()):
        return None
    if _IDIOM.match(scene.lower, match.end()) or _IDIOM_BEFORE.search(
        scene.lower, max(0, start - 18), start
    ):
        return None
    if word in _TURNS:
        return on_day(scene.today + _TURNS[word] * _DAY, match.span(), word)
    return on_day(scene.today, match.span(), word, confidence=0.6)


def read_weekday(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `Friday`, `last Tuesday`, `Monday week`, `the Monday before last`, `Friday the 3rd`."""
    today = scene.today
    if today is None or not _names_weekday(match, scene):
        return None
    number = weekday_number(match["weekday"])
    which = (match["which"] or "").removeprefix("the ")
    tail = match["tail"] or ""
    span = match.span()
    if match["on_day"]:
        return _weekday_and_day(match, scene, number)
    week = re.search(r"\b(last|next)\sweek,?\s(?:on\s)?$", scene.lower[: match.start()])
    if week and not which and not tail:
        monday = week_of(today)[0] + _weeks(week[1])
        return on_day(monday + number * _DAY, span, f"{week.group()}{match.group()}")
    if which in ("following", "previous"):
        if not scene.event or not scene.event.day:
            return None
        step = weekday_after if which == "following" else weekday_before
        return on_day(step(scene.event.day, number), span, match.group(), base=(scene.event.span,))
    if not which and not tail and scene.lower[: span[0]].endswith("the "):
        return _definite(match, scene, number)
    tense = scene.tense(span)
    past = which in ("last", "past", "this past") or tail in ("gone", "just gone", "last")
    past = past or tail == "before last"
    if not past and (not which or which == "this") and not tail:
        past = tense == "past"
    if which == "this":
        past = (
            tense_at(scene.lower, *clause_around(scene.lower, scene.near(span), span), span[0])
            == "past"
        )
    day = weekday_before(today, number) if past else weekday_after(today, number)
    confidence = 0.9
    if not past and scene.lower[span[1] : span[1] + 2] != "" and which == "this":
        day = today if today.weekday() == number else day
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
    back = match["ago"] is not None or word == "yesterday" or " last " in match.group()
    if word in _TURNS or word in ("today", "tonight"):
        start = today + _TURNS.get(word, 0) * _DAY
    else:
        number = weekday_number(word)
        start = weekday_before(today, number) if back else weekday_after(today, number)
    return on_day(length.after(start, -1 if back else 1), match.span(), match.group())


def read_dayname(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `two Fridays ago`, `this time next week`."""
    today = scene.today
    if today is None:
        return None
    if match["time_way"]:
        sign = -1 if match["time_way"] == "last" else 1
        unit = match["time_unit"]
        months = {"month": 1, "year": 12}.get(unit, 0)
        day = add_months(today, sign * months) + timedelta(0 if months else 7 * sign)
        return on_day(day, match.span(), match.group(), confidence=0.7)
    number = _whole(match["many"])
    weekday = weekday_number(match["days"])
    if match["days_way"] == "ago":
        day = weekday_before(today, weekday) - timedelta(7 * (number - 1))
    else:
        day = weekday_after(today, weekday) + timedelta(7 * (number - 1))
    return on_day(day, match.span(), match.group())


def _whole(word: str) -> int:
    return int(word) if word.isdigit() else _COUNTS.index(word) + 2


def _names_weekday(match: re.Match[str], scene: Scene) -> bool:
    text, lower = scene.text, scene.lower
    start, end = match.start("weekday"), match.end("weekday")
    if match.group().endswith("s") and not match["tail"] and text[end : end + 1] == "s":
        return False
    if _HABIT.search(lower, max(0, start - 12), start) and not match["which"]:
        return False
    if text[match.end() : match.end() + 1] in ("-", "(") or text[start - 1 : start] == "-":
        return False
    if _NAMING.match(lower, end) or lower[:start].endswith(("subject: ", "re: ", "called ")):
        return False
    if match["weekday"] not in WEEKDAYS and (
        not text[start].isupper()
        or (
            re.match(r"\s[a-z]+(?<!night)(?<!morning)", text[end:]) is not None
            and not re.match(
                r"\s(?:night|morning|evening|at|and|to|or|on|for|the|if|from)\b", text[end:]
            )
        )
    ):
        return False
    return not _is_title(scene, start)


def _is_title(scene: Scene, start: int) -> bool:
    """Tell whether a capital word stands right before, as in `Man Friday` or `Freaky Friday`."""
    before = re.search(r"([\w'’]+)\s$", scene.text[max(0, start - 25) : start])
    if not before or not scene.text[start].isupper():
        # a day in capitals in the middle of a sentence, yet no weekday: a song, a film, a product
        return False
    word = before[1]
    at = start - len(word) - 1
    opens = at <= scene.sentence[0] or scene.text[:at].rstrip()[-1:] in (
        "",
        ".",
        ":",
        "!",
        "?",
        "-",
    )
    return word[0].isupper() and len(word) > 1 and not opens and not word.isupper()


def _is_capital(scene: Scene, start: int, end: int) -> bool:
    """Tell whether a capital marks the name of a song or a film, not a day."""
    if not scene.text[start].isupper():
        return False
    before = scene.lower[max(0, start - 16) : start]
    return scene.text[end : end + 2] == " (" or _WORKS.search(before) is not None


def _definite(match: re.Match[str], scene: Scene, number: int) -> Reading | None:
    """Read `the Tuesday`: the one at or after the day spoken of."""
    if scene.today and (not scene.event or scene.event.span == scene.message.stamp):
        past = scene.tense(match.span()) == "past"
        day = (weekday_before if past else weekday_after)(scene.today, number)
        return on_day(day, match.span(), match.group(), confidence=0.6)
    if not scene.event or not scene.event.day:
        return None
    day = weekday_after(scene.event.day - _DAY, number)
    base = (scene.event.span,)
    return on_day(day, match.span(), match.group(), confidence=0.7, base=base)


def _weekday_and_day(match: re.Match[str], scene: Scene, number: int) -> Reading | None:
    today = scene.today
    assert today is not None
    day, days = int(match["on_day"]), []
    for step in range(-12, 13):
        month = add_months(date(today.year, today.month, 1), step)
        if day <= month_end(month.year, month.month).day:
            candidate = date(month.year, month.month, day)
            if candidate.weekday() == number:
                days.append(candidate)
    chosen = nearest(days, today, scene.tense(match.span()))
    return on_day(chosen, match.span(), match.group()) if chosen else None


def _weeks(word: str) -> timedelta:
    return timedelta(7 * {"last": -1, "next": 1}.get(word, 0))
