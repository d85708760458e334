"""Wholes told by a part, rests of a list, several shares of one base, and even rates."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.measures import ratio_of_units
from leadline.enrichers.amounts.passage import Amount

_BEING = re.compile(
    r"(?P<part>§m\d+§)(?: only)?,? (?:being|representing|which (?:is|was|makes|represents)"
    r"|that is|equal to|equivalent to|constituting) (?:just |exactly |only )?(?P<share>§[pf]\d+§)"
    r" of (?:the|its|our|my|your|his|her|their) (?!rest\b|remainder\b|balance\b|same\b)[a-z]+"
)
_OTHERS = re.compile(
    r"(?P<whole>§n\d+§) (?!of\b)[a-z'’-]+[^.;:§\n]{0,40}?(?::|,| –| —| -) ?"
    r"(?P<list>§n\d+§ [a-z'’-]+(?:(?:,| and|, and) §n\d+§ [a-z'’-]+){0,5}),?(?: and)?"
    r" (?:all )?the (?:others|rest|remainder|remaining ones)\b(?! of)"
)
_ON_ONE_BASE = re.compile(
    r"\b(?:both|all|each)\b[^.§\n]{0,40}? on the (?:gross|full|original|whole|same|basic)"
    r"(?: [a-z]+)?:? ?(?P<list>[a-z ]{0,30}§p\d+§(?:(?:,| and|, and|;)[a-z ]{1,30}§p\d+§)+)"
)
_TAKEN = re.compile(r"\b(?:deduct\w*|withh\w+|taken off|come off|stopped)\b")
_PART_OF = re.compile(
    r"(?P<part>§n\d+§) (?:out )?of (?:the|my|its|his|her|our|their) (?P<whole>§n\d+§) [a-z]+s\b"
    r"[^.§\n]{0,70}?(?:[;,.]| and| but)[^.§\n]{0,40}?\b(?:it was|i was (?:at|on|up to)|it is"
    r"|i am (?:at|on|up to)|i had (?:reached|got to)|had reached|reached|now) (?:at )?"
    r"(?P<now>§n\d+§)(?=[.,;!\n]|$| (?:by|when|at|now|and|but)\b)"
)
_EVENLY = re.compile(
    r"(?P<size>§q\d+§)(?! ?(?:an?|per|each|every)\b)[^.§\n]{0,40}\bat an? (?:even|steady|constant"
    r"|uniform|fixed) (?:rate|pace)\b"
)
_MAKE_LESS = re.compile(
    r"\b(?:make|makes|made|bake|bakes|baked|cook|cooks|cooked|brew|prepare|mix|do) (?:only |just )?"
    r"(?P<share>§[fx]\d+§)(?: of)? (?:it|that|the (?:recipe|batch|quantit(?:y|ies)|amounts?"
    r"|mixture))\b"
)
_MAKES = re.compile(r"\b(?:makes|yields|serves|gives)(?: about| up to)? $")
_BY_THE_YEAR = re.compile(
    r"(?P<count>§n\d+§) (?P<noun>[a-z]+)s,? (?:at|for|@) (?P<price>§m\d+§) (?:per|a|an|each|every)"
    r" (?P=noun) (?:per|a|each|every) month,? (?:and |all |but )?(?:paid|billed|charged|invoiced"
    r"|payable)(?: up front| upfront| in advance)? (?:once a year|yearly|annually|every year"
    r"|by the year|per year|for the year)\b"
)


def derive_told_wholes(ledger: Ledger) -> None:
    """Derive wholes from a part and its share, rests, shares of one base, and even rates."""
    passage = ledger.passage
    for match in passage.find(_BEING):
        _being(ledger, match)
    for match in passage.find(_OTHERS):
        _others(ledger, match)
    for match in passage.find(_ON_ONE_BASE):
        _on_one_base(ledger, match)
    for match in passage.find(_PART_OF):
        _further(ledger, match)
    for match in passage.find(_EVENLY):
        _evenly(ledger, match)
    for match in passage.find(_MAKE_LESS):
        _make_less(ledger, match)
    for match in passage.find(_BY_THE_YEAR):
        count, price = passage.amount(match["count"]), passage.amount(match["price"])
        value = count.value * price.value * 12
        ledger.derive(price, value, (count, price), "for twelve months")


def _being(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `received £240, being sixty per cent of the contract value`."""
    part, mark = (ledger.passage.amount(match[name]) for name in ("part", "share"))
    share = mark.part
    if not 0 < share < 1:
        return
    whole, operands = part.value / share, (part, mark)
    if (whole * 100).denominator == 1 and ledger.derive(part, whole, operands, "the whole"):
        ledger.derive(part, whole - part.value, operands, "the rest of it", confidence=0.7)
        if mark.sort == "p":
            ledger.derive(mark, 100 - mark.value, operands, "the share of the rest")
        ledger.spend(mark)


