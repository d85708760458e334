"""Rests that are shared out, and bills that some do not pay: `we split what is left`."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount

_REST = (
    r"(?:what(?:['’]s| is| was|ever is|ever['’]s) left(?: over)?|the (?:rest|remainder|remaining"
    r"(?: [a-z]+)?|balance)(?: of (?:it|that|the [a-z]+))?)"
)
_HOW = (
    r"(?P<even>§n\d+§ ?[-/] ?§n\d+§|fifty[- ]fifty|half and half|down the middle|in half)"
    r"|(?:equally |evenly )?(?:between|among|amongst|by) (?:the |all |us )*"
    r"(?:(?P<count>§n\d+§)|(?P<two>us two|us both|them both|both|[a-z]+ and (?:me|i|[a-z]+)))"
    r"|(?P<ways>§n\d+§) ways|(?:equally|evenly)"
)
_SPLIT_REST = re.compile(
    rf"(?:\b(?P<pair>(?:you|[a-z]+) and (?:me|i|[a-z]+)|we two|(?:the )?(?P<group>§n\d+§) of us|the"
    rf" other (?P<others>§n\d+§)(?: [a-z]+){{0,2}}) )?(?:[a-z]+ )?"
    rf"\b(?:split|splits|share|shares|shared|divide|divided|halve|splitting|sharing) {_REST},?"
    rf"(?: (?:{_HOW}))?"
)
_PASSIVE = re.compile(
    rf"\b{_REST} (?:(?:is|was|are|were|gets?|got|will be|to be|being|went|goes)(?: then)? )?"
    rf"(?:split|shared|divided)(?: equally| evenly| out)*,? (?:{_HOW})"
)
_TAKES = re.compile(
    r"\b(?:pays?|paid|takes?|took|gets?|got|puts? in|put in|covers?|covered|contributes?|gives?"
    r"|chips? in|chipped in|owes?|throws? in|goes|went|keeps?|kept|claims?|claimed)"
    r"(?: (?:only|just|the first|a flat|me|us|about|to|him|her))* $"
)
_FREE = re.compile(
    r"\b(?:(?:pays?|paid|paying|owes?|puts? in|gives?) (?:nothing|zilch|nowt|nada|zero|naught"
    r"|diddly|not a (?:penny|cent))|(?:does not|doesn['’]t|did not|didn['’]t|is not|isn['’]t"
    r"|won['’]t|will not|not|need not|needn['’]t) (?:pay|paying|chipp?(?:ing)? in|putting"
    r" (?:in|anything))"
    r"|(?:eats|ate|goes|went|gets in|got in|comes|came|dines|dined) (?:for )?free|is our guest"
    r"|was our guest|is on us\b|was on us\b)"
)
_GROUP = re.compile(
    r"\b(?:there (?:are|were|will be) |we (?:are|were) |we['’]re )(?P<n>§n\d+§)(?: of us)?"
    r"(?= ?[.,;!)]| (?:but|and|so|in all|at|people|altogether|of)\b)"
    r"|\b(?:party|table|group|team) of (?P<n2>§n\d+§)|(?P<n3>§n\d+§) of us\b(?! split| share)"
)
_BILL = re.compile(
    r"\b(?:bill|tab|check|total|dinner|meal|lunch|damage|it all|everything|cost|taxi|cab)\b"
)
_SHARING = re.compile(r"\b(?:split|share[sd]?|each|apiece|third|quarter|half|venmo|owes?|divide)\b")
_TOTALS = frozenset(("with the share", "the sum", "with what is added", "bill and tip"))


def derive_rest_splits(ledger: Ledger) -> None:
    """Derive what each has of a rest that is split."""
    for pattern in (_SPLIT_REST, _PASSIVE):
        for match in ledger.passage.find_all(pattern):
            _split_rest(ledger, match)


def _split_rest(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `rent is 48k, she pays 12k, you and me split what's left 50-50`."""
    passage, marked = ledger.passage, ledger.passage.marked
    count = _count(ledger, match)
    window = re.findall(r"§m\d+§", marked[max(0, match.start() - 330) : match.start()])
    money = [passage.amount(each) for each in window]
    taken = [each for each in money if _TAKES.search(_lead(passage.marked, each, ledger))]
    whole = next((each for each in money if each not in taken), None)
    if whole is None or not taken or count is None or count < 2:
        return
    parts = [each for each in taken if each.start > whole.start and each.unit == whole.unit]
    rest = whole.value - sum((each.value for each in parts), Fraction(0))
    if rest <= 0 or not parts or whole.start in ledger.spent:
        return
    span = (passage.place(match.start()), passage.place(match.end()))
    operands = (whole, *parts)
    if ledger.derive(whole, rest, operands, "what is left to split", confidence=0.7):
        # `50-50` by itself is a figure of speech
        relation = None if match.groupdict().get("even") else span
        ledger.derive(whole, rest / count, operands, "each of what is left", relation=relation)
        ledger.spend(*parts)


def _count(ledger: Ledger, match: re.Match[str]) -> Fraction | None:
    """Return among how many a rest is split; two where a pair does it."""
    groups = match.groupdict()
    for name in ("count", "ways", "group", "others"):
        if mark := groups.get(name):
            return ledger.passage.amount(mark).value
    is_pair = groups.get("even") or groups.get("two") or groups.get("pair")
    return Fraction(2) if is_pair else None


def _lead(marked: str, amount: Amount, ledger: Ledger) -> str:
    at = marked.find(f"§m{ledger.passage.amounts.index(amount)}§")
    return marked[max(0, at - 34) : at]


def derive_free_members(ledger: Ledger) -> None:
    """Read `the bill was £72, there were four of us but Jo pays nothing`."""
    passage, marked = ledger.passage, ledger.passage.marked
    free = _FREE.search(marked)
    group = next(passage.find(_GROUP), None)
    if free is None or group is None or abs(free.start() - group.start()) > 200:
        return
    people = passage.amount(group["n"] or group["n2"] or group["n3"])
    payers = people.value - 1
    told = [each for each in passage.amounts if each.sort == "m"]
    totals = [each for each in ledger.entries if each.why in _TOTALS and each.amount.sort == "m"]
    if len(told) != 1 or payers < 2 or not (_BILL.search(marked) and _SHARING.search(marked)):
        return
    bill = totals[-1].amount if totals else told[0]
    if (bill.value / payers * 100).denominator == 1 and people.start not in ledger.spent:
        span = (passage.place(free.start()), passage.place(free.end()))
        operands = (told[0], people)
        ledger.derive(bill, bill.value / payers, operands, "for each who pays", relation=span)
        ledger.spend(people)
