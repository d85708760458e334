"""Conversion by factors that a text gives, areas, and times of a distance at a speed."""

from __future__ import annotations

import re

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.money import CURRENCIES
from leadline.enrichers.amounts.passage import Amount, Passage
from leadline.enrichers.amounts.units import TIMES, UNITS
from leadline.types import FactRole

_DIMENSIONS = re.compile(r"(?P<a>§[qn]\d+§) ?(?:x|×|by) ?(?P<b>§q\d+§)")
_FACTOR = re.compile(
    r"(?P<to>§[mqt]\d+§|§n\d+§(?: [a-z]+)?) (?:to (?:the|a|an)|a|an|per|in an?|for (?:each"
    r"|every|one)|for an?|the)"
    r" (?P<unit>[a-z]+)\b"
)
_EQUALS = re.compile(
    r"(?P<one>§[mqt]\d+§|\ban? (?P<unit>[a-z]+))(?: (?:is|was|equals|makes|holds|buys"
    r"|gets you|covers|bought)| ?=) (?:about )?"
    r"(?P<to>§[mqt]\d+§|§n\d+§)"
)
_CALLED = re.compile(
    r"\b(?:call|calls|count|counts|reckon|reckons|take|takes|treat|make|makes)(?: it)? an?"
    r" (?P<unit>[a-z]+) (?:as |at |to be |is )?(?:about )?(?P<to>§[qt]\d+§)"
)
_ONE_IS = re.compile(
    r"\ban? (?P<unit>[a-z]{3,}) (?:is|equals|measures|holds|contains) (?P<to>§q\d+§)"
)
_AREAS = {"m": "m2", "km": "km2", "cm": "cm2", "foot": "square foot", "mile": "square mile"}
AREA = re.compile(
    r"\b(?:area|covers?|covered|covering|til(?:e|es|ing)|paint\w*|carpet\w*|plots?|rooms?|gardens?"
    r"|fields?|turf|floors?|lawns?|beds?|paper|fabric|cloth|glass|posters?|sheets?|photos?|prints?"
    r"|canvas|panes?|boards?|square|walls?|roofs?|decks?|patios?|kitchen|bedroom|rugs?|pitch"
    r"|courts?"
    r"|paddock|land|house|shed|yard|fenc\w+|perimeter|seed|sow\w*|banners?|panels?|tarpaulin"
    r"|tents?|screens?)\b"
)
"""Words of things whose area somebody wants to know."""
_SPEEDS = {"km/h": "km", "mph": "mile"}


def derive_conversions(ledger: Ledger) -> None:
    """Convert amounts by a factor that the text gives."""
    passage, _marked = ledger.passage, ledger.passage.marked
    for match in passage.find(_FACTOR):
        unit = _unit(match["unit"])
        if unit and unit not in TIMES:
            _convert(
                ledger, passage.amount(match["to"][: match["to"].rindex("§") + 1]), unit, match
            )
    for match in passage.find(_EQUALS):
        one = passage.amount(match["one"]) if match["one"].startswith("§") else None
        unit = one.unit if one else _unit(match["unit"])
        to = passage.amount(match["to"])
        if unit and unit not in TIMES and (one is None or one.value == 1) and to.unit != unit:
            _convert(ledger, to, unit, match, one)

    for match in passage.find(_CALLED):
        unit, to = _unit(match["unit"]), passage.amount(match["to"])
        if unit and unit not in TIMES and to.unit != unit:
            _convert(ledger, to, unit, match)
            _convert_derived(ledger, to, unit, match)
    for match in passage.find(_ONE_IS):
        _in_measures(ledger, match)


def _convert_derived(ledger: Ledger, to: Amount, unit: str, match: re.Match[str]) -> None:
    """Convert what was derived in the unit: twelve ounces at 28 g each."""
    span = (ledger.passage.place(match.start()), ledger.passage.place(match.end()))
    for entry in [each for each in ledger.entries if each.amount.unit == unit]:
        starts = {start for start, _ in entry.spans}
        operands = [each for each in ledger.passage.amounts if each.start in starts]
        value, why = entry.amount.value * to.value, f"{entry.why}, converted"
        ledger.derive(to, value, (*operands, to), why, relation=span)


