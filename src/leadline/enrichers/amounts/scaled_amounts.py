"""Amounts that grow with another: so many people more in proportion, this year a quarter more."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount
from leadline.enrichers.amounts.units import UNIT_PATTERN, unit_of

_FOR_PEOPLE = re.compile(
    r"\b(?:for|serves|feeds|enough for|per) (?P<first>§n\d+§)(?: (?:people|persons|adults|guests"
    r"|of us|servings|portions|diners|heads|children|men))?(?= ?[.,;:!?)\n]|$| and | but )"
)
_NOW_WE_ARE = re.compile(
    r"\b(?:we are|we['’]re|we will be|we['’]ll be|we shall be|there (?:are|will be)"
    r"|there['’]ll be|they are|expecting|it is for|this is for|i need it for|cooking for"
    r"|make it for|do it for|feeding|you are|you['’]ll be) (?:only |about |now )?(?P<now>§n\d+§)"
)
_IN_PROPORTION = re.compile(
    r"\b(?:in proportion|proportion(?:ate(?:ly)?|ally)|pro rata|scale[sd]? "
    r"(?:it |them |that |all )?(?:up|down)|scaled|same (?:ratio|proportions?)|adjust"
    r"|accordingly|to match|the same rate)\b"
)
_PERIOD = (
    r"(?:this (?:year|month|week|time|season|term|summer|winter|spring|autumn|quarter|morning"
    r"|round|day)|(?:the )?next (?:year|month|week|day|season|time)|now|today|the year after"
    r"|the following (?:year|month|week|day))"
)
_THIS_YEAR = re.compile(
    rf"(?P<base>§[nqm]\d+§)(?P<gap>[^.§\n]{{0,50}}?)(?:[;,.]|[ ,]+(?:and|but|while)) ?"
    rf"(?:and |but |while |with )?{_PERIOD},?(?: (?:it|we|they|there|the figure|the number))?"
    rf"(?: (?:was|were|is|are|it is|had|have|got|sold|took|came|made|did|collected))?"
    rf"(?: just| only| exactly)? (?P<share>§[fp]\d+§) (?P<way>more|extra|up|higher|fewer|less|down"
    rf"|lower|as many again|as much again)\b(?! (?:than|of|likely))"
)
_LESS = ("fewer", "less", "down", "lower")
_IN_UNIT = re.compile(
    rf"\b(?:in|all in|figures in|given in) (?P<unit>{UNIT_PATTERN})\b[^.;§\n]{{0,60}}?"
    rf"(?P<list>§n\d+§(?:(?:, | and |, and | & )§n\d+§){{2,}})(?! (?:[a-z]+ ){{0,2}}(?:per|each))"
)
_ADDED = frozenset(
    ("mm", "cm", "m", "km", "mile", "kg", "g", "lb", "oz", "tonne", "L", "mL", "gallon", "inch")
)
_APART = re.compile(r"\b(?:high|wide|long|deep|depth|height|width|levels?|sizes?|lengths?)\b")


def derive_scaled_amounts(ledger: Ledger) -> None:
    """Derive amounts for more people, for a later period, and sums of readings in one unit."""
    passage = ledger.passage
    if passage.first(_IN_PROPORTION):
        _in_proportion(ledger)
    for match in passage.find(_THIS_YEAR):
        _this_year(ledger, match)
    for match in passage.find(_IN_UNIT):
        _readings(ledger, match)


def _in_proportion(ledger: Ledger) -> None:
    """Read `300 g of rice for four people. We are ten, do the same in proportion`."""
    passage = ledger.passage
    first = next(passage.find(_FOR_PEOPLE), None)
    now = next(passage.find(_NOW_WE_ARE), None)
    if first is None or now is None:
        return
    people, wanted = passage.amount(first["first"]), passage.amount(now["now"])
    if people.value == wanted.value or not people.value or people.start == wanted.start:
        return
    sentence = passage.sentence(people.start)
    for part in passage.amounts:
        is_part = sentence[0] <= part.start < people.start and part.sort in "qn"
        if not is_part or part.start in ledger.spent or part.unit in ("C", "F", "degree"):
            continue
        value = part.value * wanted.value / people.value
        if part.sort == "q" or value.denominator == 1:
            ledger.derive(part, value, (part, people, wanted), "in proportion", confidence=0.75)
        ledger.spend(part)
    ledger.spend(people, wanted)


def _this_year(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `last year 64 units were collected; this year a quarter more`."""
    base, mark = (ledger.passage.amount(match[name]) for name in ("base", "share"))
    if {base.start, mark.start} & ledger.spent:
        return
    part = base.value * mark.part
    value = base.value - part if match["way"] in _LESS else base.value + part
    if base.sort == "n" and part.denominator != 1:
        return
    ledger.derive(base, value, (base, mark), "after the change", confidence=0.75)
    ledger.derive(base, part, (base, mark), "the change", confidence=0.7)
    ledger.spend(mark)


def _readings(ledger: Ledger, match: re.Match[str]) -> None:
    """Add up `rain in millimetres, Monday to Sunday: 12, 0, 8, 31, 4, 0, 22`."""
    unit = unit_of(match["unit"])
    parts = [ledger.passage.amount(mark) for mark in re.findall(r"§n\d+§", match["list"])]
    around = match.string[max(0, match.start() - 40) : match.end() + 30]
    if unit not in _ADDED or _APART.search(around) or {p.start for p in parts} & ledger.spent:
        return
    total = sum((part.value for part in parts), Fraction(0))
    like = Amount("q", total, unit, parts[0].start, parts[0].end)
    ledger.derive(like, total, parts, "the sum of the readings", confidence=0.7)
    ledger.spend(*parts)
