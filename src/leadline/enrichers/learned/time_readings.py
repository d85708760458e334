"""What one expression of time may mean, counted from one anchor: every reading, right or wrong."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from leadline.enrichers.learned.time_tokens import Mention
from leadline.enrichers.times.calendars import (
    add_months,
    first_working_day,
    last_working_day,
    month_end,
    nth_weekday,
    quarter,
    week_of,
    weekday_after,
    weekday_before,
)
from leadline.enrichers.times.holidays import holiday_date

Value = Any
"""date, (first date, last date), (year, month), year, minute, amount: by kind."""
Found = tuple[str, str, Value]
"""(step, kind, value) of a reading."""

STEPS = (
    "before2", "before", "same", "next", "next2", "month-", "month0", "month+", "year-", "year0",
    "year+", "as told", "plus", "minus", "plus inclusive", "minus inclusive", "stretch on",
    "stretch back", "first", "last", "late half", "half as told", "hour", "hour-", "hour+",
    "century", "birth", "birth before", "years on", "one less", "between", "between both",
    "between next day", "completed years", "over midnight", "country",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Anchor:
    """What an expression may be counted from.

    kind         date, month, year or time
    value        by kind
    source       `stamp`, `told`, or the kind of the expression that gives it
    start, end   where it is written
    first, last  its tokens; of the message's first token for a stamp
    likely       how likely it is; 1 for what is written
    number       of the expression that gives it, -1 for a stamp
    """

    kind: str
    value: Value
    source: str
    start: int
    end: int
    first: int
    last: int
    likely: float = 1.0
    number: int = -1


def readings(mention: Mention, anchor: Anchor, country: str) -> Iterator[Found]:
    """Yield what an expression may mean from an anchor."""
    rule = _RULES.get(mention.kind)
    if rule is None:
        return
    try:
        yield from rule(mention.data, anchor, country)
    except (OverflowError, ValueError):  # beyond the calendar
        return


def year_of(anchor: Anchor) -> int | None:
    """Return the year that an anchor lies in; None for a time."""
    if anchor.kind == "date":
        return int(anchor.value.year)
    if anchor.kind == "time":
        return None
    return int(anchor.value[0] if anchor.kind == "month" else anchor.value)


def first_of(month: tuple[int, int]) -> date:
    """Return the first day of a month."""
    return date(month[0], month[1], 1)


def _weekday(day: int, anchor: Anchor, _: str) -> Iterator[Found]:
    if anchor.kind != "date":
        return
    start: date = anchor.value
    after, before = weekday_after(start, day), weekday_before(start, day)
    yield "next", "date", after
    yield "before", "date", before
    if start.weekday() == day:
        yield "same", "date", start
    else:
        yield "next2", "date", after + timedelta(7)
        yield "before2", "date", before - timedelta(7)


def _day_of_month(day: int, anchor: Anchor, _: str) -> Iterator[Found]:
    if anchor.kind not in ("date", "month"):
        return
    start = anchor.value if anchor.kind == "date" else first_of(anchor.value)
    for step, months in (("month-", -1), ("month0", 0), ("month+", 1)):
        other = add_months(start.replace(day=1), months)
        if day <= monthrange(other.year, other.month)[1]:
            yield step, "date", other.replace(day=day)


def _years(anchor: Anchor) -> Iterator[tuple[str, int]]:
    year = year_of(anchor)
    if year is not None:
        yield from (("year-", year - 1), ("year0", year), ("year+", year + 1))


def _day_month(data: tuple[int, int, int | None], anchor: Anchor, _: str) -> Iterator[Found]:
    month, day, _weekday = data
    for step, year in _years(anchor):
        if day <= monthrange(year, month)[1]:
            yield step, "date", date(year, month, day)


def _day_word(shift: int, anchor: Anchor, _: str) -> Iterator[Found]:
    if anchor.kind == "date":
        yield "as told", "date", anchor.value + timedelta(shift)


def _length(data: tuple[Any, str], anchor: Anchor, _: str) -> Iterator[Found]:
    amount, unit = data
    if unit == "minute":
        if anchor.kind == "time" and 0 < amount < 1440 and amount.denominator == 1:
            yield "plus", "time", (anchor.value + int(amount)) % 1440
            yield "minus", "time", (anchor.value - int(amount)) % 1440
        elif anchor.kind == "date" and amount % 1440 == 0:
            yield from _days(int(amount) // 1440, anchor.value)
        return
    if unit in ("day", "week"):
        days = amount * (7 if unit == "week" else 1)
        if anchor.kind == "date" and days.denominator == 1:
            yield from _days(int(days), anchor.value)
        return
    months = amount * (12 if unit == "year" else 1)
    if months.denominator != 1:
        return
    yield from _months(int(months), unit, anchor)


def _days(days: int, start: date) -> Iterator[Found]:
    yield "plus", "date", start + timedelta(days)
    yield "minus", "date", start - timedelta(days)
    if days > 1:
        yield "plus inclusive", "date", start + timedelta(days - 1)
        yield "minus inclusive", "date", start - timedelta(days - 1)
        yield "stretch on", "date_range", (start, start + timedelta(days - 1))
        yield "stretch back", "date_range", (start - timedelta(days), start - timedelta(1))


def _months(months: int, unit: str, anchor: Anchor) -> Iterator[Found]:
    if anchor.kind == "date":
        yield "plus", "date", (later := add_months(anchor.value, months))
        yield "minus", "date", (earlier := add_months(anchor.value, -months))
        yield "plus inclusive", "date", later - timedelta(1)
        yield "stretch on", "date_range", (anchor.value, later - timedelta(1))
        yield "plus", "month", (later.year, later.month)
        yield "minus", "month", (earlier.year, earlier.month)
        if months > 5:
            yield "plus", "year", later.year
            yield "minus", "year", earlier.year
    elif anchor.kind == "month":
        start = first_of(anchor.value)
        for step, sign in (("plus", 1), ("minus", -1)):
            found = add_months(start, sign * months)
            yield step, "month", (found.year, found.month)
            if unit == "year":
                yield step, "year", found.year
    elif anchor.kind == "year" and months % 12 == 0:
        yield "plus", "year", anchor.value + months // 12
        yield "minus", "year", anchor.value - months // 12


_TURNED = {-2: "before2", -1: "before", 0: "same", 1: "next", 2: "next2"}


def _period(data: tuple[str, int], anchor: Anchor, _: str) -> Iterator[Found]:
    unit, turn = data
    if anchor.kind == "year":
        if unit == "year" and turn:
            yield _TURNED[turn], "year", anchor.value + turn
        return
    if anchor.kind == "month" and unit in ("month", "year"):
        found = add_months(first_of(anchor.value), turn * (12 if unit == "year" else 1))
        yield _TURNED[turn], unit, (found.year, found.month) if unit == "month" else found.year
    if anchor.kind != "date":
        return
    for shift in sorted({turn, 0}) if unit == "weekend" else (turn,):
        yield _TURNED[shift], *_of_unit(unit, shift, anchor.value)


def _of_unit(unit: str, shift: int, day: date) -> tuple[str, Value]:
    """Return the week, weekend, month, quarter or year of a day, or one before or after it."""
    if unit in ("week", "weekend"):
        monday, sunday = week_of(day + timedelta(7 * shift))
        return "date_range", (monday if unit == "week" else sunday - timedelta(1), sunday)
    if unit == "month":
        other = add_months(day.replace(day=1), shift)
        return "month", (other.year, other.month)
    if unit == "quarter":
        other = add_months(day.replace(day=1), 3 * shift)
        return "date_range", quarter(other.year, (other.month + 2) // 3)
    return "year", day.year + shift


def _ends(kind: str, value: Value) -> tuple[date, date]:
    if kind == "date_range":
        return value  # type: ignore[no-any-return]
    if kind == "month":
        return first_of(value), month_end(*value)
    return date(value, 1, 1), date(value, 12, 31)


def _edge(data: tuple[str | int, int, int], anchor: Anchor, _: str) -> Iterator[Found]:
    unit, turn, side = data
    at = 0 if side > 0 else 1
    if isinstance(unit, int) and unit > 12:
        yield "as told", "date", _ends("year", unit)[at]
    elif isinstance(unit, int):
        for step, year in _years(anchor):
            yield step, "date", _ends("month", (year, unit))[at]
            if at == 1:
                yield "last", "date", last_working_day(year, unit)
    elif anchor.kind == "date":
        kind, value = _of_unit(unit, turn, anchor.value)
        yield _TURNED[turn], "date", _ends(kind, value)[at]
        if unit == "week" and side < 0:
            yield "last", "date", _ends(kind, value)[1] - timedelta(2)
    elif anchor.kind == "month" and unit == "month":
        yield "same", "date", _ends("month", anchor.value)[at]
    elif anchor.kind == "year" and unit == "year":
        yield "same", "date", _ends("year", anchor.value + turn)[at]


def _nth(data: Any, anchor: Anchor, _: str) -> Iterator[Found]:
    nth, day, month, year, turn = data
    months: list[tuple[str, int, int]] = []
    if isinstance(month, int):
        some = [("year0", year)] if year else list(_years(anchor))
        months = [(step, each, month) for step, each in some]
    elif month == "month" and anchor.kind in ("date", "month"):
        start = anchor.value if anchor.kind == "date" else first_of(anchor.value)
        for step, shift in (("month-", -1), ("month0", 0), ("month+", 1)):
            other = add_months(start.replace(day=1), shift)
            if not turn or turn == shift:
                months.append((step, other.year, other.month))
    elif month == "year":
        months = [(step, each, 12 if nth < 0 else 1) for step, each in _years(anchor)]
    for step, each, number in months:
        found = _nth_of(nth, day, each, number)
        if found:
            yield step, "date", found


def _nth_of(nth: int, day: int | str, year: int, month: int) -> date | None:
    if day == "working":
        return first_working_day(year, month) if nth > 0 else last_working_day(year, month)
    if day == "day":
        first = date(year, month, 1) if nth > 0 else month_end(year, month)
        return first + timedelta(nth - 1 if nth > 0 else nth + 1)
    assert isinstance(day, int)
    return nth_weekday(year, month, day, nth)


def _holiday(name: str, anchor: Anchor, country: str) -> Iterator[Found]:
    for step, year in _years(anchor):
        found = holiday_date(name, year, country)
        if found:
            yield step, "date", found


def _past_hour(minutes: int, anchor: Anchor, _: str) -> Iterator[Found]:
    if anchor.kind == "time":
        hour = anchor.value // 60
        for step, shift in (("hour-", -1), ("hour", 0), ("hour+", 1)):
            yield step, "time", ((hour + shift) * 60 + minutes) % 1440


def _month(month: int, anchor: Anchor, _: str) -> Iterator[Found]:
    for step, year in _years(anchor):
        yield step, "month", (year, month)


def _short_year(year: int, anchor: Anchor, _: str) -> Iterator[Found]:
    base = year_of(anchor)
    if base is not None:
        century = base // 100 * 100
        yield "century", "year", century + year
        yield "before", "year", century - 100 + year


def _age(years: int, anchor: Anchor, _: str) -> Iterator[Found]:
    if anchor.kind == "date":
        yield "birth", "date", add_months(anchor.value, -12 * years)
        yield "years on", "date", add_months(anchor.value, 12 * years)
    if anchor.kind in ("date", "month"):
        year, month = (
            (anchor.value.year, anchor.value.month) if anchor.kind == "date" else anchor.value
        )
        yield "birth", "month", (year - years, month)
        yield "years on", "month", (year + years, month)
    base = year_of(anchor)
    if base is not None:
        yield "birth", "year", base - years
        yield "birth before", "year", base - years - 1
        yield "years on", "year", base + years
    if anchor.number == -1 or anchor.source in ("weekday", "length"):
        yield "one less", "age", years - 1


def _step(data: tuple[str, int], anchor: Anchor, _: str) -> Iterator[Found]:
    unit, sign = data
    step = "plus" if sign > 0 else "minus"
    if anchor.kind == "date":
        day: date = anchor.value
        if unit in ("week", "weekend"):
            yield step, *_of_unit(unit, sign, day)
            if unit == "week":
                yield step, "date", day + timedelta(7 * sign)
            else:
                yield "same", *_of_unit(unit, 0, day)
        elif unit in ("month", "year"):
            yield step, *_of_unit(unit, sign, day)
            yield step, "date", add_months(day, sign * (12 if unit == "year" else 1))
        else:
            yield step, "date", day + timedelta(sign)
    elif unit == "year" and anchor.kind == "year":
        yield step, "year", anchor.value + sign
    elif unit in ("month", "year") and anchor.kind == "month":
        yield step, *_of_unit(unit, sign, first_of(anchor.value))


def _day_number(number: int, anchor: Anchor, _: str) -> Iterator[Found]:
    if anchor.kind == "date":
        yield "plus inclusive", "date", anchor.value + timedelta(number - 1)
        yield "plus", "date", anchor.value + timedelta(number)
        yield "minus inclusive", "date", anchor.value - timedelta(number - 1)
        yield "minus", "date", anchor.value - timedelta(number)


def _quarter(number: int, anchor: Anchor, _: str) -> Iterator[Found]:
    for step, year in _years(anchor):
        yield step, "date_range", quarter(year, number)


_RULES: dict[str, Callable[[Any, Anchor, str], Iterator[Found]]] = {
    "weekday": _weekday,
    "day_of_month": _day_of_month,
    "day_month": _day_month,
    "day_word": _day_word,
    "length": _length,
    "period": _period,
    "edge": _edge,
    "nth": _nth,
    "holiday": _holiday,
    "past_hour": _past_hour,
    "month": _month,
    "short_year": _short_year,
    "age": _age,
    "step": _step,
    "day_number": _day_number,
    "quarter": _quarter,
}
