"""So much to each of so many: `four ounces of flour to each egg`, with three eggs told."""

from __future__ import annotations

import re

from leadline.enrichers.amounts.counted import nouns_of, singular
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.units import TIMES, UNITS

_TO_EACH = re.compile(
    r"(?P<size>§q\d+§)(?: of (?!§)[a-z]+(?: [a-z]+)?)? (?:to|for|per|with) (?:each |every |an? )?"
    r"(?P<noun>[a-z]+)\b(?P<more>(?: in [a-z]+)?(?: (?:per|a|each|every) (?:day|week|month)))?"
)
_PAY_FOR = re.compile(
    r"\bpa(?:y|ys|id|ying) for (?:only |just )?(?P<count>§n\d+§)(?: only| of them)?(?= ?[.,;!)]"
    r"| and | but |$)"
)
_SINGLE = re.compile(
    r"\b(?:single|one|each|individual|an?|per)(?: [a-z]+){0,2} (?:is|are|costs?|sells? for|at|comes"
    r" at|:)(?: at)? ?(?P<price>§m\d+§)|(?P<price2>§m\d+§) (?:each|apiece|a copy|per [a-z]+)\b"
)
_OFTEN = re.compile(
    r"(?:(?P<times>§x\d+§)|(?P<n>§n\d+§) times|(?P<once>once)) (?:an?|per|each|every) (?P<per>day"
    r"|week|month)(?: [a-z]+){0,3}?,? (?:for|over) (?:(?P<span>§t\d+§)|(?:an?|the|one)(?: full"
    r"| whole| entire)? (?P<one>week|fortnight|month|year)\b)"
)
_OF_TIME = {
    ("day", "week"): 7, ("day", "fortnight"): 14, ("week", "year"): 52, ("week", "fortnight"): 2,
    ("month", "year"): 12,
}  # fmt: skip
_REACH = 260


def derive_per_one(ledger: Ledger) -> None:
    """Derive what so many need at so much each, and what is paid for only some of them."""
    for match in ledger.passage.find(_TO_EACH):
        _to_each(ledger, match)
    for match in ledger.passage.find(_PAY_FOR):
        _pay_for(ledger, match)
    for match in ledger.passage.find(_OFTEN):
        _often(ledger, match)


def _to_each(ledger: Ledger, match: re.Match[str]) -> None:
    passage = ledger.passage
    size, noun = passage.amount(match["size"]), singular(match["noun"])
    if noun in UNITS or noun in TIMES or len(noun) < 3 or size.start in ledger.spent:
        return
    counts = [
        each
        for each in passage.amounts
        if each.sort == "n" and each.value > 1 and abs(each.start - size.start) < _REACH
        and noun in nouns_of(passage, each) and each.start not in ledger.spent
    ]  # fmt: skip
    if len(counts) == 1:
        span = (passage.place(match.start()), passage.place(match.end()))
        value = counts[0].value * size.value
        why = f"{ledger.shown(size)} for each"
        if ledger.derive(size, value, (size, counts[0]), why, relation=span, confidence=0.75):
            ledger.spend(size)


def _pay_for(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `single copies are £4.20; take twelve and you pay for eleven only`."""
    passage = ledger.passage
    count = passage.amount(match["count"])
    money = [each for each in passage.amounts if each.sort == "m"]
    single = next(passage.find(_SINGLE), None)
    if single is None or len(money) != 1 or count.value < 2 or count.start in ledger.spent:
        return
    price = passage.amount(single["price"] or single["price2"])
    why = f"{ledger.shown(price)} for the {ledger.shown(count)} paid for"
    if ledger.derive(price, price.value * count.value, (price, count), why):
        ledger.spend(price, count)


def _often(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `three times a day for a full week`, `twice a week for six weeks`."""
    passage = ledger.passage
    mark = match["times"] or match["n"]
    if mark is None:
        return
    times = passage.amount(mark)
    told = passage.amount(match["span"]) if match["span"] else None
    unit = told.unit if told else match["one"]
    spans = 1 if unit == match["per"] else _OF_TIME.get((match["per"], unit), 0)
    count = times.value * spans * (told.value if told else 1)
    if count > times.value and count.denominator == 1:
        like = type(times)("n", count, "", times.start, times.end)
        span = (passage.place(match.start()), passage.place(match.end()))
        operands = (times, told) if told else (times,)
        ledger.derive(like, count, operands, "times in all", relation=span, confidence=0.7)
