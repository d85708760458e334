"""The civil calendar: names of months and weekdays, and days counted from either end."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

from leadline_facts.words import patterns

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


def period_of(unit: str, day: date) -> tuple[date, date]:
    """Return first and last day of what a day lies in: week, weekend, month, quarter or year.

    Weeks begin on Monday; the weekend is that of the week.
    """
    if unit in ("week", "weekend"):
        monday = day - timedelta(day.weekday())
        return monday + timedelta(0 if unit == "week" else SATURDAY), monday + timedelta(SUNDAY)
    months = {"month": 1, "quarter": 3, "year": 12}[unit]
    first = day.month - (day.month - 1) % months
    return date(day.year, first, 1), month_end(day.year, first + months - 1)


def years_between(first: date, last: date) -> int:
    """Return the whole years from one day to another: an age."""
    return last.year - first.year - ((last.month, last.day) < (first.month, first.day))
