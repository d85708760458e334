"""Operations that a language model may name: those of `propose` on amounts, and the calendar's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from functools import reduce
from math import ceil, floor

from leadline.text.fact_values import measured
from leadline_facts.llm_facts.answers import UnfitError
from leadline_facts.llm_facts.values import Clock, Interval, Measure, Stretch, Value, Weekday
from leadline_facts.propose.operations import FORMULAS
from leadline_facts.read.amounts.money import UNKNOWN
from leadline_facts.read.amounts.units import SECONDS
from leadline_facts.read.times.calendars import add_months, period_of, years_between
from leadline_facts.read.times.lengths import Length

UNITS_DIFFER = "its amounts cannot be reckoned with each other"


def of_alike(name: str) -> Callable[..., Measure]:
    """Return an operation on amounts of one unit, or of units that convert into each other."""

    def run(*terms: Measure) -> Measure:
        alike = _alike(terms)
        value = reduce(FORMULAS[name], (each.value for each in alike))
        is_share = name.startswith("percent_")
        return Measure(value, "percent") if is_share else replace(alike[0], value=value)

    return run


def of_share(name: str) -> Callable[[Measure, Measure], Measure]:
    """Return an operation on a base and a percentage or fraction of it."""

    def run(base: Measure, part: Measure) -> Measure:
        if base.sort == "percent" != part.sort:
            base, part = part, base
        return replace(base, value=FORMULAS[name](base.value, _share(part)))

    return run


def average(*terms: Measure) -> Measure:
    """Return the mean."""
    total = of_alike("sum")(*terms)
    return replace(total, value=total.value / len(terms))


def product(*factors: Measure) -> Measure:
    """Return the product. Money times a time or a quantity is money: a rate was meant."""
    if any(each.sort != "percent" for each in factors):
        factors = tuple(map(_as_factor, factors))
    value = reduce(FORMULAS["product"], (each.value for each in factors))
    typed = [each for each in factors if each.sort != "number"]
    money = [each for each in typed if each.sort == "money"]
    if len(typed) < 2 or len(money) == 1:
        return replace((money or typed or factors)[0], value=value)
    return Measure(value, "open")


def quotient(whole: Measure, by: Measure) -> Measure:
    """Return the quotient: a ratio where both have one unit, else an amount a piece."""
    is_ratio = False
    if whole.sort == by.sort and whole.sort not in ("number", "open"):
        try:
            whole, by = _alike((whole, by))
            is_ratio = True
        except UnfitError:
            pass
    else:
        by = _as_factor(by)
    value = FORMULAS["quotient"](whole.value, by.value)
    if is_ratio:
        return Measure(value)
    is_kept = by.sort == "number" or (whole.sort == "money" != by.sort)
    return replace(whole, value=value) if is_kept else Measure(value, "open")


def rest_percent(part: Measure) -> Measure:
    """Return what a percentage or a fraction leaves of all."""
    return Measure(100 * (1 - _share(part)), "percent")


def rounded(up: bool) -> Callable[[Measure], Measure]:
    """Return what rounds to whole numbers: tables that so many guests need, or fill."""
    return lambda exact: replace(exact, value=Fraction((ceil if up else floor)(exact.value)))


def _share(part: Measure) -> Fraction:
    """Return a percentage or a fraction as a fraction."""
    if part.sort == "percent" or (part.sort == "number" and part.value > 1):
        return part.value / 100
    if part.sort == "number":
        return part.value
    raise UnfitError(UNITS_DIFFER)


def _as_factor(measure: Measure) -> Measure:
    return Measure(measure.value / 100) if measure.sort == "percent" else measure


def _alike(measures: Sequence[Measure]) -> list[Measure]:
    """Return amounts in one unit; a bare number takes that of the others: `$40 and 15 for it`."""
    units = {(each.sort, each.unit) for each in measures if each.sort not in ("number", "open")}
    if ("money", UNKNOWN) in units and len(units) > 1:
        units.discard(("money", UNKNOWN))
    if len(units) > 1:
        return _converted(measures)
    is_open = any(each.sort == "open" for each in measures)
    sort, unit = next(iter(units), ("open" if is_open else "number", ""))
    return [Measure(each.value, sort, unit) for each in measures]


def _converted(measures: Sequence[Measure]) -> list[Measure]:
    groups, found = set(), []
    for each in measures:
        if each.sort not in ("quantity", "duration"):
            raise UnfitError(UNITS_DIFFER)
        group, factor = measured(each.sort, {"amount": 1, "unit": each.unit})
        groups.add(group)
        found.append(Measure(each.value * Fraction(str(factor)), each.sort, group[1]))
    if len(groups) > 1:
        raise UnfitError(UNITS_DIFFER)
    return found


NOT_IN_TIME = "its operands are not what the operation takes"
_DAY = 1440


def after(base: Value, length: Value) -> Value:
    """Return what lies a length after a date or time; after the last day of several."""
    return _moved(base, _length(length), 1)


def before(base: Value, length: Value) -> Value:
    """Return what lies a length before a date or time; before the first day of several."""
    return _moved(base, _length(length), -1)


def weekday(step: Callable[[date, int], date], side: Callable[[Value], date]) -> _OnWeekday:
    """Return an operation that steps from one side of a day or several to a weekday."""

    def run(day: Value, named: Value) -> date:
        if not isinstance(named, Weekday):
            raise UnfitError(NOT_IN_TIME)
        return step(side(day), named.number)

    return run


_OnWeekday = Callable[[Value, Value], date]


def in_week(day: date, weekday: int) -> date:
    """Return the weekday of the week in which a day lies."""
    return period_of("week", day)[0] + timedelta(weekday)


def around(unit: str) -> Callable[[Value], Stretch]:
    """Return the operation from a day to the week, weekend, month, quarter or year around it."""
    return lambda day: Stretch(*period_of(unit, first_day(day)))


def first_day(days: Value) -> date:
    """Return the first of several days."""
    if isinstance(days, datetime):
        return days.date()
    if isinstance(days, Stretch):
        return days.first
    if not isinstance(days, date):
        raise UnfitError(NOT_IN_TIME)
    return days


def last_day(days: Value) -> date:
    """Return the last of several days."""
    return days.last if isinstance(days, Stretch) else first_day(days)


def spread(start: Value, end: Value) -> Stretch | Interval:
    """Return all from a first to a last day or moment."""
    if isinstance(start, datetime) and isinstance(end, Clock):
        end = at(start, end)
        end += timedelta(1) if end <= start else timedelta()
    if isinstance(start, datetime) and isinstance(end, datetime):
        if end <= start:
            raise UnfitError(NOT_IN_TIME)
        return Interval(start, end)
    first, last = first_day(start), last_day(end)
    if last < first:
        raise UnfitError(NOT_IN_TIME)
    return Stretch(first, last)


def lasting(start: Value, length: Value) -> Stretch | Interval:
    """Return what begins with a day or moment and goes on for a length."""
    long = _length(length)
    if isinstance(start, datetime):
        end = _moved(start, long, 1)
        assert isinstance(end, datetime)
        return Interval(start, end)
    first = first_day(start)
    return Stretch(first, long.after(first) - timedelta(1))


def at(day: Value, clock: Value) -> datetime:
    """Return a moment."""
    if not isinstance(clock, Clock):
        raise UnfitError(NOT_IN_TIME)
    return datetime.combine(first_day(day), time(*divmod(clock.minute, 60)))


def between(start: Value, end: Value) -> Measure:
    """Return the length of time between two days, moments, or times within a day."""
    if isinstance(start, Clock) and isinstance(end, Clock):
        return Measure(Fraction((end.minute - start.minute) % _DAY), "duration", "minute")
    if isinstance(start, datetime) and isinstance(end, datetime):
        minutes = abs(end - start) // timedelta(minutes=1)
        return Measure(Fraction(minutes), "duration", "minute")
    return Measure(Fraction(abs((first_day(end) - first_day(start)).days)), "duration", "day")


def age(born: Value, day: Value) -> Measure:
    """Return the whole years between a date of birth and a day."""
    return Measure(Fraction(years_between(first_day(born), first_day(day))), "duration", "year")


def told(value: Value) -> Value:
    """Return a date, a time or an amount as it is told."""
    return value


def _moved(base: Value, length: Length, sign: int) -> Value:
    if isinstance(base, Clock):
        if length.months:
            raise UnfitError(NOT_IN_TIME)
        return Clock((base.minute + sign * (length.minutes + _DAY * length.days)) % _DAY)
    if isinstance(base, datetime):
        day = length.after(base.date(), sign)
        return datetime.combine(day, base.time()) + sign * timedelta(minutes=length.minutes)
    day = last_day(base) if sign > 0 else first_day(base)
    days, rest = divmod(length.minutes, _DAY)
    if rest:
        raise UnfitError(NOT_IN_TIME)
    if length.months and not (length.days or days) and isinstance(base, Stretch):
        # `two months after April` begins where April does
        return add_months(base.first, sign * length.months)
    return Length(length.months, length.days + days).after(day, sign)


def _length(value: Value) -> Length:
    """Return a length of time, also of an amount that was reckoned."""
    if isinstance(value, Length):
        return value
    if isinstance(value, Measure) and value.sort == "duration":
        months = {"month": 1, "quarter": 3, "year": 12, "decade": 120}.get(value.unit)
        if months and (value.value * months).denominator == 1:
            return Length(months=int(value.value * months))
        minutes = value.value * SECONDS.get(value.unit, 0) / 60
        if minutes and minutes.denominator == 1:
            return Length(days=int(minutes) // _DAY, minutes=int(minutes) % _DAY)
    raise UnfitError(NOT_IN_TIME)
