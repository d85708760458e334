"""Wholes in unequal parts that are told by their ratio: `Ida gets twice as much as Nils`."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount

_TIMES = re.compile(
    r"\b(?:gets?|got|has|have|had|receives?|received|takes?|took|paid|pays|scored|is to (?:have"
    r"|get|receive)|inherits?|picked|baked|caught|sold|earned)"
    r" (?P<ratio>§x\d+§|half|§f\d+§) (?:as (?:much|many)(?: [a-z]+)? as|what|the (?:share|amount"
    r"|sum) of)\b"
)
_MORE = re.compile(
    r"\b(?:gets?|got|has|have|had|receives?|received|takes?|took|paid|pays|scored|is to (?:have"
    r"|get|receive)|inherits?|picked|baked|caught|sold|earned)"
    r" (?P<step>§[mnq]\d+§) (?:more|extra)(?: [a-z]+)? than\b"
)
_TOGETHER = re.compile(
    r"\b(?:(?:together|between (?:them|us)|altogether|in (?:all|total)|combined)[^.§\n]{0,30} "
    r"(?P<after>§[mnq]\d+§)|(?P<before>§[mnq]\d+§)[^.§\n]{0,30} (?:together|between (?:them|us)"
    r"|altogether|in (?:all|total)))"
    r"|(?P<divided>§[mq]\d+§)[^.§\n]{0,40}\b(?:divided|split|shared?|to be divided)\b|\b"
    r"(?:divide[sd]?|split|share[sd]?)(?: [a-z]+){0,2} (?P<later>§[mnq]\d+§)"
)


def derive_unequal_shares(ledger: Ledger) -> None:
    """Derive the two parts of a whole from their ratio or difference."""
    passage = ledger.passage
    if not any(True for pattern in (_TIMES, _MORE) for _ in passage.find(pattern)):
        return
    whole = next(passage.find(_TOGETHER), None)
    if whole is None:
        return
    mark = whole["after"] or whole["before"] or whole["divided"] or whole["later"]
    total = passage.amount(mark)
    if total.start in ledger.spent:
        return
    for match in passage.find(_TIMES):
        ratio = Fraction(1, 2) if match["ratio"] == "half" else passage.amount(match["ratio"]).value
        start = passage.place(match.start("ratio"))
        mark_of = Amount("x", ratio, "", start, passage.place(match.end()))
        if abs(start - total.start) < 200 and ratio > 0:
            part = total.value / (1 + ratio)
            if _parts(ledger, total, (part, total.value - part), mark_of):
                return
    for match in passage.find(_MORE):
        step = passage.amount(match["step"])
        if step.sort == total.sort and step.unit == total.unit and step.value < total.value:
            low = (total.value - step.value) / 2
            if step != total and _parts(ledger, total, (low, total.value - low), step):
                return


def _parts(ledger: Ledger, total: Amount, parts: tuple[Fraction, Fraction], mark: Amount) -> bool:
    if total.sort == "n" and parts[0].denominator != 1:
        return False
    done = [
        ledger.derive(total, part, (total, mark), "an unequal part", confidence=0.7)
        for part in parts
    ]
    if any(done):
        ledger.spend(total, mark)
    return any(done)
