"""Takings and spendings told with one verb: `fees brought in £870 and the raffle £213`."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount

_ITEM = (
    r"(?: (?:in|for|on|from|to|as|by way of) (?!§)[a-z'’-]+(?: [a-z'’-]+)?)?"
    r"(?:,| and|, and|;| while| plus)(?: (?:the|our|a|an|his|her|their))?"
    r"(?: (?!was\b|were\b|is\b|are\b|cost|paid\b|we\b|i\b|they\b|he\b|she\b|it\b|left\b|or\b"
    r"|took\b|made\b|raised\b|earned\b|had\b|got\b|brought\b|charged\b|received\b|used\b|this\b"
    r"|last\b|then\b|now\b)"
    r"[a-z'’-]+){1,3} §m\d+§"
)
_IN = re.compile(
    rf"\b(?:brought in|raised|made|earned|took in|yielded|fetched|netted|contributed|gave us"
    rf"|produced|came to) (?P<first>§m\d+§)(?P<list>(?:{_ITEM})+)"
)
_OUT = re.compile(
    rf"\b(?:took|cost(?: us| me)?|swallowed|ate up|charged(?: us| me)?|used up|had|received|got)"
    rf" (?P<first>§m\d+§)(?P<list>(?:{_ITEM})+)"
)
_OPENING = re.compile(
    r"\b(?:open(?:ed|ing)|start(?:ed|ing)|beg[au]n|brought forward|carried forward|in hand at"
    r"|balance (?:was|of|at))[^.;§\n]{0,30}(?P<opening>§m\d+§)"
)
_EARNING = re.compile(r"\b(?:brought in|raised|earned|took in|yielded|fetched|netted|contributed)")


def derive_gapped_sums(ledger: Ledger) -> None:
    """Derive income, spending, surplus and closing balance of a report in such words."""
    passage = ledger.passage
    income = _sums(ledger, _IN, "brought in together")
    spending = _sums(ledger, _OUT, "spent together") if income else []
    if not income or not spending:
        return
    earned, spent = income[0], spending[0]
    operands = [*earned[1], *spent[1]]
    like, surplus = operands[0], earned[0] - spent[0]
    why = "what came in less what went out"
    if like.unit == operands[-1].unit and surplus > 0:
        span = (operands[0].start, operands[-1].end)
        ledger.derive(like, surplus, operands, why, relation=span)
        opening = next(passage.find(_OPENING), None)
        start = passage.amount(opening["opening"]) if opening else None
        if start is not None and start not in operands and start.start not in ledger.spent:
            value, why = start.value + surplus, "the closing balance"
            ledger.derive(like, value, [start, *operands], why, relation=span)
            ledger.spend(start)


def _sums(
    ledger: Ledger, pattern: re.Pattern[str], why: str
) -> list[tuple[Fraction, list[Amount]]]:
    passage, found = ledger.passage, list[tuple[Fraction, list[Amount]]]()
    for match in passage.find(pattern):
        if pattern is _IN and not _EARNING.match(match[0]):
            continue
        marks = [match["first"], *re.findall(r"§m\d+§", match["list"])]
        parts = [passage.amount(mark) for mark in marks]
        if {each.start for each in parts} & ledger.spent or len({p.unit for p in parts}) > 1:
            continue
        total = sum((each.value for each in parts), Fraction(0))
        span = (passage.place(match.start()), parts[-1].end)
        if ledger.derive(parts[0], total, parts, why, relation=span):
            ledger.spend(*parts)
            found.append((total, parts))
    return found
