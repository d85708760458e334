"""Prices by bands: so many at one rate, what is over at another; overtime beyond so many hours."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.measures import ratio_of_units
from leadline.enrichers.amounts.passage import Amount

_TIME_AND = re.compile(
    r"\btime[ -]and[ -](?:an?[ -])?(?P<part>§f\d+§|half|quarter|third)|(?P<times>§x\d+§)[ -]time\b"
    r"|(?P<rate>§x\d+§) (?:the |my |our |his |her )?(?:flat|basic|normal|usual|hourly|standard"
    r"|ordinary|regular) (?:rate|pay|wage)"
)
_PARTS = {"half": Fraction(1, 2), "quarter": Fraction(1, 4), "third": Fraction(1, 3)}
_NORMAL = (
    r"(?:flat|basic|normal|usual|standard|ordinary|regular|plain|straight|contract(?:ed|ual)?)"
)
_FIRST_HOURS = re.compile(
    rf"\b(?:first|up to|over|above|beyond|past|after|exceed\w*|more than) (?:the )?(?:{_NORMAL} )?"
    rf"(?P<limit>§[ntm]\d+§)"
    rf"|(?P<limit2>§[nt]\d+§)(?: [a-z]+){{0,2}} (?:at|on) (?:the |a |her |his |my |our )?{_NORMAL}"
)
_HOURLY = re.compile(
    rf"(?P<rate>§m\d+§)(?: an?| per| the|/| ?/ ?) ?(?:hour|hr|h)\b"
    rf"|\b{_NORMAL}(?: rate| pay)?(?: of| is| was|:)? (?P<rate2>§m\d+§)"
)
_FIRST = re.compile(
    r"\bfirst (?P<size>§[nq]\d+§)(?: (?!free\b)[a-z]+){0,2}?(?: (?:is|are|was|were|go|goes|come"
    r"|comes|at|cost|costs|for|charged|billed))*:? ?(?P<price>§m\d+§|free|nothing|no charge"
    r"|nil|included)"
)
_NEXT = re.compile(
    r"\bnext (?P<size>§[nq]\d+§)(?: [a-z]+){0,2}?(?: (?:is|are|was|were|go|goes|come|comes|at|cost"
    r"|costs|for|charged|billed))*:? ?(?P<price>§m\d+§)"
)
_OVER = re.compile(
    r"(?:\b(?:anything|everything|all|any|each|every|units?|the)\b[^.;§\n]{0,25}?\b(?:over|above"
    r"|beyond|past|after|thereafter|further|additional|extra|more|rest|remainder)\b"
    r"|\b(?:thereafter|after that|beyond that|above that|over that|then))(?: (?:that|this|it"
    r"|§[nq]\d+§))?[^.;§\n]{0,25}?(?P<price>§m\d+§)"
)
_REACH = 320


def derive_bands(ledger: Ledger) -> None:
    """Derive what so many come to where the first of them are charged otherwise."""
    passage = ledger.passage
    if "first " in passage.marked:
        for match in passage.find(_FIRST):
            _bands(ledger, match)
    if factor := passage.first(_TIME_AND):
        _overtime(ledger, factor)


def _bands(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `first 100 units free, next 100 at £5, anything over that at £8. We used 260`."""
    passage, end = ledger.passage, match.end()
    bands = [(passage.amount(match["size"]), _price(ledger, match["price"]))]
    while found := _NEXT.search(passage.marked, end, end + 90):
        bands.append((passage.amount(found["size"]), passage.amount(found["price"])))
        end = found.end()
    over = _OVER.search(passage.marked, end, end + 120)
    is_free = bands[0][1] is None
    if over is None or (len(bands) == 1 and not is_free):
        return  # one band with a price is read by the rule of tariffs
    last = passage.amount(over["price"])
    sizes, prices = [size for size, _ in bands], [price for _, price in bands]
    limit = sum((size.value for size in sizes), Fraction(0))
    counts = [
        each
        for each in passage.amounts
        if each.sort == sizes[0].sort and each.unit == sizes[0].unit and each.value > limit
        and abs(each.start - last.start) < _REACH and each not in sizes
    ]  # fmt: skip
    if len(counts) != 1 or last.start in ledger.spent:
        return
    count, total = counts[0], Fraction(0)
    for size, price in bands:
        total += size.value * price.value if price else 0
    operands = [*sizes, *(each for each in prices if each), last, count]
    above = count.value - limit
    ledger.derive(count, above, [*sizes, count], "those in the last band")
    if ledger.derive(last, total + above * last.value, operands, "by bands"):
        ledger.spend(*operands)


def _price(ledger: Ledger, words: str) -> Amount | None:
    return ledger.passage.amount(words) if words.startswith("§") else None


def _overtime(ledger: Ledger, factor: re.Match[str]) -> None:
    """Read `46 hours; the first forty at the flat £14, above that time and a half`."""
    passage = ledger.passage
    first = next(passage.find(_FIRST_HOURS), None)
    hourly = next(passage.find(_HOURLY), None)
    if first is None or hourly is None:
        return
    limit = passage.amount(first["limit"] or first["limit2"])
    rate = passage.amount(hourly["rate"] or hourly["rate2"])
    worked = [
        each
        for each in passage.amounts
        if each.sort == "t" and each.unit == "hour" and each.start != limit.start
        and each.value > limit.value
    ]  # fmt: skip
    if len(worked) != 1 or rate.start == limit.start or {rate.start, limit.start} & ledger.spent:
        return
    if limit.sort == "t" and ratio_of_units(limit.unit, "hour") != 1:
        return
    hours, times = worked[0], _times(ledger, factor)
    span = (passage.place(factor.start()), passage.place(factor.end()))
    over, bare = hours.value - limit.value, replace(limit, sort="n", unit="")
    dearer = replace(rate, value=rate.value * times)
    told = (limit.start, limit.end)  # `up to 40` is exact here
    if not ledger.derive(bare, over, (hours,), "hours of overtime", relation=told):
        return
    base, extra = rate.value * limit.value, dearer.value * over
    ledger.derive(rate, dearer.value, (rate,), "overtime rate", relation=span)
    ledger.derive(rate, base, (rate,), "pay for the first hours", relation=told)
    operands = (hours, rate)
    ledger.derive(rate, extra, operands, "pay for overtime", relation=span)
    ledger.derive(rate, base + extra, operands, "pay with overtime", relation=span)
    ledger.spend(rate, limit, hours)


def _times(ledger: Ledger, factor: re.Match[str]) -> Fraction:
    if mark := factor["times"] or factor["rate"]:
        return ledger.passage.amount(mark).value
    part = factor["part"]
    return 1 + (ledger.passage.amount(part).value if part.startswith("§") else _PARTS[part])