def _in_measures(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `a cord is 128 cubic feet`, where so many cubic feet were derived."""
    passage, to, noun = ledger.passage, ledger.passage.amount(match["to"]), match["unit"]
    if not to.value or len(re.findall(rf"\b{noun}s?\b", passage.marked)) < 2:
        return
    span = (passage.place(match.start()), passage.place(match.end()))
    for entry in list(ledger.entries):
        count = entry.amount.value / to.value
        if entry.amount.unit == to.unit and entry.role == "derived" and count > 1:
            like = Amount("q", count, UNITS.get(noun, noun), to.start, to.end)
            starts = {start for start, _ in entry.spans}
            operands = [each for each in passage.amounts if each.start in starts]
            if (count * 4).denominator == 1:
                ledger.derive(like, count, (*operands, to), f"in {noun}s", relation=span)


def derive_measures(ledger: Ledger) -> None:
    """Derive areas from two lengths, times and distances from a speed."""
    passage, _marked = ledger.passage, ledger.passage.marked
    for match in passage.find(_DIMENSIONS):
        a, b = passage.amount(match["a"]), passage.amount(match["b"])
        side = re.search(r"[x×] ?$|\bby $", passage.marked[: match.start()][-4:])
        side = side or re.match(r" ?(?:[x×]|by) ?§", passage.marked[match.end() :][:6])
        if b.unit in _AREAS and (a.unit == b.unit or a.sort == "n") and not side:
            like = Amount("q", b.value, _AREAS[b.unit], a.start, b.end)
            first, last = passage.sentence(a.start)[0], passage.sentence(b.start)[1]
            is_wanted = AREA.search(passage.text.lower(), first, last + 80)
            role: FactRole = "derived" if is_wanted else "alternative"
            ledger.derive(like, a.value * b.value, (a, b), "area", role=role)
    speeds = [each for each in passage.amounts if each.unit in _SPEEDS]
    for speed in speeds[:1]:
        for amount in passage.amounts:
            if amount.unit == _SPEEDS[speed.unit] and abs(amount.start - speed.start) < 150:
                like = Amount("t", speed.value, "hour", speed.start, speed.end)
                ledger.derive(
                    like, amount.value / speed.value, (amount, speed), "distance by speed"
                )
            elif _goes_for(passage, speed, amount):
                hours = amount.value / (60 if amount.unit == "minute" else 1)
                like = Amount("q", speed.value, _SPEEDS[speed.unit], speed.start, speed.end)
                ledger.derive(like, hours * speed.value, (speed, amount), "speed by time")


def _goes_for(passage: Passage, speed: Amount, amount: Amount) -> bool:
    if amount.sort != "t" or amount.unit not in ("hour", "minute"):
        return False
    told = any(each.unit == _SPEEDS[speed.unit] for each in passage.amounts)
    return not told and 0 < amount.start - speed.end < 40


def _unit(word: str) -> str:
    return UNITS.get(word, "") or CURRENCIES.get(word, "")


def _convert(
    ledger: Ledger, to: Amount, unit: str, match: re.Match[str], one: Amount | None = None
) -> None:
    passage = ledger.passage
    span = (passage.place(match.start()), passage.place(match.end()))
    like = to
    if to.sort == "n":
        asked = _asked_unit(ledger, unit)
        if asked is None:
            return
        like = Amount("q", to.value, asked, to.start, to.end)
    for amount in passage.amounts:
        is_told = amount.sort in "qm" and amount.unit == unit and amount.value != 1
        if {to.start, amount.start} <= ledger.spent:
            continue
        if is_told and amount is not one and amount is not to and like.unit != unit:
            why = f"{ledger.shown(amount)} at {passage.text[span[0] : span[1]]}"
            ledger.derive(like, amount.value * to.value, (amount, to), why, relation=span)


def _asked_unit(ledger: Ledger, unit: str) -> str | None:
    """Return the other unit that a text speaks of, for a factor that names none."""
    words = re.findall(r"[a-z]+", ledger.passage.marked)
    lengths = ("km", "mile", "m", "foot", "cm", "inch")
    others = [UNITS[word] for word in words if UNITS.get(word) in lengths and UNITS[word] != unit]
    return others[0] if others and unit in lengths and len(set(others)) == 1 else None
