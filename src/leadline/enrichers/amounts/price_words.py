"""Prices told by other prices in everyday words: asking half, plus GST, three months' rent."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.measures import ratio_of_units
from leadline.enrichers.amounts.passage import Amount
from leadline.enrichers.amounts.units import TIMES

_ASKING = re.compile(
    r"\b(?:bought|paid|cost(?: me| us)?|costs|new|originally|was|were|worth|retails?|sells?|mrp"
    r"|priced?|list price|purchased|got it)\b[^.;§\n]{0,25}?(?P<price>§m\d+§)"
    r"(?:[^.§\n]|§t\d+§|\. ?){0,60}?\b(?:asking|want(?:ing)?|selling(?: it| them)?|will sell"
    r"|going|yours|will take|accept|letting it go|let it go|sell|sold it|sold)(?: just| only"
    r"| for| at| it| them| price){0,3}(?: is| of)? (?P<part>§f\d+§)"
    r"(?: of (?:that|it|this|the price|what i paid)| that| the price| price)?"
    r"(?= ?[.,;!?)\n]|$| (?:or|and|as|because|since|now|to|for) )"
)
_TAX = r"(?:gst|vat|hst|tax|sales tax|service tax|cess|service(?: charge)?|duty|levy)"
_PLUS_TAX = re.compile(
    rf"(?P<price>§m\d+§)(?: (?:only|net|a month|in all|each|per [a-z]+)| ?/-)?"
    rf"(?:,| and|;| \()? ?(?:plus|\+|and|exclusive of|excluding|excl\.?|before|ex)"
    rf" (?:an? )?(?:{_TAX} (?:at|of|@|\() ?(?P<rate>§p\d+§)|(?P<rate2>§p\d+§) (?:of )?{_TAX}\b)"
)
_MONTHS = re.compile(
    r"(?P<time>§t\d+§)['’]?s? (?:(?:old|basic|full|gross) )?"
    r"(?P<what>rent|pay|salary|wages?|fees?|maintenance|pension|subscription)\b"
)
_RATED = re.compile(
    r"\b(?P<what>rent|pay|salary|wages?|fees?|maintenance|pension|subscription)"
    r"(?: (?:is|of|was|at|being|:|per month|for [a-z ]{1,20}? (?:is|of))| is now"
    r"| each month){0,2}:? "
    r"(?P<rate>§m\d+§)(?: (?:a|per|each|every) (?P<per>week|month|year|term|day))?"
)
_TOWARDS = re.compile(
    r"(?P<part>§m\d+§)(?: (?:has|have|had|was|were|been|is|are|now|already|so far|to date))*"
    r" (?:pledged|raised|collected|saved|given|donated|received|banked|promised|in hand|gathered"
    r"|in the (?:bank|kitty|tin|pot)|contributed)(?: (?:so far|already|to date|now|by [a-z]+))*,?"
    r" (?:towards?|out of|of|against|on the way to)(?: (?:a|an|the|our|its|their))?"
    r"(?: [a-z]+){0,2}?(?: of)? (?P<whole>§m\d+§)"
)
_HAVE_OF = re.compile(
    r"\b(?:have|has|got|raised|collected|saved|reached|at|found|banked|with) (?P<part>§m\d+§)"
    r"(?: (?:so far|already|now|to date|in hand))*,? (?:of|out of|towards?)"
    r" (?:the|our|a|its|their|my) (?P<whole>§m\d+§)"
)
_PRICED = (
    r"meter|fare|rate|price|rent|fee|charge|cost|wage|pay|salary|bill|tariff|figure|estimate"
    r"|quote|deposit|fine|toll|premium"
)
_TIMES_OF = re.compile(
    rf"(?P<times>§x\d+§) (?:of )?(?:the|that|its|his|her|my|our|their)"
    rf"(?: (?:usual|normal|basic|ordinary|day|old|regular|standard|published))? (?P<what>{_PRICED})"
    r"\b(?! of §)"
)
_SHOWS = re.compile(
    rf"\b(?P<what>{_PRICED})(?: [a-z]+)? ?(?:shows?|showed|is|was|says|said|reads?|of|stands? at"
    rf"|comes to|came to|at|being|:)(?: just| only| now)? (?P<price>§m\d+§)"
)
_CHANGED = re.compile(
    r"\b(?:chang\w+|exchang\w+|convert\w+|sold|swapp\w+|took|brought|handed over|gave in)"
    r"\b[^.;§\n]{0,20}(?P<sum>§m\d+§)[^.;§\n]{0,60}[^§\n]{0,60}?"
    r"(?P<rate>§m\d+§) (?:for|to|against|per|a) (?:§n\d+§|one|each|every|the|a)"
    r"(?: (?:pound|dollar|euro|rupee|franc|dinar|dirham|riyal|yen|one)s?\b|(?= ?[.,;!)\n]|$))"
)
_SPLIT_OFF = re.compile(
    r"(?P<sum>§m\d+§)(?: (?!§)[a-z'’-]+){0,6}?[,:;–—-]+ ?(?P<part>§f\d+§) "
    r"(?:for|to|towards?|goes? to|went to|into|is for) (?:the|my|her|his|our|their|a)\b"
    r"(?P<rest>[^.;§\n]{0,20}(?:the rest|the remainder|the balance|what is left)[^.;§\n]{0,30}"
    r"(?:equal|divided|shared|split|between|among)[^.;§\n]{0,30}(?P<heads>§n\d+§))?"
)
_WE_EACH = re.compile(
    r"(?:\b(?:we are|we were|we['’]re|we will be|we['’]ll be|there are|there were|there['’]ll be"
    r"|there will be|the|all|party of|group of) (?P<count>§n\d+§)"
    r"|(?P<count2>§n\d+§) of us)(?! (?:of (?:them|these|those)|more|minutes))"
    r"[^.;§\n]{0,40}? (?P<rate>§m\d+§),? (?:each|apiece|per (?:head|person)|a head)\b"
)
_UNPAID = re.compile(
    r"(?P<unpaid>§n\d+§)(?: (?!of (?:the|my)\b)[a-z]+){0,2}? (?:have not|haven['’]t|has not"
    r"|hasn['’]t|did not|didn['’]t|are yet to|is yet to|still have to|yet to|still owe"
    r"|still to) ?(?:yet )?(?:paid|pay|given|give|contribut\w+|settled?|sent)?\b"
)


def derive_price_words(ledger: Ledger) -> None:
    """Derive what sums of money come to that are told by another one."""
    find = ledger.passage.find
    for match in find(_ASKING):
        price, part = _read(ledger, match, "price", "part")
        if _is_open(ledger, price, part) and part.value < 1:
            _enter(ledger, price, price.value * part.value, (price, part), "the price asked")
            ledger.spend(price, part)
    for match in find(_PLUS_TAX):
        price, rate = _read(ledger, match, "price", "rate" if match["rate"] else "rate2")
        if _is_open(ledger, price, rate):
            tax = price.value * rate.value / 100
            _enter(ledger, price, tax, (price, rate), "the tax")
            _enter(ledger, price, price.value + tax, (price, rate), "with the tax")
            ledger.spend(rate)
    for match in (*find(_TOWARDS), *find(_HAVE_OF)):
        part, whole = _read(ledger, match, "part", "whole")
        if part.unit == whole.unit and part.value < whole.value and _is_open(ledger, part, whole):
            percent = Amount("p", part.value, "", part.start, part.end)
            share = part.value / whole.value * 100
            _enter(ledger, percent, share, (part, whole), "share of the goal")
            _enter(ledger, whole, whole.value - part.value, (part, whole), "yet to be found")
            ledger.spend(part, whole)
    for match in find(_TIMES_OF):
        _times(ledger, match)
    for match in find(_MONTHS):
        _months(ledger, match)
    for match in find(_CHANGED):
        _changed(ledger, match)
    for match in find(_SPLIT_OFF):
        _split_off(ledger, match)
    for match in find(_WE_EACH):
        _we_each(ledger, match)


def _read(ledger: Ledger, match: re.Match[str], *names: str) -> list[Amount]:
    return [ledger.passage.amount(match[name]) for name in names]


def _is_open(ledger: Ledger, *amounts: Amount) -> bool:
    return not {each.start for each in amounts} & ledger.spent


def _enter(
    ledger: Ledger, like: Amount, value: Fraction, operands: tuple[Amount, ...], why: str
) -> None:
    ledger.derive(like, value, operands, why, confidence=0.75)


def _times(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `one and a half times the meter`, where the meter shows so much."""
    [times] = _read(ledger, match, "times")
    shown = [each for each in ledger.passage.find(_SHOWS) if each["what"] == match["what"]]
    if len(shown) == 1 and times.start not in ledger.spent:
        [price] = _read(ledger, shown[0], "price")
        _enter(ledger, price, price.value * times.value, (price, times), "so many times")
        ledger.spend(times)


