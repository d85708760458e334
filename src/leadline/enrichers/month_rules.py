"""What weeks, months, quarters and days of a month mean, seen from a day."""

from __future__ import annotations

import re
from datetime import date, timedelta

from leadline.enrichers.calendars import (
    MONTH_PATTERN,
    SATURDAY,
    add_months,
    first_working_day,
    last_working_day,
    month_end,
    month_number,
    nth_weekday,
    quarter,
    week_of,
    weekday_number,
)
from leadline.enrichers.date_rules import nearest
from leadline.enrichers.scenes import (
    Reading,
    Scene,
    in_month,
    on_day,
    over_days,
)
from leadline.enrichers.tenses import Tense
from leadline.enrichers.written_dates import day_number

_DAY = timedelta(1)
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
_PART_OF = re.compile(
    r"\b(?:middle|start|beginning|part|half|rest|course|end)\sof\s$|\b(?:early|late|later|sometime|mid)\s?$"
)


def read_period(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `last month`, `next year`, `this weekend`, `the week before last`."""
    today, span = scene.today, match.span()
    vague = _PART_OF.search(scene.lower, max(0, span[0] - 16), span[0])
    if today is None or (vague and "month" not in match.group()):
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
    day = day_number(match["ordinal"] or match["worded"])
    said_month = match["ordinal_month"] or match["worded_month"]
    rest = scene.lower[match.end() : match.end() + 12]
    free = not match["led"] or match["led"] in ("to", "and", "of", "is", "was", "for")
    if free and not said_month and not _CLOSED.match(rest):
        return None
    if not match["led"] and not said_month and (day < 4 or _after_name(scene, match.start())):
        return None
    if said_month:
        year, month = _said_month(said_month, scene, today)
        if said_month == "the month" and day < today.day and scene.tense(match.span()) != "past":
            moved = add_months(date(year, month, 1), 1)
            year, month = moved.year, moved.month
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


def read_month_year(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `March 2024`."""
    written = match.group()
    year, month = int(written[-4:]), month_number(written)
    return in_month(year, month, match.span(), written, role="stated", confidence=1.0)


def _after_name(scene: Scene, start: int) -> bool:
    return re.search(r"[A-Z][\w'’]*\s$", scene.text[max(0, start - 25) : start]) is not None


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
