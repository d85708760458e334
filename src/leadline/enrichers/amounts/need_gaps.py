"""How many are needed to fill a gap: `needs 20,000 litres, gives 5,000; tankers of 5,000 each`."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.measures import is_alike, value_as
from leadline.enrichers.amounts.passage import Amount

_NEED = re.compile(
    r"\b(?:needs?|needed|needing|requires?|required|uses?|wants?)(?: (?:about|all of|some))?"
    r" (?P<need>§[qn]\d+§)"
)
_HAVE = re.compile(
    r"\b(?:gives?|giving|has|have|had|got|yields?|supplies|supplying|provides?|providing|holds?"
    r"|left|delivers?|is down to|there (?:is|are)) (?:[a-z]+ )?(?:only|just"
    r"|but) (?P<have>§[qn]\d+§)"
    r"|\b(?:only|just) (?P<have2>§[qn]\d+§) (?:left|in hand|in stock|to hand|so far)\b"
)
_SIZE = re.compile(
    r"(?P<size>§[qn]\d+§)(?: [a-z]+)? (?:each|apiece|a time|per (?:trip|load|tanker|bag|box|crate))"
    r"(?:,? (?:at|for|costing) (?P<price>§m\d+§))?"
    r"|\beach [a-z]+ (?:takes|holds|carries|brings|delivers|seats|gives) (?P<size2>§[qn]\d+§)"
)
_EACH_AT = re.compile(
    r"(?:(?P<count>§n\d+§) (?:[a-z'’-]+ ){1,3}(?:of )?)?§q\d+§ (?:each|apiece),? (?:at|for|costing)"
    r" (?P<price>§m\d+§)(?! (?:an?|per) )"
)


def derive_need_gaps(ledger: Ledger) -> None:
    """Derive how many loads fill the gap between what is needed and what there is."""
    passage = ledger.passage
    need = next(passage.find(_NEED), None)
    have = next(passage.find(_HAVE), None)
    size = next(passage.find(_SIZE), None)
    if need and have and size and need.start() < have.start() < size.start():
        whole, part = passage.amount(need["need"]), passage.amount(have["have"] or have["have2"])
        _loads(ledger, whole, part, size)
    for match in passage.find(_EACH_AT):
        price = passage.amount(match["price"])
        count = passage.amount(match["count"]) if match["count"] else None
        if count is not None and price.start not in ledger.spent:
            why = f"{ledger.shown(price)} × {count.value}"
            ledger.derive(price, price.value * count.value, (count, price), why)
        # the price is that of one of them, not of its litres
        ledger.spend(price)


def _loads(ledger: Ledger, need: Amount, have: Amount, match: re.Match[str]) -> None:
    load = ledger.passage.amount(match["size"] or match["size2"])
    alike = is_alike(need, have) and is_alike(need, load)
    if not alike or {need.start, have.start, load.start} & ledger.spent:
        return
    gap = need.value - value_as(have, need)
    if gap <= 0 or not load.value or load.start == have.start:
        return
    count = Fraction(math.ceil(gap / value_as(load, need)))
    span = (have.start, load.end)
    like = Amount("n", count, "", load.start, load.end)
    ledger.derive(need, gap, (need, have), "what is missing")
    if not ledger.derive(like, count, (need, have, load), "loads of that size", relation=span):
        return
    ledger.spend(need, have, load)
    price = ledger.passage.amount(match["price"]) if match["price"] else None
    if price is not None:
        why = f"{ledger.shown(price)} × {count}"
        ledger.derive(price, price.value * count, (need, have, load, price), why, relation=span)
        ledger.spend(price)