def _others(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `27 singers: nine altos, eight sopranos, the others basses`."""
    lead = ledger.passage.marked[max(0, match.start() - 60) : match.start()]
    if "§n" in re.split(r"[.!?\n]", lead)[-1]:
        return  # the whole is told before
    whole = ledger.passage.amount(match["whole"])
    parts = [ledger.passage.amount(mark) for mark in re.findall(r"§n\d+§", match["list"])]
    rest = whole.value - sum((each.value for each in parts), Fraction(0))
    if rest > 0:
        ledger.derive(whole, rest, (whole, *parts), "the others")


def _on_one_base(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `two deductions, both on the gross: tax 22 per cent, pension 5 per cent`."""
    passage = ledger.passage
    base = ledger.before(passage.place(match.start()), "m", within=140, told=True)
    marks = [passage.amount(mark) for mark in re.findall(r"§p\d+§", match["list"])]
    total = sum((each.value for each in marks), Fraction(0))
    if base is None or total >= 100:
        return
    for mark in marks:
        ledger.derive(base, base.value * mark.value / 100, (base, mark), "a share of the base")
    if _TAKEN.search(passage.marked[max(0, match.start() - 60) : match.end()]):
        value = base.value * (100 - total) / 100
        ledger.derive(base, value, (base, *marks), "less all the shares")
    ledger.spend(*marks)


def _further(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `276 of the 480 pages were behind me; at night it was 312`."""
    names = ("part", "whole", "now")
    part, whole, now = (ledger.passage.amount(match[name]) for name in names)
    if not part.value < now.value < whole.value:
        return
    ledger.derive(now, now.value - part.value, (part, now), "the further ones")
    ledger.derive(now, whole.value - now.value, (whole, now), "those left")
    percent = Amount("p", now.value, "", now.start, now.end)
    ledger.derive(percent, now.value / whole.value * 100, (whole, now), "share of the whole")


def _evenly(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `a four-hour session; 2.4 L taken off at an even rate`."""
    passage = ledger.passage
    size = passage.amount(match["size"])
    times = [each for each in passage.amounts if each.sort == "t"]
    hours = ratio_of_units(times[0].unit, "hour") if len(times) == 1 else None
    if not hours or abs(times[0].start - size.start) > 200 or size.unit not in ("L", "mL", "km"):
        return
    value = size.value / (times[0].value * hours)
    if (value * 100).denominator == 1:
        like = Amount("q", value, f"{size.unit}/h", size.start, size.end)
        ledger.derive(like, value, (size, times[0]), "in each hour")


def _make_less(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `makes 24 squares, 450 g oatmeal, 300 g treacle. I make a third of it`."""
    passage = ledger.passage
    mark = passage.amount(match["share"])
    lower = passage.text.lower()
    for each in passage.amounts:
        made = each.sort == "n" and _MAKES.search(lower, max(0, each.start - 20), each.start)
        if each.end > mark.start or mark.start - each.end > 250 or not (each.sort == "q" or made):
            continue
        value = each.value * mark.value
        if each.sort == "q" or value.denominator == 1:
            ledger.derive(each, value, (each, mark), "that share of it")
    ledger.spend(mark)
