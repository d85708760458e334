"""Prices of one times how many there are, through any chain of `per`: people, nights, hours a week.

A price per person per night meets a count of people and one of nights; a price of a kilowatt hour
meets so many a day and then so many days. What a count leaves over in its own `per`, the product
is per, until nothing is left to multiply with.
"""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.charged_counts import charged
from leadline.enrichers.amounts.dimensions import (
    BARE,
    EACH,
    WAY,
    Count,
    implied_basis,
    period_factor,
    read_counts,
)
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount
from leadline.enrichers.amounts.price_rates import Rate

_FAR = 320
_STEPS = 5
_PERIOD = re.compile(
    r"(?<!§)\b(?:(?:per|each|a|by the) )?(day|week|month|year|monthly|weekly"
    r"|daily|yearly|annually)\b"
)
_PERIODS = {
    "monthly": "month",
    "weekly": "week",
    "daily": "day",
    "yearly": "year",
    "annually": "year",
}
_SAME_AS = re.compile(
    r"\b(?:same as|(?:price|cost) of|as much as|(?:charged?|pay|paying|paid"
    r"|billed) (?:only )?for)(?: the| only| just)? $",
    re.IGNORECASE,
)
_OVERTIME = re.compile(r"\btime[ -]and[ -](?:a[ -]half|§f\d+§)|\b(?:§x\d+§|double)[ -]time\b")


def derive_priced_counts(ledger: Ledger, rates: list[Rate]) -> None:
    """Derive what so many cost or earn at their price of one; the prices are spent."""
    counts = read_counts(ledger.passage) if rates else []
    counts += [
        Count(each.amount, frozenset((each.amount.unit,)))
        for each in ledger.entries
        if rates and each.amount.sort == "q" and each.role == "derived"
    ]
    for rate in rates:
        is_overtime = any(each.name == "hour" for each in rate.bases) and _OVERTIME.search(
            ledger.passage.marked
        )
        if rate.amount.start not in ledger.spent and not is_overtime:
            _product(ledger, rate, counts, rates)


def _product(ledger: Ledger, rate: Rate, counts: list[Count], rates: list[Rate]) -> None:
    """Enter the product of a price with all counts that it is per, and on with what those are per.

    What a price per person per night comes to for the persons only is not entered.
    """
    value, operands = rate.amount.value, [rate.amount]
    told_sizes = [each.told for each in rate.bases if each.told]
    inner, outer = [each.name for each in rate.bases], list[str]()
    sizes = {each.name: each.size for each in rate.bases}
    words, is_entered = [ledger.shown(rate.amount)], True
    if rate.count is not None:
        told = next((each for each in counts if each.amount == rate.count), None)
        told = told or Count(rate.count, frozenset())
        times, parts = charged(ledger.passage, told)
        value, words, operands = value * times, [*words, ledger.shown(rate.count)], operands + parts
        outer += [told.per] if told.per and told.per not in inner else []
        is_entered = bool(inner)
        if not inner:
            _enter(ledger, rate, value, operands, words)
            is_entered = True
    for _ in range(_STEPS):
        bases = [*inner, *outer]
        step = _step(ledger, rate, bases, counts, [*operands, *told_sizes], rates)
        if step is None:
            break
        name, times, parts, per = step
        value = value * times / sizes.get(name, Fraction(1))
        operands += parts
        words += [ledger.shown(each) for each in parts] or [f"{times}"]
        (inner if name in inner else outer).remove(name)
        inner += [each for each in (implied_basis(name),) if each]
        outer += [per] if per else []
        is_entered = not inner
        if is_entered:
            _enter(ledger, rate, value, operands, words)
    if not is_entered:
        _enter(ledger, rate, value, operands, words)
    elif rate.amount.start not in ledger.spent and len(rate.bases) == 1:
        _by_other_period(ledger, rate)


def _by_other_period(ledger: Ledger, rate: Rate) -> None:
    """Read `£1,040 a year. That is per week?`."""
    told = _PERIOD.search(ledger.passage.marked, rate.end, rate.end + 90)
    if told is None:
        return
    factor = period_factor(rate.bases[0].name, _PERIODS.get(told[1], told[1]))
    if factor and factor != 1:
        span = (ledger.passage.place(told.start()), ledger.passage.place(told.end()))
        value = rate.amount.value / factor
        ledger.derive(rate.amount, value, (rate.amount,), told[0], relation=span, confidence=0.6)


def _enter(
    ledger: Ledger, rate: Rate, value: Fraction, operands: list[Amount], words: list[str]
) -> None:
    at = rate.amount.start
    if value == rate.amount.value or "negated" in ledger.passage.doubts([(at, rate.amount.end)]):
        return
    if ledger.derive(rate.amount, value, tuple(operands), " × ".join(words), among=3):
        ledger.spend(rate.amount)


def _step(
    ledger: Ledger,
    rate: Rate,
    bases: list[str],
    counts: list[Count],
    used: list[Amount],
    rates: list[Rate],
) -> tuple[str, Fraction, list[Amount], str] | None:
    """Return a basis that a count resolves: its name, how many, whence, and what that is per."""
    for name in bases:
        if name == WAY:
            return WAY, Fraction(2), [], "day"
        best: tuple[tuple[bool, bool, int], Count, Fraction] | None = None
        for count in counts:
            times = count.of(name)
            if times is None or count.amount in used or count.per in bases or times <= 0:
                continue
            if best is None or _order(ledger, rate, count, name, rates) < best[0]:
                order = _order(ledger, rate, count, name, rates)
                if order[-1] <= _FAR:
                    best = order, count, times
        if best is None and rate.at and name == rate.bases[0].name and rate.at.sort == "n":
            return name, rate.at.value, [rate.at], ""
        if best is not None:
            _, count, times = best
            net, parts = charged(ledger.passage, count)
            return name, times * net / count.amount.value, parts, count.per
    return None


def _order(
    ledger: Ledger, rate: Rate, count: Count, name: str, rates: list[Rate]
) -> tuple[bool, bool, int]:
    """Return how far a count is from a price, the least first."""
    here, there = rate.amount.start, count.amount.start
    text = ledger.passage.text
    if _SAME_AS.search(text, max(0, there - 24), there):
        return False, False, 0
    is_apart = ledger.passage.sentence(here) != ledger.passage.sentence(there)
    is_behind = name == EACH and there > here
    away = abs(here - there)
    low, high = sorted((here, there))
    # a count beside another price belongs to that one
    between = sum(low < each.amount.start < high for each in rates)
    is_attribute = BARE in count.names or "-" in text[there : count.amount.end]
    return is_apart, is_behind or is_attribute, away + 60 * between
