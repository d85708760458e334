"""Resolve weeks, months, quarters and days of a month, relative to a day."""

from __future__ import annotations

import re
from datetime import date, timedelta

from leadline_facts.propose.times.date_rules import nearest
from leadline_facts.propose.times.scenes import Reading, Scene, in_month, on_day, over_days
from leadline_facts.read.times.calendars import (
    MONTH_PATTERN,
    add_months,
    month_end,
    month_number,
    nth_weekday,
    period_of,
    weekday_number,
)
from leadline_facts.read.times.lengths import Length
from leadline_facts.read.times.tenses import Tense
from leadline_facts.read.times.written_dates import day_number
from leadline_facts.words import patterns

_DAY = timedelta(1)
_NTHS = {
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4,
    "fifth": 5, "last": -1, "final": -1, "penultimate": -2,
}  # fmt: skip
_P = patterns("month_rules")
_CLOSED = re.compile(_P["closed"])
_ISSUE = re.compile(_P["issue"])
_MEETS = re.compile(_P["meets"])
_TITLE = 70
"""Characters of a first line that may be a title."""


def read_period(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `last month`, `next year`, `this weekend`, `the week before last`."""
    today, span = scene.today, match.span()
    unit = match["period"] or match["period2"]
    if today is None and scene.issue and unit == "year":
        today = date.fromisoformat(f"{scene.issue.value}-01-01")
    if today is None:
        return None
    which = (match["which_period"] or match["which_period2"] or "").removeprefix("the ")
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
    moved = add_months(day, 3 * step) if unit == "quarter" else day + timedelta(7 * step)
    first, last = period_of(unit, moved)
    if unit != "week":
        return over_days(first, last, span, match.group(), confidence=0.8)
    # `last week` tells when, not how long: the stretch is kept to count from
    found = over_days(first, last, span, match.group(), role="alternative", confidence=0.6)
    return found if step else None


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
    """Read `on the 17th`: the nearest that fits the tense."""
    told = scene.event.day if scene.event else None
    today = scene.today or told
    if today is None:
        return None
    day = day_number(match["ordinal"] or match["worded"])
    said_month = match["ordinal_month"] or match["worded_month"]
    rest = scene.lower[match.end() : match.end() + 12]
    free = not match["led"] or match["led"] in ("to", "and", "of", "is", "was", "for")
    if free and not said_month and not _CLOSED.match(rest):
        return None
    if match["led"] == "is" and scene.today is None:
        return None
    tense = scene.tense(match.span())
    if match.group().startswith("of ") and not scene.lower.endswith("instead ", 0, match.start()):
        tense = "past"
    months = _months_meant(said_month or "", scene, today)
    days = [each.replace(day=day) for each in months if day <= month_end(each.year, each.month).day]
    chosen = nearest(days, today, tense)
    return on_day(chosen, match.span(), match.group(), confidence=0.8) if chosen else None


def _months_meant(said: str, scene: Scene, today: date) -> list[date]:
    """Return the months that `the 17th` may be of: that spoken of where it is named or far off."""
    if said:
        return [date(*_said_month(said, scene, today), 1)]
    months = [add_months(date(today.year, today.month, 1), step) for step in (-1, 0, 1)]
    if scene.month is None or (scene.event and scene.event.span[0] < scene.message.body):
        return months
    spoken, point = date(*scene.month, 1), scene.point
    is_named = point and point.kind == "month" and point.span[0] >= scene.sentence[0]
    return [spoken] if is_named or spoken not in months else months


def read_edge(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `the end of the month`, `end of March`: its last day."""
    words = match["edge_of"] or match["edge2_of"] or match["edge3_of"]
    today = scene.today
    if today is None or match["edge"] in ("start", "beginning"):
        return None
    span, why = match.span(), match.group()
    if words.endswith(("week", "quarter", "year")):
        unit = re.findall("week|quarter|year", words)[-1]
        step = 1 if "next" in words or "following" in words else -1 if "last" in words else 0
        months = {"week": 0, "quarter": 3, "year": 12}[unit]
        moved = Length(step * months, 0 if months else 7 * step).after(today)
        return on_day(period_of(unit, moved)[1], span, why, confidence=0.8)
    due = re.search(r"\b(?:by|before|until|till)\s$", scene.lower[max(0, span[0] - 8) : span[0]])
    year, month = _said_month(words, scene, today, "future" if due else scene.tense(span))
    return on_day(month_end(year, month), span, why, confidence=0.8)


def read_nth(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `the first Sunday in November`, `the last working day of the month`."""
    words, unit = match["nth_month"], match["nth_day"]
    today, span, why = scene.today, match.span(), match.group()
    nth = _NTHS.get(match["nth"], -2)
    tense = scene.tense(span)
    is_habit = words == "the month" and not tense and _MEETS.search(scene.lower[: span[0]][-8:])
    if words.endswith("year") or is_habit:
        return None
    if today is None and not re.search(r"\d{4}", words):
        return None
    candidates = [_said_month(words, scene, today or date.min, tense)]
    if today and not re.search(r"\d{4}|month", words):
        candidates = [(today.year + step, month_number(words)) for step in (-1, 0, 1)]
    days = [
        day for year, month in candidates if (day := _nth_day(year, month, unit, nth)) is not None
    ]
    chosen = days[0] if len(candidates) == 1 and days else nearest(days, today, tense)
    return on_day(chosen, span, why) if chosen else None


def issue_of(lower: str) -> Reading | None:
    """Return the year that dates a text in its first line: `Annual report for 2019`."""
    line = next((each for each in lower.splitlines() if each.strip()), "")
    found = _ISSUE.search(re.split(r"[.:;]\s", line)[0][:_TITLE])
    if not found:
        return None
    at = lower.index(line) + found.start(1)
    return Reading("year", found[1], (at, at + 4), why=found[1])


def read_month_year(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `March 2024`."""
    written = match.group()
    year, month = int(written[-4:]), month_number(written)
    return in_month(year, month, match.span(), written, role="stated", confidence=1.0)


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
    step = 1 if re.search(r"next|following|coming|ensuing|succeeding", words) else 0
    step = -1 if re.search(r"last|preceding|previous", words) else step
    moved = add_months(base, step)
    return moved.year, moved.month


def _year_of_month(month: int, today: date, which: str, tense: Tense) -> int:
    if which in ("last", "this past", "since", "back in"):
        return today.year - (month > today.month or (which == "last" and month == today.month))
    if which in ("next", "this coming", "by", "until", "till"):
        return today.year + (month < today.month or (which == "next" and month == today.month))
    firsts = [date(today.year + step, month, 1) for step in (-1, 0, 1)]
    found = nearest(firsts, today.replace(day=1), tense)
    return found.year if found else today.year


def _nth_day(year: int, month: int, unit: str, nth: int) -> date | None:
    if unit == "day":
        return month_end(year, month) if nth == -1 else date(year, month, max(nth, 1))
    return nth_weekday(year, month, weekday_number(unit), nth)


def read_year(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read a bare year as the text states it; `2014 units` and sums of money are none."""
    year, span = match["year"], match.span()
    return Reading("year", year, span, role="stated", confidence=0.8, why=match.group())
