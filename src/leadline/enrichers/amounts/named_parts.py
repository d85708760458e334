"""Wholes whose named part is told: `half the deposit, that is £175`, `five weeks' rent`."""

from __future__ import annotations

import re

from leadline.enrichers.amounts.ledger import Entry, Ledger
from leadline.enrichers.amounts.passage import Amount

# `40% of the bill, which was £60` and `a third of the fee (£90)` may tell the whole
_THAT_IS = (
    r",?(?: \(|,| –| -| —)? ?(?:that is(?: to say)?|i\.?e\.?,?|namely|viz\.?|being|amounting to"
    r"|that['’]s|=) ?,? ?"
)
_PART = re.compile(
    rf"(?P<share>§[fp]\d+§) (?:of )?(?:the|my|our|his|her|their|your|its) (?P<noun>(?:[a-z]+ )?"
    rf"(?!rest\b|remainder\b|balance\b|others?\b|money\b)[a-z]+){_THAT_IS}(?P<part>§m\d+§)"
)
_TIMES_RENT = re.compile(
    r"\b(?P<noun>deposit|bond|fee|fine|bonus|payment|advance|notice pay|settlement|premium)"
    r"(?: [a-z]+){0,4}? (?:is|was|of|at|equals?|=|:|being|to|as|came to|comes to)(?: exactly)? "
    r"(?P<count>§[tn]\d+§)(?:s?['’]s?|s of)? (?P<per>rent|pay|wages?|salary|fees?|subscription"
    r"|dues)\b"
)


def derive_named_parts(ledger: Ledger) -> None:
    """Derive the whole that a part is told of, and what one week's rent is of it."""
    passage = ledger.passage
    wholes: dict[str, Entry] = {}
    for match in passage.find(_PART):
        mark, part = (passage.amount(match[name]) for name in ("share", "part"))
        if not 0 < mark.part < 1 or mark.start in ledger.spent:
            continue
        whole = part.value / mark.part
        if (whole * 100).denominator != 1:
            continue
        noun = match["noun"].split()[-1]
        entry = ledger.derive(part, whole, (mark, part), f"the {noun}", about=noun)
        if entry:
            wholes[noun] = entry
            ledger.spend(mark, part)
    for match in passage.find(_TIMES_RENT):
        count = passage.amount(match["count"])
        of = wholes.get(match["noun"])
        if of is not None and count.value > 1:
            operands = (*_operands(ledger, of.spans), count)
            one = of.amount.value / count.value
            why = f"one of {ledger.shown(count)} of {match['per']}"
            ledger.derive(of.amount, one, operands, why)
            ledger.spend(count)


def _operands(ledger: Ledger, spans: tuple[tuple[int, int], ...]) -> tuple[Amount, ...]:
    return tuple(each for each in ledger.passage.amounts if (each.start, each.end) in spans)
