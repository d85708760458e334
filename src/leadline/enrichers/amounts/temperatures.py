"""Temperatures on both sides of zero, and what they become: `three above`, `dropped eleven`."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount

WARMTH: frozenset[str] = frozenset(("C", "F", "degree"))
"""Canonical units of temperature."""

_COLD = re.compile(
    r"\b(?:degrees?|celsius|centigrade|fahrenheit|thermometer|temperature|frost|zero|freezing"
    r"|mercury)\b|°"
)
_READING = re.compile(
    r"(?P<mark>§[nq]\d+§)(?: degrees?)?(?: ?°?[cf]\b| celsius"
    r"| centigrade"
    r"| fahrenheit)?(?: (?P<side>above|below)(?: (?:zero|freezing|nought|§n\d+§))?"
    r"| (?P<frost>(?:degrees )?of frost))?"
)
_MINUS = re.compile(r"(?:\bminus |(?<!\w)[−–-] ?)$")
_MOVE = re.compile(
    r"\b(?:(?P<down>dropp?(?:ed|s|ing)?|fell|fallen|falls?|lost|cooled|plunged|plummeted|down|sank"
    r"|sunk|slid|slipped|colder)"
    r"|(?P<up>rose|risen|rises?|climbed|warmed|gained|up|jumped|soared|warmer))(?: by| a further"
    r"| another| some| all of)*"
    r" (?P<step>§[qn]\d+§)(?! ?(?:above|below|celsius$))"
)
_BETWEEN = re.compile(r"\b(?:low|lows|minimum|min|coldest|night)\b")
_HIGH = re.compile(r"\b(?:high|highs|maximum|max|warmest|hottest|day)\b")


def derive_temperatures(ledger: Ledger) -> None:
    """Derive temperatures after a rise or a fall, and how far two are apart."""
    marked = ledger.passage.marked
    is_warm = any(each.unit in WARMTH for each in ledger.passage.amounts)
    if not is_warm and not _COLD.search(marked):
        return
    moves = list(_MOVE.finditer(marked))
    steps = {match["step"] for match in moves}
    readings = [
        (match, value)
        for match in _READING.finditer(marked)
        if match["mark"] not in steps and (value := _value(ledger, match)) is not None
    ]
    for move in moves:
        step = ledger.passage.amount(move["step"])
        before = [(match, value) for match, value in readings if match.end() <= move.start()]
        if not before or step.unit not in (*WARMTH, ""):
            continue
        if (
            step.unit == ""
            and not re.match(r" degrees?\b", marked[move.end() :])
            and not before[-1][0]["side"]
        ):
            continue
        match, value = before[-1]
        base = ledger.passage.amount(match["mark"])
        if step.start - base.end > 160:
            continue
        after = value - step.value if move["down"] else value + step.value
        like = Amount("q", after, _unit(ledger, base), base.start, base.end)
        ledger.derive(like, after, (base, step), "after the change")
        ledger.spend(base, step)
    _apart(ledger, readings)


def _value(ledger: Ledger, match: re.Match[str]) -> Fraction | None:
    """Return a temperature with its sign; None for an amount that is none."""
    amount = ledger.passage.amount(match["mark"])
    is_warmth = amount.unit in WARMTH
    if amount.sort == "q" and not is_warmth:
        return None
    minus = _MINUS.search(ledger.passage.marked, max(0, match.start() - 7), match.start())
    if not is_warmth and not (match["side"] or minus or match["frost"]):
        return None
    is_below = minus or match["side"] == "below" or match["frost"]
    return -amount.value if is_below else amount.value


def _unit(ledger: Ledger, base: Amount) -> str:
    if base.unit in ("C", "F"):
        return base.unit
    marked = ledger.passage.text.lower()
    if re.search(r"celsius|centigrade|° ?c\b", marked):
        return "C"
    return "F" if re.search(r"fahrenheit|° ?f\b", marked) else "degree"


def _apart(ledger: Ledger, readings: list[tuple[re.Match[str], Fraction]]) -> None:
    """Derive how far two temperatures are apart: one is below zero, or they are two ends."""
    for (one, first), (other, second) in pairwise(readings):
        a, b = (ledger.passage.amount(match["mark"]) for match in (one, other))
        lead = ledger.passage.marked[max(0, one.start() - 60) : other.start()]
        ends = _BETWEEN.search(lead) and _HIGH.search(lead)
        is_range = ends or min(first, second) < 0 or re.search(r"\bfrom\b[^.]{0,30}\bto\b", lead)
        if (
            is_range
            and first != second
            and b.start - a.end < 120
            and not {a.start, b.start} & ledger.spent
        ):
            like = Amount("q", Fraction(0), _unit(ledger, a), a.start, b.end)
            ledger.derive(like, abs(first - second), (a, b), "between the two")
            ledger.spend(a, b)
