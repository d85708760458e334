"""What falls short: `seven short of that`, `289, against 340`, rent that was not sent in full."""

from __future__ import annotations

import re

from leadline.enrichers.amounts.counted import nouns_of
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.measures import is_alike, value_as
from leadline.enrichers.amounts.passage import Amount

_SHORT_OF = re.compile(
    r"(?P<gap>§[nmq]\d+§)(?: [a-z]+)? (?P<way>short|shy|over|above|below|under|ahead|clear)"
    r" (?:of )?(?:that|this|it|the (?:quorum|number|mark|minimum|required number|threshold"
    r"|target|figure))"
    r"(?= ?[.,;:!)]| and | when | but |$)"
)
_LESS = ("short", "shy", "below", "under")
_AGAINST = re.compile(
    r"(?P<now>§n\d+§) (?P<noun>(?!of\b)[a-z]+(?: [a-z]+)?),? ?\(?(?:against|compared (?:with|to)"
    r"|as against|down from|up from|where (?:there were|it had)) (?P<old>§n\d+§)"
    r"(?= ?[.,;:)]| (?:when|last|the|a|in|at|before|this|then|two|three|ten|five)\b)"
)
_OWED = re.compile(
    r"\b(?:rent|fee|subscription|instal?ment|payment|maintenance|allowance|wage|salary|dues)\b"
    r"[^.;§\n]{0,40} (?P<due>§m\d+§) (?:an?|per|each|every) (?P<unit>week|month|quarter|year)\b"
)
_SENT = re.compile(
    r"\b(?:sent|paid|handed|transferred|received|had|got|given|sends?|pays?|put)"
    r"(?: (?:me|us|him|her|in|over|only|just|but|back))* (?P<sent>§m\d+§)(?! (?:short|too|more"
    r"|less))"
)
_FOR_EACH = re.compile(
    r"\b(?:each|every|all|for|over|in|these|those|the last|the past)(?: of)?(?: the| these| those"
    r"| last| past)* (?P<count>§t\d+§)"
)
_GAP = re.compile(
    r"\b(?:difference|shortfall|arrears|balance|short|missing|owing|rest|remainder)\b"
)


def derive_shortfalls(ledger: Ledger) -> None:
    """Derive how many there are `seven short of that`, and what rent is in arrears."""
    passage = ledger.passage
    for match in passage.find(_AGAINST):
        _against(ledger, match)
    if _GAP.search(passage.marked):
        for match in passage.find(_OWED):
            _owed(ledger, match)


def derive_short_of(ledger: Ledger) -> None:
    """Read `two thirds of 27 must be there; we stood seven short of that`."""
    passage = ledger.passage
    for match in passage.find(_SHORT_OF):
        gap = passage.amount(match["gap"])
        base = ledger.before(gap.start, gap.sort, within=200)
        if base is None or not is_alike(base, gap) or gap.start in ledger.spent:
            continue
        change = value_as(gap, base)
        value = base.value - change if match["way"] in _LESS else base.value + change
        if value > 0:
            # what the base itself rests on is told by its place in the text
            span = (base.start, base.end)
            ledger.derive(base, value, (gap,), f"{match['way']} of that", relation=span)
            ledger.spend(gap)


_OFF_AGAIN = re.compile(
    r"\b(?:knock|take|drop|lop|shave)(?:s|ed|ing)? (?:off )?(?:another|a further|an extra"
    r"|an additional|a final) (?P<off>§m\d+§)"
)


def derive_further_cuts(ledger: Ledger) -> None:
    """Read `asking half of that; collect it and I'll knock off another fifty dollars`."""
    for match in ledger.passage.find(_OFF_AGAIN):
        off = ledger.passage.amount(match["off"])
        entries = [each for each in ledger.entries if each.amount.sort == "m"]
        near = [each for each in entries if 0 < off.start - each.amount.end < 220]
        if not near or off.start in ledger.spent or near[-1].amount.unit != off.unit:
            continue
        base = near[-1].amount
        if off.value < base.value:
            why, span = "with the further cut", (base.start, base.end)
            ledger.derive(base, base.value - off.value, (off,), why, relation=span)
            ledger.spend(off)


def _against(ledger: Ledger, match: re.Match[str]) -> None:
    passage = ledger.passage
    now, old = passage.amount(match["now"]), passage.amount(match["old"])
    if not nouns_of(passage, now) or {now.start, old.start} & ledger.spent:
        return
    if now.value == old.value or not old.value or re.search(r"votes?\b|won|lost", match["noun"]):
        return
    change, span = abs(now.value - old.value), (now.start, old.end)
    if ledger.derive(now, change, (now, old), "the change from before", relation=span):
        percent = Amount("p", change, "", now.start, old.end)
        share = change / old.value * 100
        if (share * 2).denominator == 1:
            ledger.derive(percent, share, (now, old), "the change in per cent", relation=span)
        ledger.spend(old)


def _owed(ledger: Ledger, match: re.Match[str]) -> None:
    passage = ledger.passage
    due = passage.amount(match["due"])
    sent = _SENT.search(passage.marked, match.end(), match.end() + 170)
    paid = passage.amount(sent["sent"]) if sent else None
    if paid is None or not is_alike(due, paid) or not 0 < paid.value < due.value:
        return
    each = _FOR_EACH.search(passage.marked, match.end(), match.end() + 200)
    count = passage.amount(each["count"]) if each else None
    if count is None or count.unit != match["unit"] or {due.start, paid.start} & ledger.spent:
        return
    gap = due.value - paid.value
    if ledger.derive(due, gap, (due, paid), f"short each {count.unit}"):
        ledger.derive(due, gap * count.value, (due, paid, count), "short in all")
        ledger.spend(due, paid, count)
