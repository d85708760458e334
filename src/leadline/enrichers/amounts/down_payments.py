"""Prices paid in parts, and lower ones: `$2,000 down and 60 payments of $385`, a third of that."""

from __future__ import annotations

import re

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount

_DOWN = re.compile(
    r"(?P<down>§m\d+§) (?:down|deposit|up ?front|in advance|on signing|at signing|now|today|first)"
    r",?(?: (?:and|plus|then|followed by|with|after that))* (?P<count>§[nm]\d+§)(?: (?:monthly"
    r"|weekly|equal|further|more|quarterly))* (?:payments|instal+ments|repayments|months|weeks)"
    r" (?:of|at) (?P<each>§m\d+§)"
)
_CASH = re.compile(
    r"\b(?:sticker|cash price|list price|price|costs?|priced|marked)(?: price)?(?: (?:is|was|of"
    r"|at))?"
    r":? (?P<price>§m\d+§)"
)
_LOWER = re.compile(
    r"(?P<n1>§n\d+§) (?:[a-z'’-]+ ){1,3}(?:at|paid|paying|for|@) (?P<price>§m\d+§)(?: each| apiece"
    r"| a head)?,?[^.;§\n]{0,20}?(?P<n2>§n\d+§) (?P<noun>[a-z'’-]+(?: [a-z]+)?),? (?:who |which )?"
    r"(?:pays?|paid|paying|at|for|are charged|were charged|gets? in for|got in for|cost|came in at)"
    r" (?:only |just |exactly )?(?P<share>§[fp]\d+§)(?: (?:of )?(?:that|it|the price|the fee|price"
    r"|as much|the fare|the full [a-z]+|the rate))?(?= ?[.,;!)])"
)


def derive_down_payments(ledger: Ledger) -> None:
    """Derive what is paid in all after a payment down, and by those who pay a share of a price."""
    for match in ledger.passage.find(_DOWN):
        _down(ledger, match)
    for match in ledger.passage.find(_LOWER):
        _lower(ledger, match)


def _read(ledger: Ledger, match: re.Match[str], *names: str) -> list[Amount]:
    return [ledger.passage.amount(match[name]) for name in names]


def _down(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `sticker $21,500; $2,000 down and then 60 payments of $385`."""
    down, count, each = operands = _read(ledger, match, "down", "count", "each")
    if down.unit != each.unit or {part.start for part in operands} & ledger.spent:
        return
    rest = count.value * each.value
    total = down.value + rest
    span = (down.start, each.end)
    if not ledger.derive(each, total, operands, "all that is paid", relation=span):
        return
    ledger.derive(each, rest, (count, each), "the payments together")
    ledger.spend(*operands)
    cash = next(ledger.passage.find(_CASH), None)
    price = ledger.passage.amount(cash["price"]) if cash else down
    if price not in operands and price.unit == each.unit and price.value < total:
        why = "what paying in parts costs"
        ledger.derive(each, total - price.value, (price, *operands), why, relation=span)
        ledger.spend(price)


def _lower(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `84 members at £45 and 31 juniors, who pay a third of that`."""
    names = ("n1", "price", "n2", "share")
    count, price, others, mark = operands = _read(ledger, match, *names)
    if not 0 < mark.part < 1 or {part.start for part in operands} & ledger.spent:
        return
    one, full = price.value * mark.part, price.value * count.value
    span = (count.start, mark.end)
    if not ledger.derive(price, one, (price, mark), f"what {match['noun']} pay", relation=span):
        return
    ledger.derive(price, full, (count, price), "those at the full price", relation=span)
    lower = one * others.value
    ledger.derive(price, lower, (price, mark, others), f"all {match['noun']}", relation=span)
    ledger.derive(price, full + lower, operands, "all of them together", relation=span)
    ledger.spend(*operands)
