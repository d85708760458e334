"""Simple interest: a sum, a rate a year, and how long."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount

_RATE = re.compile(
    r"(?P<rate>§p\d+§)(?P<tail>(?: (?:simple|flat|fixed|annual|yearly|a year|per year|per annum"
    r"|p\.a\.?"
    r"|pa|aer|gross|a month|per month|monthly))*(?: rate(?: of)?)? interest\b"
    r"| (?:per annum|p\.a\.?|a year|per year|annually|each year|yearly|aer|for (?:a|one) year"
    r"|for §t\d+§))"
)
_INTEREST_AT = re.compile(
    r"\b(?:interest|rate|coupon|yield\w*)(?: rate)?(?:,? (?:of|at|is|was|charged at|fixed at|set at"
    r"|simple|rate|runs at|accrues at|a flat))* (?P<rate>§p\d+§)(?P<tail>)"
)
_SUM = re.compile(
    r"\b(?:lent|lend|loan\w*|borrow\w*|principal|deposit\w*|invest\w*|savings?|saved|bond|account"
    r"|mortgage|debt|owe[sd]?|advance[d]?|capital|put|placed|sum|balance)\b|at $"
)
_NOT_SIMPLE = re.compile(
    r"\bcompound|\breinvest|\brolled|\bapr\b|\bdiscount\b|\btip\b"
    r"|\binflation\b"
)
_ONE_YEAR = re.compile(
    r"\b(?:a|one|the|this|per|each) year\b|\byearly\b|\bannual|\bper annum"
    r"|\bp\.a"
)
_MONTHLY = re.compile(r"\b(?:a|per|each) month\b|\bmonthly\b")


def derive_interest(ledger: Ledger) -> None:
    """Derive simple interest, and the sum with it; nothing where it is compound."""
    passage = ledger.passage
    if "%" not in passage.text and "cent" not in passage.text:
        return
    for pattern in (_RATE, _INTEREST_AT):
        for match in passage.find(pattern):
            rate = passage.amount(match["rate"])
            if rate.start not in ledger.spent and not passage.first(_NOT_SIMPLE):
                _interest(ledger, rate, match)


def _interest(ledger: Ledger, rate: Amount, match: re.Match[str]) -> None:
    passage = ledger.passage
    near = passage.marked[max(0, match.start() - 160) : match.end() + 60]
    placed = re.search(r"§m\d+§(?: [a-z]+){0,3} at $", passage.marked[: match.start()])
    if not placed and "interest" not in near and not _SUM.search(near):
        return
    sums = [each for each in passage.amounts if each.sort == "m"]
    sums = [each for each in sums if abs(each.start - rate.start) < 250]
    units = ("year", "month", "week") if _MONTHLY.search(near) else ("year", "month")
    times = [
        each
        for each in passage.amounts
        if each.sort == "t" and each.unit in units and abs(each.start - rate.start) < 250
    ]
    if len(sums) != 1 or len(times) > 1:
        return
    base = sums[0]
    step = {"year": Fraction(1), "month": Fraction(1, 12), "week": Fraction(1, 52)}
    if _MONTHLY.search(match[0]):
        step = {"month": Fraction(1), "year": Fraction(12), "week": Fraction(12, 52)}
    if times:
        time = times[0].value * step[times[0].unit]
    elif _ONE_YEAR.search(near) or "interest" in near:
        time = Fraction(1)
    else:
        return
    gained = base.value * rate.value / 100 * time
    operands = (base, rate, *times)
    ledger.derive(base, gained, operands, "simple interest", confidence=0.7)
    ledger.derive(base, base.value + gained, operands, "with simple interest", confidence=0.7)
    ledger.spend(rate)
