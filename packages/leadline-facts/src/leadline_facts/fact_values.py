"""Typed values of facts: their canonical form, and how well a fact meets a constraint.

Times become minutes, measures become amounts in the first unit of their dimension, names are
case-folded. So `575 minute` equals `9 h 35 min`, and a day is in a month.
"""

from __future__ import annotations

import calendar
import json
from collections.abc import Hashable, Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any, TypeAlias

from leadline.text.countries import folded
from leadline.types import Constraint, Fact
from leadline_facts.words import several

Key: TypeAlias = tuple[Hashable, ...]

TEMPORAL = frozenset({"date", "date_range", "month", "year", "interval", "datetime"})
"""Kinds that cover a stretch of the calendar."""

MEASURES = frozenset({"money", "quantity", "duration", "number", "percent", "age"})
"""Kinds that are an amount of something."""

DAY = 1440
"""Minutes."""

NO_CURRENCY = ("money", "XXX")
"""What prices can be compared within whose currency is not said (XXX is no currency, ISO 4217)."""

_EXACT, _NEAR, _UNSAID = 1e-6, 0.005, 0.8
# What is derived by a rounded ratio is a little off; what is stated is mostly another amount.
_DERIVED_NEAR, _STATED_NEAR = 0.5, 0.02

_DIMENSIONS = {
    unit: (dimension, float(factor))
    for dimension, units in several("measures").items()
    for unit, factor in (each.rsplit(maxsplit=1) for each in units)
}
"""Unit -> the first unit of its dimension, and how many of that it is."""


def canonical(kind: str, value: Any) -> Key:
    """Return a key that is equal for equal values of one kind, however they are written.

    A value that does not have the form of its kind is its own JSON text.
    """
    try:
        if kind in TEMPORAL:
            return ("moment" if kind == "datetime" else kind, *span_of(kind, value))
        if kind in MEASURES:
            group, amount = measured(kind, value)
            return (*group, round(amount, 6))
        if kind == "country":
            return (kind, str(value["code"]).upper())
        if kind in ("city", "region"):
            return (kind, folded(value["name"]))
        if kind == "time":
            return (kind, minute_of_day(value))
    except (KeyError, TypeError, ValueError, IndexError, OverflowError):
        pass
    return (kind, json.dumps(value, sort_keys=True, ensure_ascii=False))


def agreement(constraint: Constraint, fact: Fact) -> float:
    """Return how far a fact meets a constraint, in [0, 1]; values of two kinds may meet.

    1 where the values are equal, or where the narrower asked for or told lies in the other as it
    should (a day in the month asked for, an hour in the interval told); less where a fact is only
    vaguer than the constraint (a month for a day), or an amount off by up to half a percent, which
    counts little where it is stated.
    A value that does not have the form of its kind meets only its equal.
    """
    try:
        return _agreement(constraint, fact)
    except (KeyError, TypeError, ValueError, IndexError, OverflowError):
        return 0.0


def span_of(kind: str, value: Any) -> tuple[int, int]:
    """Return the first minute of a temporal value, and the first one after it.

    Minutes count from the year 1. Raises ValueError where the value is not of the kind.
    """
    if kind == "date":
        start = date.fromisoformat(value).toordinal() * DAY
        return start, start + DAY
    if kind == "date_range":
        first, last = (date.fromisoformat(each).toordinal() for each in value)
        return first * DAY, (last + 1) * DAY
    if kind == "month":
        year, month = (int(part) for part in value.split("-"))
        start = date(year, month, 1).toordinal()
        return start * DAY, (start + calendar.monthrange(year, month)[1]) * DAY
    if kind == "year":
        year = int(value)
        return date(year, 1, 1).toordinal() * DAY, (date(year, 12, 31).toordinal() + 1) * DAY
    if kind == "interval":
        return _minute(value[0]), _minute(value[1])
    if kind == "datetime":
        return _minute(value), _minute(value) + 1
    raise ValueError(f"{kind} is not a temporal kind")


