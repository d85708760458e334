"""What a percentage or a fraction does to an account: taken off, put on top, set aside, gone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from leadline.enrichers.amounts.passage import Amount

_FILL = r"(?: (?:a|an|the|another|further|additional|extra|only|just|flat|full|about|around))*"
_OFF_TAIL = re.compile(
    r" ?(?:off\b(?!-)|(?:[a-z-]+ ){0,2}?(?:discount|reduction|rebate|markdown|price cut|saving"
    r"|cashback|cash back)\b"
    r"|cheaper\b(?! than)|less\b(?! than)|lower\b(?! than)|deducted|commission|withheld"
    r"|knocked off|taken off|cut\b)"
)
_OFF_LEAD = re.compile(
    r"(?:\b(?:discount(?:ed)?(?: of| by| is|:)?|reduc\w+(?: of| by)?|knock\w*(?: off)?"
    r"|t[oa]k\w+(?: off)?|less|minus"
    r"|slash\w*(?: by)?|cut(?: by)?|marked down(?: by)?|deduct\w*|keeps?|kept|retains?|retained"
    r"|withh\w+|commission(?: of"
    r"| is| at|:)?|shav\w+(?: off)?|save[sd]?|off by|dropp?\w*(?: by)?|(?:c[ao]mes?|went|gone"
    r"|goes) down(?: by)?"
    r"|lower\w*(?: by)?|tds(?: of| at)?|loses?|lost|fell(?: by)?|fallen(?: by)?)|[−–-])"
    + _FILL
    + r" ?$"
)
_CUT_BY = re.compile(
    r"\b(?:cut|reduced|slashed|marked down|dropped|fell|fallen|lowered|discounted|came down"
    r"|went down"
    r"|gone down|knocked down) by" + _FILL + r" ?$"
)
_TAKES_OFF = re.compile(
    r"\b(?:(?:t[oa]k(?:es?|en|ing)|took|knock\w*|shav\w+|strik\w+) off|deduct\w*)" + _FILL + r" ?$"
)
_APPOSED = re.compile(
    r"(?:[,(–—]|\bor|\bwhich is|\bthat is|\bthat['’]s)(?: (?:or|just|about"
    r"|exactly|only|some))* ?$"
)
_DIRECT = re.compile(
    r"(?: of)?(?: (?:my|the|his|her|our|their|your|that|this|all))+ §m\d+§"
    r"|(?: of) §m\d+§"
)
_ADD_TAIL = re.compile(
    r" ?(?:(?:[a-z-]+ ){0,2}?(?:vat|gst|hst|tax|service|tip|gratuity|surcharge|premium|mark-?up"
    r"|duty|levy|fee|supplement"
    r"|rise|raise|increase|hike|bonus|uplift|cess|octroi)\b|extra\b|on top\b|more\b(?! than"
    r"| expensive| costly| pricey| for| on)"
    r"|dearer\b(?! than)"
    r"|higher\b(?! than)|interest\b(?= (?:on|added|charge)))"
)
_ADD_LEAD = re.compile(
    r"\b(?:plus|add\w*|charg(?:es?|ing)|vat|gst|sales tax|tax|service(?: charge)?|tip\w*|gratuity"
    r"|premium|duty"
    r"|levy|mark(?:ed)?-?(?: )?up"
    r"|rais\w+(?: by)?|increas\w+(?: of| by)?|went up(?: by)?|gone up(?: by)?|goes? up(?: by)?"
    r"|put up(?: by)?|rise of|raise of"
    r"|rise[sn]?(?: by)?|rose(?: by)?|bonus of|surcharge|up by)(?: (?:is|was|of|at|charged at"
    r"|rate|it|them|them all|prices?|rents?))*:?" + _FILL + r" ?$"
    r"|\+ ?$"
)
_PART_TAIL = re.compile(
    r" ?(?:deposit|down ?payment|down\b|up ?front|in advance|advance|retainer|now\b(?= and| then|,)"
    r"|(?:is |was )?(?:due|payable|required|paid|wanted) (?:now|up ?front|in advance|on (?:order"
    r"|booking|signing)|today|when))"
)
_PART_LEAD = re.compile(
    r"\b(?:deposit|down ?payment|advance|retainer)(?: of| is| was|:)?" + _FILL + r" ?$"
)
_GONE_TAIL = re.compile(
    r" (?:of (?:what(?: was|['’]s| is)? left|the rest|the remainder|it|that|this"
    r"|the (?:[a-z]+ )?(?:money|sum|total|goal|target|amount|budget|fund"
    r"|grant|cost|price|prize|loan"
    r"|bill|rent|salary|wage|proceeds|takings|cash|kitty|pot|lot|whole))\b|of the way|there\b"
    r"|funded|paid(?: off)?\b|(?:has|have|had|was|were|is|are|will be) (?:already |now |since "
    r"|been |going )*"
    r"(?:spent|used|paid|gone|raised|covered|pledged|collected|sold|funded|repaid|donated|taken"
    r"|on|to)\b"
    r"|raised|spent|gone|used|covered|pledged|to (?:charity|his|her|their|my|the)|went (?:on|to"
    r"|into)|goes (?:on|to|into))"
)
_GONE_LEAD = re.compile(
    r"\b(?:stands? at|stood at|reached|is at|was at|now at|hit|raised|collected|spent|saved"
    r"|paid(?: off)?|covered|pledged|funded"
    r"|banked|got)" + _FILL + r" ?$"
)
_IS_GONE = re.compile(
    r"\b(?:pledged|raised|spent|gone|used|paid|funded|covered|collected|saved"
    r"|stands?|reached|thermometer)\b"
)
_HALF_PRICE = re.compile(
    r"[ -](?:price\b|(?:of )?(?:the|that) (?:(?:usual|normal|full|list|original|adult|regular"
    r"|asking|ticket) )?(?:price|fare|rate|cost|fee)\b)"
)
_PAY_HALF = re.compile(r"\b(?:pay|pays|paid|for|at|are|charged) $")
_PAY_TAIL = re.compile(r"(?: that| it| as much| price)?(?: *$|[,;)])")
_OUR_SHARE = re.compile(
    r"\b(?:share|cut|portion|percentage|stake|royalt\w+)\b[^§.]{0,40}(?:is|was|of|:)(?: only"
    r"| just)? $"
)
_OF_WHICH = re.compile(r"\b(?:of (?:which|that|it|this)|out of (?:which|that|it))\b[^§.]{0,30}$")
_HER_HALF = re.compile(
    r"\b(?:owes?(?: me| us| him| her| them)?|sent (?:me|her|him|them)|gave (?:me|her|him|them)"
    r"|[a-z]+ed (?:me|her|him|them|us)"
    r"|went|go|my|her|his|your|their|our) (?:my |her |his |your |their )?$"
)
_COMPARED = re.compile(
    r"^ ?(?:[a-z-]+ ){0,2}(?:than|as|compared)\b|^ (?:of"
    r"|in) (?:the )?(?:people|all)\b"
)
_TIPPED = re.compile(r"\b(?:left|tipped)(?: (?:a|an|him|her|them|another|the [a-z]+))* $")
_ON_TOP = re.compile(r" (?:[a-z]+ )?on top\b")
_INSIDE_LEAD = re.compile(
    r"\b(?:incl\w*\.?|inclusive|contains?)(?: (?:of|the|a|vat|tax|gst|service|tip|at|charge"
    r"|sales))* $"
)
_INSIDE_TAIL = re.compile(
    r" (?:sales |value[ -]added )?(?:vat|tax|gst|service|tip|duty)(?: charge)?,? (?:is |are |was "
    r"|has been )?(?:already |all )?(?:included|inclusive|incl|baked in|built in|rolled in"
    r"|folded in|in (?:it|there|that)\b|in the price)\b"
)
_SAVED = re.compile(
    r"\b(?:sav(?:e[sd]?|ings?)|commission|withh\w+|keeps?|kept|retain\w*|takes|deduct\w*|tds|cut"
    r"|goes to|worth"
    r"|comes to|that is|that['’]s)\b"
)


@dataclass(frozen=True, slots=True)
class Share:
    """A share of an account.

    part     0 to 1, exact
    way      taken `off`, to `add`, the share and the `rest`, or what `half price` leaves;
             `was` where the share is off already
    is_told  what is taken off is of interest by itself
    is_gone  paid, raised or spent: the rest is yet to be
    """

    part: Fraction
    way: Literal["off", "add", "rest", "half price", "was"]
    is_gone: bool = False
    is_told: bool = False


def is_inside(lead: str, tail: str) -> bool:
    """Tell whether a percentage is in the amount already: `with 8% sales tax baked in`."""
    return bool(_INSIDE_LEAD.search(lead) or _INSIDE_TAIL.match(tail))


def read_share(mark: Amount, lead: str, tail: str, behind: str = "") -> Share | None:
    """Return what a percentage or fraction does to the money told before or behind it.

    lead, tail  the sentence in marked text before it, since the last amount, and behind it
    behind      what stands behind it, other amounts too
    """
    part = mark.part
    if _COMPARED.search(tail) or is_inside(lead, tail) or not part > 0:
        return None
    if _PART_TAIL.match(tail) or _PART_LEAD.search(lead):
        return Share(part, "rest") if part < 1 else None
    if part < 1 and (
        _OFF_TAIL.match(tail)
        or (mark.sort == "p" and _OFF_LEAD.search(lead))
        or (mark.sort == "f" and (_CUT_BY.search(lead) or _TAKES_OFF.search(lead)))
    ):
        return Share(part, "off", is_told=_SAVED.search(lead + tail) is not None)
    is_tip = _TIPPED.search(lead) and not tail.startswith(" of")
    if (mark.sort == "p" and (_ADD_TAIL.match(tail) or _ADD_LEAD.search(lead) or is_tip)) or (
        mark.sort == "f" and _ON_TOP.match(tail)
    ):
        return Share(part, "add")
    if part < 1 and _APPOSED.search(lead):
        return None
    if part < 1 and mark.sort == "p" and _OUR_SHARE.search(lead):
        return Share(part, "half price")
    if part < 1 and (_OF_WHICH.search(lead) or (_HER_HALF.search(lead) and part == Fraction(1, 2))):
        return Share(part, "rest", is_gone=True)
    if part < 1 and _DIRECT.match(behind):
        return Share(part, "rest", is_gone=_IS_GONE.search(lead) is not None)
    if part < 1 and (_GONE_TAIL.match(tail) or _GONE_LEAD.search(lead)):
        return Share(part, "rest", _IS_GONE.search(lead + tail) is not None)
    if mark.sort == "f" and (
        _HALF_PRICE.match(tail)
        or (_PAY_HALF.search(lead) and _PAY_TAIL.match(tail) and part == Fraction(1, 2))
    ):
        return Share(part, "half price")
    return None
