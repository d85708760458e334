"""Shares of a rate, of each instalment, and charges on a price that was worked out."""

from __future__ import annotations

import re

from leadline.enrichers.amounts.ledger import Entry, Ledger
from leadline.enrichers.amounts.passage import Amount

_OF_RATE = re.compile(
    r"(?P<share>§[pf]\d+§)(?: of)? (?:that|this|its|the|which|the rated|its rated|full|the full)"
    r" (?:rated |daily |full |normal |usual )?(?:rate|capacity|output|speed|pace|flow|rating)\b"
)
_RATE = re.compile(
    r"(?P<rate>§[qm]\d+§)(?: (?!§)[a-z]+){0,2} (?:an?|per|each|every) (?:day|hour|week|minute|month"
    r"|year|shift|night)\b|(?P<rate2>§[qm]\d+§) daily\b"
)
_OF_EACH = re.compile(
    r"(?P<share>§[pf]\d+§) of (?:each|every|the monthly|a monthly|one|any) (?:[a-z]+ )?"
    r"(?:instal?ment|payment|share|part|cheque|paycheck|pay ?slip|month|salary|wage)s?\b"
)
_ON_VALUE = re.compile(
    r"(?P<share>§p\d+§)(?: [a-z]+)? (?:on|of|over|above) (?:the |that |its )?(?:(?!same)[a-z]+ )?"
    r"(?:value|price|cost|amount|total|subtotal)\b(?! (?:off|discount|back|is|was))"
)
_CHARGE = re.compile(
    r"\b(?:charges?|making|fees?|commission|tax|duty|vat|gst|tip|mark-?up|premium|service|surcharge"
    r"|extra|labour|plus|on top|carriage|insurance)\b"
)
_OFF = re.compile(r"\b(?:discount|off|rebate|less|deduct\w*|reduc\w+|down)\b")


def derive_rate_shares(ledger: Ledger) -> None:
    """Derive `80 per cent of that rate`, where a rate is told before."""
    passage = ledger.passage
    for match in passage.find(_OF_RATE):
        mark = passage.amount(match["share"])
        told = list(_RATE.finditer(passage.marked, max(0, match.start() - 170), match.start()))
        if not told or not 0 < mark.part < 2 or mark.start in ledger.spent:
            continue
        rate = passage.amount(told[-1]["rate"] or told[-1]["rate2"])
        why = "that share of the rate"
        if ledger.derive(rate, rate.value * mark.part, (rate, mark), why):
            ledger.spend(mark, rate)


def derive_charges(ledger: Ledger) -> None:
    """Derive shares of each of equal parts, and charges on a product, from entries before."""
    passage = ledger.passage
    for match in passage.find(_OF_EACH):
        _of_entry(ledger, match, " equal parts", is_added=False)
    for match in passage.find(_ON_VALUE):
        lead = passage.marked[max(0, match.start() - 70) : match.end() + 30]
        if _CHARGE.search(lead) and not _OFF.search(lead):
            _of_entry(ledger, match, " × ", is_added=True)


def _of_entry(ledger: Ledger, match: re.Match[str], kind: str, *, is_added: bool) -> None:
    mark = ledger.passage.amount(match["share"])
    bases = [each for each in ledger.entries if kind in each.why and _is_before(each, mark)]
    if not bases or mark.start in ledger.spent or not 0 < mark.part < 1:
        return
    base = bases[-1]
    starts = {start for start, _ in base.spans}
    operands = [each for each in ledger.passage.amounts if each.start in starts]
    part, like = base.amount.value * mark.part, base.amount
    if ledger.derive(like, part, (*operands, mark), "the share of it", confidence=0.7):
        if is_added:
            ledger.derive(like, base.amount.value + part, (*operands, mark), "with the charge")
        ledger.spend(mark)


def _is_before(entry: Entry, mark: Amount) -> bool:
    near = entry.amount.end <= mark.start and mark.start - entry.amount.end < 200
    return entry.amount.sort == "m" and near
