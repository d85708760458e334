"""Resolve weekdays and names of days, relative to the day of a message."""

from __future__ import annotations

import re
from datetime import timedelta

from leadline_facts.propose.times.scenes import Reading, Scene, on_day
from leadline_facts.read.times.calendars import (
    WEEKDAYS,
    period_of,
    weekday_after,
    weekday_before,
    weekday_number,
)
from leadline_facts.read.times.lengths import read_length
from leadline_facts.words import listed, patterns, rows

_WORDS = frozenset(("sat", "sun", "mon", "wed"))
"""Short names of days that are words as well."""
_P = patterns("weekday_rules")
_OTHERWISE = re.compile(_P["otherwise"])
_DAY_GOES_ON = re.compile(_P["day_goes_on"])
_HABIT = re.compile(_P["habit"])
_PARTS_OF_HABIT = re.compile(_P["parts_of_habit"])
_THING = re.compile(_P["thing"])


def names_weekday(match: re.Match[str], scene: Scene) -> bool:
    """Tell whether a match of the shape `weekday` means one day of a week."""
    text, lower = scene.text, scene.lower
    start, end = match.start("weekday"), match.end("weekday")
    if _HABIT.search(lower, max(0, start - 24), start) and not match["which"]:
        return False
    if text[match.end() : match.end() + 1] in ("-", "(") or text[start - 1 : start] == "-":
        return False
    if lower[:start].endswith(("subject: ", "re: ", "called ")):
        return False
    if text[start].islower() and match["weekday"] not in WEEKDAYS and _is_chatty(scene, match):
        return True
    if re.match(r"\s?\d\d?\s?%|\s?[:=]\s?\d\d\b", lower[end:]) or re.search(
        r"\b(?:o2|spo2)\s$", lower[:start]
    ):
        return False
    if _THING.match(lower, end) or _PARTS_OF_HABIT.match(lower, end):
        return False
    if match["weekday"] in _WORDS and not _is_shortened(scene, start, end):
        return False
    return not (match["which"] and re.match(r"\s(?:of|in)\s(?:every|each|any|a)\b", lower[end:]))


def _is_shortened(scene: Scene, start: int, end: int) -> bool:
    """Tell whether `Sat` is a day: no verb at the head of a sentence, no `Sun` that shines."""
    text = scene.text
    if not text[start].isupper():
        return False
    opens = not re.search(r"[\w,&/+)]\s?$", text[max(0, start - 2) : start])
    return not (opens and re.match(r"\s[a-z]", text[end:]))


def _is_chatty(scene: Scene, match: re.Match[str]) -> bool:
    """Tell whether a lower-case `fri` or `sat` stands where only a day can."""
    if match["weekday"] not in _WORDS or match["which"] in ("last", "next", "this", "this coming"):
        return True
    before = scene.lower[max(0, match.start("weekday") - 14) : match.start("weekday")]
    if re.search(r"\b(?:how\swas|see\s(?:you|ya|u)|cya|free|until|till|til|since)\s$", before):
        return True
    rest = scene.lower[match.end("weekday") : match.end("weekday") + 8]
    return not _OTHERWISE.search(before) and _DAY_GOES_ON.match(rest) is not None


_DAY = timedelta(1)
_TURNS = {word: int(days) for days, words in rows("turns") for word in listed(words)}
_IDIOM = re.compile(_P["idiom"])


def read_turn(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `yesterday`, `the day after tomorrow`, `tonight`."""
    word = match["turn"]
    if scene.today is None or _IDIOM.match(scene.lower, match.end()):
        return None
    if match["turn_tail"]:
        return None
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
    if which in ("following", "previous") or which.startswith(("that", "same")):
        return None
    if not which and not tail and scene.lower[: span[0]].endswith("the "):
        return _definite(match, scene, number)
    tense = scene.tense(span)
    past = which in ("last", "past", "this past") or tail in ("gone", "just gone", "last")
    past = past or tail in ("before last", "past", "just past")
    if tail == "next":
        which = "next"
    if not past and (not which or which == "this") and not tail:
        past = tense == "past"
    day = weekday_before(today, number) if past else weekday_after(today, number)
    confidence = 0.9
    if not past and which == "this" and today.weekday() == number:
        day = today
    if tail in ("before last", "after next", "week", "fortnight"):
        day += {"before last": -7, "after next": 7, "week": 7, "fortnight": 14}[tail] * _DAY
    elif tail.endswith("week"):
        monday = period_of("week", today)[0] + _weeks(tail.removeprefix("of ").split()[0])
        day = monday + number * _DAY
    elif which in ("last", "next") and period_of("week", day) == period_of("week", today):
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
