"""What names of days, weekdays, weeks, months and holidays mean, seen from a day."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta

from leadline.enrichers.calendars import (
    MONTH_PATTERN,
    SATURDAY,
    WEEKDAYS,
    add_months,
    first_working_day,
    last_working_day,
    month_end,
    month_number,
    nth_weekday,
    quarter,
    week_of,
    weekday_after,
    weekday_before,
    weekday_number,
)
from leadline.enrichers.holidays import holiday_date
from leadline.enrichers.lengths import read_length
from leadline.enrichers.scenes import Reading, Scene, Span, in_month, on_day, over_days
from leadline.enrichers.tenses import Tense
from leadline.enrichers.written_dates import read_written_date

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
_NTHS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3} | {
    "fourth": 4,
    "4th": 4,
    "fifth": 5,
    "last": -1,
    "final": -1,
    "penultimate": -2,
}
_CLOSED = re.compile(
    r"\s?[,.;:!?)\n—–]|$|\s(?:and|at|but|or|to|for|until|till|in|when|which|because|so|with|we|i|you|he"
    r"|she|they|it|if|as|after|before|from|instead|then)\b"
)
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
_FEAST_THING = re.compile(
    r"[\s-](?:trees?|eggs?|bunn\w+|cards?|presents?|gifts?|cakes?|markets?|jumpers?|lights|carols?"
    r"|songs?|decorations?|holidays?|break|shopping|season|specials?|puddings?|bonus\w*|islands?"
    r"|stockings?|crackers?|lily|lilies|cookies|films?|movies?|albums?|dip|sales?|deals?|costumes?"
    r"|spirit|rush|menu|rising|play|concert|service|roast|pies?|resolutions?|sunday|weekend)\b"
)
_GREETING = re.compile(r"\b(?:happy|merry|blessed|white|every|each|most|like|father|a|of|than)\s$")


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


_COUNTS = ("two", "three", "four", "five", "six")


def read_period(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `last month`, `next year`, `this weekend`, `the week before last`."""
    today, span = scene.today, match.span()
    if today is None:
        return None
    unit = match["period"] or match["period2"] or match["period3"]
    which = (match["which_period"] or match["which_period2"] or "").removeprefix("the ")
    if match["period3"]:
        which = "last" if scene.tense(span) == "past" else "this"
    steps = {"before last": -2, "after next": 2, "last": -1, "past": -1, "this past": -1}
    step = steps.get(which, {"previous": -1}.get(which, 0 if which.startswith("this") else 1))
    from_event = which in ("following", "previous")
    if from_event and not (scene.event or scene.month):
        return None
    if unit in ("month", "year"):
        year, month = (scene.month if from_event else None) or (today.year, today.month)
        if step == 0:
            return None
        if unit == "year":
            return Reading("year", str(year + step), span, confidence=0.8, why=match.group())
        moved = add_months(date(year, month, 1), step)
        return in_month(moved.year, moved.month, span, match.group(), confidence=0.8)
    day = scene.event.day if from_event and scene.event and scene.event.day else today
    if unit == "quarter":
        moved = add_months(date(day.year, day.month, 1), 3 * step)
        first, last = quarter(moved.year, (moved.month + 2) // 3)
        return over_days(first, last, span, match.group(), confidence=0.7)
    first, last = week_of(day + timedelta(7 * step))
    if unit == "weekend":
        if step == -1 and match["period3"] is None and day.weekday() >= SATURDAY:
            pass
        return over_days(last - _DAY, last, span, match.group(), confidence=0.8)
    return over_days(first, last, span, match.group(), confidence=0.6) if step else None


def read_month(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `in October`, `last March`: the nearest one that fits the tense."""
    today = scene.today
    at = match.start("month")
    if today is None or not scene.text[at].isupper():
        return None
    number = month_number(match["month"])
    which = match["which_month"]
    year = _year_of_month(number, today, which, scene.tense(match.span()))
    return in_month(year, number, match.span(), match.group(), confidence=0.7)


def read_ordinal(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `on the 17th`: of the month spoken of, else the nearest that fits the tense."""
    today = scene.today
    if today is None:
        return None
    day, said_month = int(match["ordinal"][:-2]), match["ordinal_month"]
    rest = scene.lower[match.end() : match.end() + 12]
    free = not match["led"] or match["led"] in ("to", "and", "of", "is", "was", "for")
    if free and not said_month and not _CLOSED.match(rest):
        return None
    if not match["led"] and (day < 4 or _after_name(scene, match.start())):
        return None
    said = match["ordinal_month"]
    if said:
        year, month = _said_month(said, scene, today)
        return _day_of(year, month, day, match)
    if scene.month and (scene.event is None or scene.event.span[0] >= scene.message.body):
        return _day_of(*scene.month, day, match)
    past = scene.tense(match.span()) == "past" or match.group().startswith("of ")
    month_start = date(today.year, today.month, 1)
    if past and day > today.day:
        month_start = add_months(month_start, -1)
    elif not past and day < today.day:
        month_start = add_months(month_start, 1)
    return _day_of(month_start.year, month_start.month, day, match)


def read_edge(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `the end of the month`, `end of March`: its last day."""
    today = scene.today
    if today is None or match["edge"] in ("start", "beginning"):
        return None
    words = match["edge_of"] or match["edge2_of"]
    step = 1 if "next" in words or "following" in words else -1 if "last" in words else 0
    span, why = match.span(), match.group()
    if words.endswith("week"):
        return on_day(week_of(today + timedelta(7 * step))[1], span, why, confidence=0.7)
    if words.endswith("year"):
        return on_day(date(today.year + step, 12, 31), span, why, confidence=0.8)
    if words.endswith("quarter"):
        moved = add_months(date(today.year, today.month, 1), 3 * step)
        return on_day(quarter(moved.year, (moved.month + 2) // 3)[1], span, why, confidence=0.8)
    due = re.search(r"\b(?:by|before|until|till)\s$", scene.lower[max(0, span[0] - 8) : span[0]])
    year, month = _said_month(words, scene, today, "future" if due else scene.tense(span))
    return on_day(month_end(year, month), span, why, confidence=0.8)


def read_nth(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `the first Sunday in November`, `the last working day of the month`."""
    words, unit = match["nth_month"], match["nth_day"]
    today, span, why = scene.today, match.span(), match.group()
    nth = _NTHS.get(match["nth"], -2)
    if words.endswith("year"):
        return None
    if today is None and not re.search(r"\d{4}", words):
        return None
    tense = scene.tense(span)
    candidates = [_said_month(words, scene, today or date.min, tense)]
    if today and not re.search(r"\d{4}|month", words):
        candidates = [(today.year + step, month_number(words)) for step in (-1, 0, 1)]
    days = [
        day for year, month in candidates if (day := _nth_day(year, month, unit, nth)) is not None
    ]
    chosen = days[0] if len(candidates) == 1 and days else nearest(days, today, tense)
    if chosen and unit == "weekend":
        return over_days(chosen, chosen + _DAY, span, why)
    return on_day(chosen, span, why) if chosen else None


def read_part_of_year(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `the second half of last year`, `Q3 2024`: its first and last day."""
    words = match["part_year"] or match["q_year"]
    digits = re.search(r"\d{4}", words)
    step = 1 if words.startswith("next") else -1 if words.startswith("last") else 0
    if digits:
        year = int(digits.group())
    elif scene.today:
        year = scene.today.year + step
    else:
        return None
    nth = int(match["q"]) if match["q"] else _NTHS[match["part"]]
    if match["part_unit"] == "half":
        first, last = quarter(year, 3 if nth in (2, -1) else 1)[0], None
        last = month_end(year, 12 if nth in (2, -1) else 6)
    else:
        first, last = quarter(year, 4 if nth == -1 else nth)
    return over_days(first, last, match.span(), match.group())


def read_holiday(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `on Labor Day`, `last Christmas`, `Ash Wednesday, 2022`."""
    span = match.span()
    said = match["feast_year"] or ""
    today = scene.today
    if _GREETING.search(scene.lower, max(0, span[0] - 10), span[0]) or _FEAST_THING.match(
        scene.lower, span[1]
    ):
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


def read_month_year(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `March 2024`."""
    written = match.group()
    year, month = int(written[-4:]), month_number(written)
    return in_month(year, month, match.span(), written, role="stated", confidence=1.0)


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


def _after_name(scene: Scene, start: int) -> bool:
    return re.search(r"[A-Z][\w'’]*\s$", scene.text[max(0, start - 25) : start]) is not None


def _is_modal(scene: Scene, span: Span) -> bool:
    written = scene.text[slice(*span)]
    month = re.search(rf"\b{MONTH_PATTERN}\b", written, re.IGNORECASE)
    return month is not None and month.group() in ("may", "march", "mar", "dec", "jan")


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


def _said_month(words: str, scene: Scene, today: date, tense: Tense = "") -> tuple[int, int]:
    year = re.search(r"\d{4}", words)
    named = re.search(rf"\b{MONTH_PATTERN}\b", words)
    if named:
        month = month_number(named.group())
        if year:
            return int(year.group()), month
        which = "next" if "next " in words else "last" if "last " in words else ""
        return _year_of_month(month, today, which, tense or "future"), month
    base = date(today.year, today.month, 1)
    if ("following" in words or "that" in words) and scene.month:
        base = date(*scene.month, 1)
    step = 1 if "next" in words or "following" in words else -1 if "last" in words else 0
    moved = add_months(base, step)
    return moved.year, moved.month


def _year_of_month(month: int, today: date, which: str, tense: Tense) -> int:
    past = which in ("last", "this past", "since", "back in") or (tense == "past")
    if which in ("next", "this coming", "by", "until", "till"):
        past = False
    if past:
        return today.year - (month > today.month or (which == "last" and month == today.month))
    return today.year + (month < today.month or (which == "next" and month == today.month))


def _day_of(year: int, month: int, day: int, match: re.Match[str]) -> Reading | None:
    try:
        found = date(year, month, day)
    except ValueError:
        return None
    return on_day(found, match.span(), match.group(), confidence=0.8)


def _nth_day(year: int, month: int, unit: str, nth: int) -> date | None:
    if unit.startswith(("working", "business", "week")) and unit != "weekend":
        if nth not in (1, -1):
            return None
        return (last_working_day if nth < 0 else first_working_day)(year, month)
    if unit == "day":
        return month_end(year, month) if nth == -1 else date(year, month, max(nth, 1))
    if unit == "weekend":
        return nth_weekday(year, month, SATURDAY, nth)
    return nth_weekday(year, month, weekday_number(unit), nth)


_LINK = re.compile(r"\s?(?:to|until|till|through|and|–|—|-)\s?(?:the\s)?", re.IGNORECASE)


def _year_after(scene: Scene, end: int) -> int | None:
    """Return the year that `22 February to 3 March 2016` gives to its first date."""
    link = _LINK.match(scene.lower, end)
    if not link:
        return None
    year = re.match(r"[\w,.\s]{3,24}?\b((?:1[5-9]|20)\d\d)\b", scene.lower[link.end() :])
    return int(year[1]) if year and re.search(MONTH_PATTERN, year.group()) else None
