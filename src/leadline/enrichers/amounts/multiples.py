"""Multiples of what was just told: `twice that`, `half as much again`, `has since doubled`."""

from __future__ import annotations

import re

from leadline.enrichers.amounts.ledger import Ledger

_OF_THAT = re.compile(
    r"(?P<mark>§[xpf]\d+§)(?: of)?(?: (?:that|this)(?: again)?(?=[.,;!?)\n]| (?:on|in|for|by"
    r"|now|today|and|but|to)\b|$)"
    r"| as (?:much|many) again\b)"
    r"|(?P<verb>§x\d+§)(?= (?:since|in (?:the|a|just|size|number|price|value)|over|within|by"
    r"|again|every|last|this)\b|[.,;!]|$)"
)


def derive_multiples(ledger: Ledger) -> None:
    """Derive multiples of the amount told last."""
    for match in ledger.passage.find(_OF_THAT):
        _again(ledger, match)


def _again(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `twice that`, `half as much again`, `has doubled since`."""
    passage = ledger.passage
    mark = passage.amount(match["mark"] or match["verb"])
    if mark.start in ledger.spent:
        return
    base = ledger.before(mark.start, "mqtnc", within=160)
    if base is None and " again as" in passage.marked[match.start() : match.end() + 3]:
        base = ledger.after(mark.end, "mqtn", within=90)
    if base is None:
        return
    ratio = mark.part
    ratio = 1 + ratio if "again" in match[0] and mark.sort != "x" else ratio
    if match["verb"] and not re.search(r"(?:ed|ing)$", passage.text[mark.start : mark.end].lower()):
        return
    if base.sort == "n" and (base.value * ratio).denominator != 1:
        return
    span = (passage.place(match.start()), passage.place(match.end()))
    if "negated" in passage.doubts([span]):
        return
    why = f"{passage.text[span[0] : span[1]]}: {passage.text[base.start : base.end]}"
    ledger.derive(base, base.value * ratio, (base, mark), why, relation=span, confidence=0.7)
    ledger.spend(mark)