def _months(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `a deposit of three months' rent`, where the rent is so much a month."""
    [time] = _read(ledger, match, "time")
    rates = [
        each
        for each in ledger.passage.find(_RATED)
        if each["what"].rstrip("s") == match["what"].rstrip("s")
    ]
    if len(rates) != 1 or time.unit not in TIMES or time.start in ledger.spent:
        return
    [rate] = _read(ledger, rates[0], "rate")
    ratio = ratio_of_units(time.unit, rates[0]["per"] or "month")
    if ratio and time.value * ratio != 1:
        _enter(ledger, rate, rate.value * time.value * ratio, (rate, time), "for that time")
        ledger.spend(time)


def _changed(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `changed three hundred pounds, 104 rupees for one`."""
    given, rate = _read(ledger, match, "sum", "rate")
    if given.unit != rate.unit and _is_open(ledger, given, rate):
        _enter(ledger, rate, given.value * rate.value, (given, rate), "at that rate")
        half = re.search(
            r"\b(?:sen[dt]\w*|giv\w+|gave|keep\w*|kept|sav\w+|spent|spend\w*) (?P<part>§f\d+§)"
            r"(?! (?:an?|the|of)\b)",
            match.string[match.end() : match.end() + 80],
        )
        if half:
            part = ledger.passage.amount(half["part"])
            value = given.value * rate.value * part.value
            _enter(ledger, rate, value, (given, rate, part), "part of what that came to")
            ledger.spend(part)
        ledger.spend(given, rate)


def _split_off(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `£10,000: a fifth for the roof, the rest divided between her two nephews`."""
    whole, part = _read(ledger, match, "sum", "part")
    if not _is_open(ledger, whole, part) or part.value >= 1:
        return
    taken = whole.value * part.value
    _enter(ledger, whole, taken, (whole, part), "the part named")
    rest = whole.value - taken
    ledger.derive(whole, rest, (whole, part), "the rest", confidence=0.6)
    if match["rest"]:
        [heads] = _read(ledger, match, "heads")
        if heads.value > 1:
            _enter(ledger, whole, rest / heads.value, (whole, part, heads), "a share of the rest")
        ledger.spend(heads)
    ledger.spend(whole, part)


def _we_each(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `we are eleven and it is 200 rupees each; two people have not paid`."""
    count, rate = _read(ledger, match, "count" if match["count"] else "count2", "rate")
    if count.value < 2 or not _is_open(ledger, count, rate):
        return
    _enter(ledger, rate, count.value * rate.value, (count, rate), "from all")
    for late in _UNPAID.finditer(match.string, match.end(), match.end() + 120):
        [unpaid] = _read(ledger, late, "unpaid")
        if unpaid.value < count.value:
            paid = (count.value - unpaid.value) * rate.value
            _enter(ledger, rate, paid, (count, rate, unpaid), "from those who paid")
            due = unpaid.value * rate.value
            _enter(ledger, rate, due, (rate, unpaid), "from those who have not")
            ledger.spend(unpaid)
    ledger.spend(count, rate)
