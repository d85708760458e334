"""What two amounts of a text may yield together: every operation that their sorts allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from leadline.enrichers.propose.implied_counts import IMPLIED
from leadline.enrichers.read.amounts.passage import Amount

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
        yield Candidate("rate", a, b, float(a.value) * float(b.value), "p", "")
    if a.sort == b.sort == "x":
        yield Candidate("product", a, b, float(a.value) * float(b.value), "n", "")
    if a.sort == b.sort and a.unit == b.unit and a.sort in _ALIKE:
        yield from _alike(a, b)
    for one, other in ((a, b), (b, a)):
        if other.sort in _BASES + "fp" and one.sort in "pfy" and one.sort + other.sort != "pp":
            yield from _share(a, b, one, other)
        if one.sort == "x" and other.sort in _ALIKE and one.value:
            yield from _multiple(a, b, one, other)
        if one.sort == IMPLIED and other.sort in _ALIKE:
            yield from _implied(a, b, one, other)
        if one.sort == "n" and other.sort in "mqtn":
            yield from _counted(a, b, one, other)
        if one.sort == "t" and other.sort in "mqn":
            yield from _timed(a, b, one, other)
        if one.sort == "q" and other.sort in "mn" and one.value:
            yield from _measured(a, b, one, other)
        if one.sort == "n" and other.sort in "mqtp":
            lent = replace(one, sort=other.sort, unit=other.unit)
            pair = (lent, other) if one is a else (other, lent)
            for each in _alike(*pair):
                yield replace(each, first=a, second=b, lent=True)
        if one.sort == "n" and currency and other.sort in "nqt":
            price = replace(one, sort="m", unit=currency)
            rates = _counted if other.sort == "n" else _timed if other.sort == "t" else _measured
            if other.value:
                for each in rates(a, b, other, price):
                    yield replace(each, lent=True)
    if a.sort == b.sort == "q" and a.unit != b.unit:
        yield from _two_units(a, b)
    if {a.sort, b.sort} == {"p", "y"}:
        yield Candidate("sum", a, b, float(a.value + b.value), "p", "")
        yield Candidate("difference", a, b, abs(float(a.value - b.value)), "p", "")
    if a.sort == b.sort == "n" and currency:
        x, y = float(a.value), float(b.value)
        yield Candidate("sum", a, b, x + y, "m", currency, True)
        yield Candidate("difference", a, b, abs(x - y), "m", currency, True)


def _alike(a: Amount, b: Amount) -> Iterator[Candidate]:
    x, y, sort, unit = float(a.value), float(b.value), a.sort, a.unit
    yield Candidate("sum", a, b, x + y, sort, unit)
    yield Candidate("difference", a, b, abs(x - y), sort, unit)
    if sort == "p" or not x or not y:
        return
    yield Candidate("percent_of", a, b, 100 * min(x, y) / max(x, y), "p", "")
    yield Candidate("percent_change", a, b, abs(100 * (y - x) / x), "p", "")
    ratio = max(x, y) / min(x, y)
    if sort != "n":
        yield Candidate("how_often", a, b, ratio, "n", "")
    if sort == "q" and (square := _SQUARES.get(unit)):
        yield Candidate("square", a, b, x * y, "q", square)


def _share(a: Amount, b: Amount, share: Amount, base: Amount) -> Iterator[Candidate]:
    part = float(share.value) / (100 if share.sort in "py" else 1)
    value, sort, unit = float(base.value), base.sort, base.unit
    yield Candidate("share_of", a, b, value * part, sort, unit)
    yield Candidate("less", a, b, value * (1 - part), sort, unit)
    if sort in "fp":
        return
    yield Candidate("plus", a, b, value * (1 + part), sort, unit)
    if part:
        yield Candidate("whole_of_part", a, b, value / part, sort, unit)
        yield Candidate("rest_beside_part", a, b, value / part - value, sort, unit)
    if part < 1:
        yield Candidate("whole_before_cut", a, b, value / (1 - part), sort, unit)
    yield Candidate("whole_before_rise", a, b, value / (1 + part), sort, unit)


def _multiple(a: Amount, b: Amount, times: Amount, base: Amount) -> Iterator[Candidate]:
    value, number, sort, unit = float(base.value), float(times.value), base.sort, base.unit
    yield Candidate("product", a, b, value * number, sort, unit)
    yield Candidate("quotient", a, b, value / number, sort, unit)
    yield Candidate("times_more", a, b, value * (number + 1), sort, unit)


_IMPLIED = {
    2.0: ("twice", "halve"),
    12.0: ("yearly", "monthly"),
    7.0: ("weekly", "daily"),
    0.5: ("halve", "twice"),
}


def _implied(a: Amount, b: Amount, count: Amount, base: Amount) -> Iterator[Candidate]:
    value, number, sort, unit = float(base.value), float(count.value), base.sort, base.unit
    if names := _IMPLIED.get(number):
        yield Candidate(names[0], a, b, value * number, sort, unit)
        yield Candidate(names[1], a, b, value / number, sort, unit)
    elif sort == "n":
        yield Candidate("add_one", a, b, value + 1, "n", "")
        yield Candidate("take_one", a, b, value - 1, "n", "")


def _counted(a: Amount, b: Amount, count: Amount, base: Amount) -> Iterator[Candidate]:
    value, number, sort, unit = float(base.value), float(count.value), base.sort, base.unit
    if sort == "n" and count is b and base is a:
        # the other order says the same
        return
    yield Candidate("product", a, b, value * number, sort, unit)
    if sort == "n":
        if min(value, number):
            yield Candidate("quotient", a, b, max(value, number) / min(value, number), sort, unit)
        return
    if number:
        yield Candidate("quotient", a, b, value / number, sort, unit)
    yield Candidate("one_more_of", a, b, value * (number + 1), sort, unit)
    yield Candidate("one_more_way", a, b, value / (number + 1), sort, unit)
    if number > 1:
        yield Candidate("one_less_of", a, b, value * (number - 1), sort, unit)
        yield Candidate("one_less_way", a, b, value / (number - 1), sort, unit)


def _timed(a: Amount, b: Amount, time: Amount, base: Amount) -> Iterator[Candidate]:
    value, hours, sort, unit = float(base.value), float(time.value), base.sort, base.unit
    speed = _DISTANCES.get((unit, time.unit))
    if speed:
        yield Candidate("distance", a, b, value * hours, "q", speed)
        return
    yield Candidate("rate", a, b, value * hours, sort, unit)
    if hours:
        made = _SPEEDS.get((unit, time.unit), unit)
        name = "per_time" if made == unit else "speed"
        yield Candidate(name, a, b, value / hours, sort, made)
    if sort == "n" and value:
        yield Candidate("part_of_time", a, b, hours / value, "t", time.unit)


def _measured(a: Amount, b: Amount, measure: Amount, base: Amount) -> Iterator[Candidate]:
    value, much, sort, unit = float(base.value), float(measure.value), base.sort, base.unit
    yield Candidate("rate", a, b, value * much, sort, unit)
    yield Candidate("price_per", a, b, value / much, sort, unit)


def _two_units(a: Amount, b: Amount) -> Iterator[Candidate]:
    for one, other in ((a, b), (b, a)):
        x, y = float(one.value), float(other.value)
        if hour := _HOURS.get((one.unit, other.unit)):
            if y:
                yield Candidate("hours", a, b, x / y, "t", hour)
        elif y:
            if made := _SPEEDS.get((one.unit, other.unit)):
                yield Candidate("speed", a, b, x / y, "q", made)
            yield Candidate("rate", a, b, x * y, "q", one.unit)


_SQUARES = {
    "m": "m2", "km": "km2", "cm": "square cm", "mm": "square mm", "foot": "square foot",
    "inch": "square inch", "yard": "square yard", "mile": "square mile",
}  # fmt: skip
_SPEEDS = {("km", "hour"): "km/h", ("mile", "hour"): "mph", ("mile", "gallon"): "mpg"}
_DISTANCES = {("km/h", "hour"): "km", ("mph", "hour"): "mile", ("knot", "hour"): "nautical mile"}
_HOURS = {("km", "km/h"): "hour", ("mile", "mph"): "hour", ("nautical mile", "knot"): "hour"}
