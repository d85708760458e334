"""Maps to scale, fuel for a distance, spirit in a bottle: one measure by another."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.measures import ratio_of_units
from leadline.enrichers.amounts.passage import Amount

_SCALE = re.compile(
    r"(?<![\d:])1 ?[:/] ?(?P<scale>\d{1,3}(?:[,. ]?\d{3})+|\d{2,3})\b(?! ?(?:am|pm))"
)
_MAPPED = re.compile(
    r"\b(?:scale|map|plan|drawing|model|sheet|chart|replica|blueprint|diorama|atlas)\b"
)
_PER_100 = re.compile(
    r"(?P<use>§q\d+§)(?: of (?:petrol|diesel|fuel))? (?:per|every|for every|to|/|an?) ?(?:the )?"
    r"(?P<far>§q\d+§)"
)
_TO_GALLON = re.compile(
    r"(?P<far>§q\d+§) (?:to|per|on) (?:the|a|each|every) (?P<unit>gallon|litre|liter|charge"
    r"|tank)\b|(?P<mpg>§q\d+§)"
)
_STRENGTH = re.compile(
    r"(?P<size>§q\d+§)(?P<gap>(?: (?!§)[a-z'’-]+){0,4}?),? (?:at|of|with|is|and|containing)?(?:"
    r" an? abv of| about| only)? ?(?P<share>§p\d+§)(?P<what>(?: (?:abv|alcohol|vol|fat|sugar|cocoa"
    r"|juice|by volume|fruit|acid|water|cream|wool|cotton))?)"
)
_LIQUID = frozenset(("L", "mL", "cL", "pint", "g", "kg", "oz"))
_DRINK = re.compile(
    r"\b(?:bottle|abv|alcohol|spirit|solution|vol|wine|whisky|gin|vodka|fat|sugar|cocoa|juice"
    r"|strength|acid|bleach|saline|concentrat\w+|contains?)\b"
)
# per cent of a drug are grams in 100 mL
_DRUG = re.compile(r"caine\b|epinephrine|an(?:a)?esthe|daily value|\bserving")
_LARGER = (("km", Fraction(1000000)), ("m", Fraction(1000)), ("cm", Fraction(10)))
_MM = {"mm": 1, "cm": 10, "m": 1000}


def derive_measured_use(ledger: Ledger) -> None:
    """Derive distances from maps, fuel and range from consumption, and the parts of a mixture."""
    passage = ledger.passage
    if "§q" not in passage.marked:
        return
    if _MAPPED.search(passage.text.lower()):
        for match in _SCALE.finditer(passage.text):
            _mapped(ledger, match)
    for match in passage.find(_PER_100):
        _consumed(ledger, match)
    for match in passage.find(_TO_GALLON):
        _ranged(ledger, match)
    for match in passage.find(_STRENGTH):
        _contained(ledger, match)


def _contained(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `a 750 ml bottle at 14%`: how much of it is spirit."""
    marked = ledger.passage.marked
    size, mark = (ledger.passage.amount(match[name]) for name in ("size", "share"))
    is_mixture = match["what"] or _DRINK.search(marked)
    changed = re.match(r" ?(?:off|more|less|extra|free|full)\b", marked[match.end() :])
    if size.unit in _LIQUID and is_mixture and not changed and not _DRUG.search(marked):
        why = f"{ledger.shown(mark)} of {ledger.shown(size)}"
        ledger.derive(size, size.value * mark.value / 100, (size, mark), why, confidence=0.6)


def _mapped(ledger: Ledger, match: re.Match[str]) -> None:
    scale = Fraction(re.sub(r"[,. ]", "", match["scale"]))
    factor = Amount("n", scale, "", *match.span())
    for amount in ledger.passage.amounts:
        if (
            amount.sort != "q"
            or amount.unit not in ("mm", "cm", "m")
            or abs(amount.start - match.start()) > 200
        ):
            continue
        size = amount.value * _MM[amount.unit]
        is_small = amount.unit != "m" or scale < 200
        real = size * scale if amount.unit != "m" else size / scale
        if not is_small:
            continue
        unit, parts = next(
            ((unit, parts) for unit, parts in _LARGER if real >= parts), ("mm", Fraction(1))
        )
        like = Amount("q", real / parts, unit, amount.start, amount.end)
        ledger.derive(like, real / parts, (factor, amount), f"at 1 to {scale}")


def _consumed(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `6 litres per 100 km`: the fuel of a trip, the range of a tank."""
    use, far = ledger.passage.amount(match["use"]), ledger.passage.amount(match["far"])
    if use.unit not in ("L", "mL", "gallon", "kWh") or far.unit not in ("km", "mile", "m"):
        return
    for amount in ledger.passage.amounts:
        if amount in (use, far) or amount.sort != "q" or abs(amount.start - use.start) > 220:
            continue
        if amount.unit == far.unit:
            value = amount.value * use.value / far.value
            ledger.derive(use, value, (use, far, amount), f"for {ledger.shown(amount)}")
        elif amount.unit == use.unit:
            value = amount.value * far.value / use.value
            ledger.derive(far, value, (use, far, amount), f"with {ledger.shown(amount)}")


def _ranged(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `35 miles to the gallon`, `50 mpg`: how far it goes, and the fuel of a trip."""
    passage = ledger.passage
    rate = passage.amount(match["far"] or match["mpg"])
    unit = {"litre": "L", "liter": "L"}.get(match["unit"] or "gallon", match["unit"] or "gallon")
    if (match["mpg"] and rate.unit != "mpg") or rate.unit not in ("mile", "km", "mpg"):
        return
    length = "mile" if rate.unit == "mpg" else rate.unit
    for amount in passage.amounts:
        if amount is rate or amount.sort not in "qn" or abs(amount.start - rate.start) > 220:
            continue
        if amount.unit == unit and ratio_of_units(amount.unit, unit):
            like = Amount("q", rate.value, length, amount.start, amount.end)
            ledger.derive(like, amount.value * rate.value, (rate, amount), "as far as it goes")
        elif amount.unit == length and unit in ("gallon", "L"):
            like = Amount("q", rate.value, unit, amount.start, amount.end)
            if (amount.value / rate.value * 10).denominator == 1:
                ledger.derive(like, amount.value / rate.value, (rate, amount), "what it takes")
