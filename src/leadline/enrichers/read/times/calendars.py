"""The civil calendar: names of months and weekdays, and days counted from either end."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

from leadline.enrichers.words import patterns

MONTHS = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
]  # fmt: skip
WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_P = patterns("calendars")
MONTH_PATTERN = _P["month_pattern"]
WEEKDAY_PATTERN = _P["weekday_pattern"]
MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = range(7)


def month_number(name: str) -> int:
    """Return 1 to 12 for an English month name or its abbreviation, in any case."""
    return 1 + next(i for i, month in enumerate(MONTHS) if month.startswith(name[:3].lower()))


def weekday_number(name: str) -> int:
    """Return 0 (Monday) to 6 for an English weekday or its abbreviation, in any case."""
    return next(i for i, day in enumerate(WEEKDAYS) if day.startswith(name[:3].lower()))


def add_months(day: date, months: int) -> date:
    """Return the same day of another month; the last day of that month where it is shorter."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def month_end(year: int, month: int) -> date:
    """Return the last day of a month."""
    return date(year, month, monthrange(year, month)[1])


def weekday_after(day: date, weekday: int) -> date:
    """Return the first such weekday strictly after a day."""
    return day + timedelta((weekday - day.weekday() - 1) % 7 + 1)


def weekday_before(day: date, weekday: int) -> date:
    """Return the last such weekday strictly before a day."""
    return day - timedelta((day.weekday() - weekday - 1) % 7 + 1)


def nth_weekday(year: int, month: int, weekday: int, n: int) -> date | None:
    """Return the n-th such weekday of a month, counted from its end where n is negative.

    None where the month has no fifth one.
    """
    if n < 0:
        last = weekday_before(month_end(year, month) + timedelta(1), weekday)
        found = last + timedelta(7 * (n + 1))
    else:
        found = weekday_after(date(year, month, 1) - timedelta(1), weekday) + timedelta(7 * (n - 1))
    return found if found.month == month else None


def last_working_day(year: int, month: int) -> date:
    """Return the last day of a month from Monday to Friday."""
    day = month_end(year, month)
    return day - timedelta(max(0, day.weekday() - FRIDAY))


def first_working_day(year: int, month: int) -> date:
    """Return the first day of a month from Monday to Friday."""
    day = date(year, month, 1)
    return day + timedelta((7 - day.weekday()) if day.weekday() > FRIDAY else 0)


def week_of(day: date) -> tuple[date, date]:
    """Return Monday and Sunday of the week of a day."""
    monday = day - timedelta(day.weekday())
    return monday, monday + timedelta(6)


def quarter(year: int, n: int) -> tuple[date, date]:
    """Return first and last day of a calendar quarter, n from 1 to 4."""
    return date(year, 3 * n - 2, 1), month_end(year, 3 * n)
