"""All operations on two amounts of a text that their types allow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import add, mul, truediv
from typing import Any

from leadline.types import FactRole
from leadline_facts.propose.implied_counts import IMPLIED
from leadline_facts.read.amounts.passage import Amount
from leadline_facts.words import single

DOUBTS = frozenset(("hypothetical", "doubtful", "quoted", "idiom"))
"""Reasons for which nothing is derived from an amount."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An amount that follows from others.

    amount       where it starts and ends in the text is where its last operand stands
    spans        evidence
    why          the derivation in words
    about        what it is an amount of
    """

    amount: Amount
    spans: tuple[tuple[int, int], ...]
    why: str
    about: str = ""
    confidence: float = 0.8
    role: FactRole = "derived"


_ALIKE = "mqtnp"
_BASES = "mqtn"

GROUPS: dict[str, str] = {
    "add": "sum plus times_more add_one sum_of_run one_more_of",
    "take": "difference rest_of_run less take_one",
    "multiply": "product rate square distance twice yearly weekly one_less_of share_of",
    "divide": "quotient per_time part_of_time price_per how_often mean_of_run one_more_way halve"
    " monthly daily speed hours one_less_way how_long",
    "percent": "percent_of percent_change as_percent rest_percent",
    "whole": "whole_of_part whole_before_cut whole_before_rise rest_beside_part",
}
"""Kinds of operations -> their names, parted by blanks."""

OPERATIONS: tuple[str, ...] = tuple(name for names in GROUPS.values() for name in names.split())
"""Names of all operations, in the order of the outputs of the network."""

GROUP_OF = {name: group for group, names in GROUPS.items() for name in names.split()}

FORMULAS: dict[str, Callable[[Any, Any], Any]] = {
    name: formula
    for names, formula in (
        ("sum", add),
        ("difference", lambda one, other: abs(one - other)),
        ("product rate square distance share_of twice yearly weekly", mul),
        ("quotient per_time price_per speed hours halve monthly daily whole_of_part", truediv),
        ("part_of_time", lambda base, by: by / base),
        ("plus times_more one_more_of", lambda base, by: base * (1 + by)),
        ("less", lambda base, by: base * (1 - by)),
        ("one_less_of", lambda base, by: base * (by - 1)),
        ("one_more_way whole_before_rise", lambda base, by: base / (1 + by)),
        ("one_less_way", lambda base, by: base / (by - 1)),
        ("whole_before_cut", lambda base, by: base / (1 - by)),
        ("rest_beside_part", lambda base, by: base / by - base),
        ("how_often", lambda one, other: max(one, other) / min(one, other)),
        ("percent_of", lambda one, other: 100 * min(one, other) / max(one, other)),
        ("percent_change", lambda old, new: 100 * (new - old) / old),
        ("add_one", lambda count, _: count + 1),
        ("take_one", lambda count, _: count - 1),
    )
    for name in names.split()
}
"""Operation on two amounts -> what it reckons of them, floats or fractions: a base and what it is
reckoned with, which is a part of one for a share."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What an operation makes of one or two amounts.

    first, second  in the order of the text; `second` is None for an operation on one
    value          a float: what is derived of it is made exact again by `amount`
    sort, unit     of the result, as of an `Amount`
    lent           one of the two takes the sort of the other: `from 640 to 544 euros`
    """

    operation: str
    first: Amount
    second: Amount | None
    value: float
    sort: str
    unit: str
    lent: bool = False

    def amount(self, start: int = 0, end: int = 0) -> Amount:
        """Return the result as an exact amount that stands at text[start:end]."""
        value = Fraction(self.value).limit_denominator(1_000_000)
        return Amount(self.sort, value, self.unit, start, end)


def of_one(amount: Amount) -> Iterator[Candidate]:
    """Return what an amount implies alone: the rest of all for a share, one more for a count."""
    value = float(amount.value)
    if amount.sort == "p" and 0 < value < 100:
        yield Candidate("rest_percent", amount, None, 100 - value, "p", "")
    if amount.sort == "f" and 0 < value < 1:
        yield Candidate("rest_percent", amount, None, 100 * (1 - value), "p", "")
        yield Candidate("as_percent", amount, None, 100 * value, "p", "")
    if amount.sort == "n" and value > 1 and value.is_integer():
        yield Candidate("add_one", amount, None, value + 1, "n", "")
    if amount.sort == "x" and value > 1:
        yield Candidate("as_percent", amount, None, 100 * (value - 1), "p", "")


def of_run(run: Sequence[Amount]) -> Iterator[Candidate]:
    """Return what three or more amounts in one unit, one after another, imply together."""
    first, last = run[0], run[-1]
    values = [float(each.value) for each in run]
    total, largest = sum(values), max(values)
    yield Candidate("sum_of_run", first, last, total, first.sort, first.unit)
    yield Candidate("mean_of_run", first, last, total / len(run), first.sort, first.unit)
    for whole in {largest, values[0]}:
        if 2 * whole > total:
            rest = 2 * whole - total
            yield Candidate("rest_of_run", first, last, rest, first.sort, first.unit)


def of_two(first: Amount, second: Amount, currency: str = "") -> Iterator[Candidate]:
    """Return what two amounts imply together, those above nothing.

    currency  the only one of the text, which bare figures may be in; empty for none
    """
    return (each for each in _of_two(first, second, currency) if each.value > 0)


def _of_two(a: Amount, b: Amount, currency: str) -> Iterator[Candidate]:
    if a.sort == b.sort == IMPLIED:
        return
    if {a.sort, b.sort} == {"p", "t"}:
        yield from _made("rate", a, b, a, b, "p", "")
    if a.sort == b.sort == "x":
        yield from _made("product", a, b, a, b, "n", "")
    if a.sort == b.sort and a.unit == b.unit and a.sort in _ALIKE:
        yield from _alike(a, b)
    for one, other in ((a, b), (b, a)):
        if other.sort in _BASES + "fp" and one.sort in "pfy" and one.sort + other.sort != "pp":
            share = replace(one, value=one.value / (100 if one.sort in "py" else 1))
            yield from _made(
                "share_of less" if other.sort in "fp" else _OF_SHARE, a, b, other, share
            )
        if one.sort == "x" and other.sort in _ALIKE and one.value:
            yield from _made("product quotient times_more", a, b, other, one)
        if one.sort == IMPLIED and other.sort in _ALIKE:
            yield from _implied(a, b, one, other)
        if one.sort == "n" and other.sort in "mqtn":
            yield from _counted(a, b, one, other)
        if one.sort == "t" and other.sort in "mqn":
            yield from _timed(a, b, one, other)
        if one.sort == "q" and other.sort in "mn" and one.value:
            yield from _made("rate price_per", a, b, other, one)
        if one.sort == "n" and other.sort in "mqtp":
            lent = replace(one, sort=other.sort, unit=other.unit)
            pair = (lent, other) if one is a else (other, lent)
            yield from (replace(each, first=a, second=b, lent=True) for each in _alike(*pair))
        if one.sort == "n" and currency and other.sort in "nqt" and other.value:
            price = replace(one, sort="m", unit=currency)
            if other.sort == "q":
                found = _made("rate price_per", a, b, price, other)
            else:
                found = (_counted if other.sort == "n" else _timed)(a, b, other, price)
            yield from (replace(each, lent=True) for each in found)
    if a.sort == b.sort == "q" and a.unit != b.unit:
        yield from _two_units(a, b)
    if a.sort == b.sort == "n" and currency:
        found = _made("sum difference", a, b, a, b, "m", currency)
        yield from (replace(each, lent=True) for each in found)


def _made(
    names: str, a: Amount, b: Amount, base: Amount, by: Amount, sort: str = "", unit: str = ""
) -> Iterator[Candidate]:
    """Yield what operations, parted by blanks, make of a base and what it is reckoned with.

    sort, unit  those of the base by default
    """
    value, number = float(base.value), float(by.value)
    if not sort:
        sort, unit = base.sort, unit or base.unit
    for name in names.split():
        try:
            result = FORMULAS[name](value, number)
        except ZeroDivisionError:
            continue
        yield Candidate(name, a, b, result, sort, unit)


_OF_SHARE = "share_of less plus whole_of_part rest_beside_part whole_before_cut whole_before_rise"


def _alike(a: Amount, b: Amount) -> Iterator[Candidate]:
    yield from _made("sum difference", a, b, a, b)
    if a.sort == "p" or not a.value or not b.value:
        return
    for each in _made("percent_of percent_change", a, b, a, b, "p"):
        yield replace(each, value=abs(each.value))
    if a.sort != "n":
        yield from _made("how_often", a, b, a, b, "n")
    if a.sort == "q" and (square := _SQUARES.get(a.unit)):
        yield from _made("square", a, b, a, b, "q", square)


_IMPLIED = {2: "twice halve", 12: "yearly monthly", 7: "weekly daily"}


def _implied(a: Amount, b: Amount, count: Amount, base: Amount) -> Iterator[Candidate]:
    if count.value == Fraction(1, 2):
        count = replace(count, value=Fraction(2))
    if names := _IMPLIED.get(int(count.value)):
        yield from _made(names, a, b, base, count)
    elif base.sort == "n":
        yield from _made("add_one take_one", a, b, base, count)


def _counted(a: Amount, b: Amount, count: Amount, base: Amount) -> Iterator[Candidate]:
    if base.sort == "n":
        if count is a:  # the other order says the same
            larger, smaller = sorted((count, base), key=lambda each: -each.value)
            yield from _made("product", a, b, base, count)
            yield from _made("quotient", a, b, larger, smaller)
        return
    yield from _made("product quotient one_more_of one_more_way", a, b, base, count)
    if count.value > 1:
        yield from _made("one_less_of one_less_way", a, b, base, count)


def _timed(a: Amount, b: Amount, time: Amount, base: Amount) -> Iterator[Candidate]:
    units = base.unit, time.unit
    if distance := _DISTANCES.get(units):
        yield from _made("distance", a, b, base, time, "q", distance)
        return
    yield from _made("rate", a, b, base, time)
    speed = _SPEEDS.get(units)
    yield from _made("speed" if speed else "per_time", a, b, base, time, unit=speed or "")
    if base.sort == "n":
        yield from _made("part_of_time", a, b, base, time, "t", time.unit)


def _two_units(a: Amount, b: Amount) -> Iterator[Candidate]:
    for one, other in ((a, b), (b, a)):
        units = one.unit, other.unit
        if hour := _HOURS.get(units):
            yield from _made("hours", a, b, one, other, "t", hour)
        elif other.value:
            if speed := _SPEEDS.get(units):
                yield from _made("speed", a, b, one, other, "q", speed)
            yield from _made("rate", a, b, one, other)


_SQUARES = {
    "m": "m2", "km": "km2", "cm": "square cm", "mm": "square mm", "foot": "square foot",
    "inch": "square inch", "yard": "square yard", "mile": "square mile",
}  # fmt: skip
_SPEEDS = {("km", "hour"): "km/h", ("mile", "hour"): "mph", ("mile", "gallon"): "mpg"}
_DISTANCES = {("km/h", "hour"): "km", ("mph", "hour"): "mile", ("knot", "hour"): "nautical mile"}
_HOURS = {("km", "km/h"): "hour", ("mile", "mph"): "hour", ("nautical mile", "knot"): "hour"}


_WORDS = single("operation_words")


def in_words(candidate: Candidate, first: str, second: str) -> str:
    """Return how a candidate comes from what is written for its first and second amount.

    The amount beside a count that a word implies is named where only one counts.
    """
    if candidate.second is not None and candidate.first.sort == "k":
        first, second = second, first
    return _WORDS[candidate.operation].format(a=first, b=second)
