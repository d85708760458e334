"""Ballots of a poll: cast, spoiled and valid ones, the share of the one who was elected."""

from __future__ import annotations

import re

from leadline.enrichers.amounts.ledger import Entry, Ledger
from leadline.enrichers.amounts.passage import Amount

_PAPERS = r"(?:ballots?|papers?|ballot papers|votes?|slips|forms|envelopes)"
_VOID = (
    r"(?:spoiled|spoilt|rejected|invalid|void|voided|blank|thrown out|disallowed|set aside"
    r"|discarded|discounted|not valid|unreadable|informal)"
)
_SPOILED = re.compile(
    rf"(?P<a>§n\d+§)(?: of (?:the |these |those )?{_PAPERS}(?: (?:cast|returned|counted|in the box"
    rf"es|papers))?| of (?:them|these|those)| {_PAPERS})?(?: (?:were|was|had been|proved|being"
    rf"|turned out|found|declared|to be))* {_VOID}\b"
    rf"|\b{_PAPERS}\b[^.;§\n]{{0,40}} (?P<b>§n\d+§) (?:were|was|had been|proved) {_VOID}\b"
    rf"|(?P<c>§n\d+§) (?:{_VOID}|invalid) {_PAPERS}\b"
)
_CAST = re.compile(
    rf"(?P<cast>§n\d+§) (?:[a-z]+ )?{_PAPERS} (?:were |was |had been )?(?:cast|returned|counted"
    r"|polled|received|handed in|in the box(?:es)?)\b"
    r"|(?P<voted>§n\d+§) (?:people|electors|members|voters)?(?: had)? ?(?:voted|cast)\b"
)
_ELECTED = re.compile(
    r"\b(?:won|elected|took (?:the|it)|returned|held|topped|carried)\b[^.;§\n]{0,40} (?:with|on|by)"
    r" (?P<votes>§n\d+§)(?: votes?)?\b"
)


def derive_ballots(ledger: Ledger) -> None:
    """Derive how many ballots were valid, and what share of them won."""
    passage = ledger.passage
    spoiled = next(passage.find(_SPOILED), None)
    if spoiled is None:
        return
    void = passage.amount(spoiled["a"] or spoiled["b"] or spoiled["c"])
    cast, operands = _cast(ledger, void)
    if cast is None or void.value >= cast.value or void.start in ledger.spent:
        return
    valid, span = cast.value - void.value, (void.start, void.end)
    if not ledger.derive(cast, valid, (*operands, void), "those that were valid"):
        return
    ledger.spend(void)
    elected = next(passage.find(_ELECTED), None)
    votes = passage.amount(elected["votes"]) if elected else None
    if votes is not None and votes.value < valid and (votes.value / valid * 200).denominator == 1:
        percent = Amount("p", votes.value, "", votes.start, votes.end)
        share = votes.value / valid * 100
        ledger.derive(percent, share, (*operands, votes), "share of the valid", relation=span)


def _cast(ledger: Ledger, void: Amount) -> tuple[Amount | None, tuple[Amount, ...]]:
    """Return how many were cast, told or by the turnout, and what that rests on."""
    passage = ledger.passage
    for match in passage.find(_CAST):
        told = passage.amount(match["cast"] or match["voted"])
        if told != void and told.value > void.value:
            return told, (told,)
    for entry in ledger.entries:
        if entry.amount.sort == "n" and _is_turnout(ledger, entry):
            starts = {start for start, _ in entry.spans}
            return entry.amount, tuple(each for each in passage.amounts if each.start in starts)
    return None, ()


def _is_turnout(ledger: Ledger, entry: Entry) -> bool:
    words = " ".join(ledger.passage.text[start:end] for start, end in entry.spans).lower()
    return "turnout" in words.replace("-", "") and not entry.why.startswith("the others")
