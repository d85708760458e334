"""Two groups from their sum and their difference: `girls outnumber boys by 13`, of 289."""

from __future__ import annotations

import re

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount

_BY = re.compile(
    r"\b(?P<more>[a-z'’-]+) (?:now |still |already |just |also )*outnumber(?:s|ed|ing)? (?:the )?"
    r"(?P<less>[a-z'’-]+)(?: here| there)? by (?:just |only |exactly |a mere )?(?P<gap>§n\d+§)"
    r"|(?:\bthere (?:are|were)|\bwith|\bhas|\bhad|\bwe have|\bwe had|[,;:]|\bincluding)"
    r" (?:just |exactly )?(?P<gap2>§n\d+§) more (?P<more2>[a-z'’-]+s|men|women|children)"
    r" than (?P<less2>[a-z'’-]+s|men|women|children)\b"
)
_RIVAL = re.compile(
    r"\b(?:against|from|than|versus|vs|compared (?:with|to)|since|was|were|last year|before)"
    r"(?: [a-z]+)? $"
)
_IN_ALL = re.compile(
    r" (?:in|among|out of|on|at) (?:a|an|our|the|my|his|her|their|this) (?:[a-z]+ ){1,2}of"
    r" (?P<whole>§n\d+§)"
)
_REACH = 280


_AVERAGE = re.compile(
    r"\b(?:average|mean) (?:household|family|party|group|class|team|crew)(?: size)?(?: is| was"
    r"| of|:)?"
    r" (?:just |exactly )?(?P<gap>§n\d+§)"
)


def derive_outnumbering(ledger: Ledger) -> None:
    """Derive how many of either there are where all and the difference are told."""
    for match in ledger.passage.find(_AVERAGE):
        size = ledger.passage.amount(match["gap"])
        whole = _whole(ledger, size)
        groups = whole.value / size.value if whole and size.value > 1 else None
        if whole is not None and groups is not None and groups.denominator == 1 and groups > 9:
            ledger.derive(whole, groups, (whole, size), "groups of that size", confidence=0.65)
    for match in ledger.passage.find(_BY):
        _both(ledger, match)


def _both(ledger: Ledger, match: re.Match[str]) -> None:
    gap = ledger.passage.amount(match["gap"] or match["gap2"])
    if gap.start in ledger.spent or gap.value.denominator != 1:
        return
    behind = _IN_ALL.match(ledger.passage.marked, match.end())
    told = ledger.passage.amount(behind["whole"]) if behind else None
    whole = told if told and (told.value - gap.value) % 2 == 0 else _whole(ledger, gap)
    if whole is None or whole.value <= gap.value:
        return
    less, operands = (whole.value - gap.value) / 2, (whole, gap)
    if ledger.derive(whole, less + gap.value, operands, "the more numerous", confidence=0.7):
        ledger.derive(whole, less, operands, "the less numerous", confidence=0.7)
        ledger.spend(gap)


def _whole(ledger: Ledger, gap: Amount) -> Amount | None:
    """Return the last count before that the two can make up."""
    passage = ledger.passage
    for each in reversed(passage.amounts):
        if each.end > gap.start or each.sort != "n" or each.value <= gap.value:
            continue
        if gap.start - each.end > _REACH:
            return None
        lead = passage.text[max(0, each.start - 30) : each.start].lower()
        if not _RIVAL.search(lead) and (each.value - gap.value) % 2 == 0:
            return each
    return None