def measured(kind: str, value: Any) -> tuple[tuple[str, str], float]:
    """Return what an amount can be compared within, and the amount in its first unit."""
    if isinstance(value, Mapping):
        amount = float(value["amount"])
        if kind == "money":
            return ("money", str(value["currency"]).upper()), amount
        unit = " ".join(str(value["unit"]).casefold().split())
        dimension, factor = _DIMENSIONS.get(unit) or _DIMENSIONS.get(unit.removesuffix("s")) or (
            unit, 1.0,
        )  # fmt: skip
        return ("measure", dimension), amount * factor
    return (kind, ""), float(value)


def minute_of_day(value: str) -> int:
    """Return the minutes after midnight of `16:00`."""
    hour, minute = value.split(":")
    return int(hour) * 60 + int(minute)


def bounds(constraint: Constraint) -> tuple[tuple[str, str], float, float]:
    """Return what a constraint on an amount can be compared within, and the least and the most."""
    value = constraint.value
    low = high = value
    if isinstance(value, list | tuple):
        low, high = value
    elif isinstance(value, Mapping) and isinstance(value["amount"], list | tuple):
        low, high = ({**value, "amount": each} for each in value["amount"])
    group, least = measured(constraint.kind, low)
    most = measured(constraint.kind, high)[1]
    if constraint.relation == "before":
        return group, float("-inf"), most
    if constraint.relation == "after":
        return group, least, float("inf")
    return group, least, most


def _agreement(constraint: Constraint, fact: Fact) -> float:
    kind, asked = fact.kind, constraint.kind
    if constraint.relation == "not":
        met = _agreement(replace(constraint, relation="equal"), fact)
        return 1.0 - met if asked == kind else 0.0
    if asked in TEMPORAL and kind in TEMPORAL:
        return _in_time(constraint, fact)
    if asked in MEASURES and kind in MEASURES:
        return _in_amount(constraint, fact)
    if asked == "time" and kind == "interval":
        return 0.8 if _contains_hour(fact.value, constraint.value) else 0.0
    if asked == "datetime" and kind == "time":
        return 0.3 if str(constraint.value).endswith(fact.value) else 0.0
    if asked == "time" and kind == "time" and constraint.relation in ("before", "after"):
        told, limit = minute_of_day(fact.value), minute_of_day(constraint.value)
        return float(told < limit if constraint.relation == "before" else told > limit)
    return float(
        asked == kind and canonical(asked, constraint.value) == canonical(kind, fact.value)
    )


def _in_time(constraint: Constraint, fact: Fact) -> float:
    first, last = span_of(constraint.kind, constraint.value)
    start, end = span_of(fact.kind, fact.value)
    if constraint.relation == "before":
        return float(end <= first)
    if constraint.relation == "after":
        return float(start >= last)
    if end <= first or last <= start:
        return 0.0
    if first <= start and end <= last:
        return 1.0
    if start <= first and last <= end:
        if constraint.kind == "datetime" and fact.kind == "date_range":
            return _VAGUER["date"]  # the days are said, the hour is not
        return _VAGUER.get(fact.kind, 1.0)
    return 0.4


_VAGUER = {"date": 0.6, "month": 0.3, "year": 0.1}
"""What a fact is worth that contains what is asked for without saying so; something that lasts (a
range of days, an interval of hours) says so."""


def _in_amount(constraint: Constraint, fact: Fact) -> float:
    group, least, most = bounds(constraint)
    told, amount = measured(fact.kind, fact.value)
    unsaid = group != told and NO_CURRENCY in (group, told) and group[0] == told[0]
    if group != told and not unsaid:
        return 0.0
    slack = _EXACT * max(1.0, abs(amount))
    if least - slack <= amount <= most + slack:
        return _UNSAID if unsaid else 1.0
    if unsaid:
        return 0.0
    off = min(abs(amount - least), abs(amount - most)) / max(abs(amount), _EXACT)
    if constraint.relation not in ("equal", "within") or off > _NEAR:
        return 0.0
    return _STATED_NEAR if fact.role == "stated" else _DERIVED_NEAR


def _contains_hour(interval: Any, hour: str) -> bool:
    start, end = span_of("interval", interval)
    first = start - start % DAY + minute_of_day(hour)
    return start <= first < end or start <= first + DAY < end


def _minute(text: str) -> int:
    moment = datetime.fromisoformat(text)
    return moment.toordinal() * DAY + moment.hour * 60 + moment.minute
