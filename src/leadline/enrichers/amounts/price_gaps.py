"""Prices side by side: by how much they differ, and prices so many per cent above or below."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

from leadline.enrichers.amounts.dimensions import period_factor
from leadline.enrichers.amounts.ledger import Entry, Ledger
from leadline.enrichers.amounts.money_roles import role_of
from leadline.enrichers.amounts.passage import Amount
from leadline.enrichers.amounts.price_rates import Rate

_CONTRAST = re.compile(
    r"\b(?:but|while|whereas|instead|versus|vs|against|compared|cheaper|dearer|pricier|elsewhere"
    r"|online|usually|normally|used to|last (?:year|month|week|time|night|season)|yesterday"
    r"|this (?:year|month|week|time|season)|today|now|other (?:one|shop|store|place)|the next"
    r"|and (?:i|he|she|we|they|mine|hers|his|yours|theirs|the other)|final (?:price|bill|cost"
    r"|offer)|settled (?:on|for)|accepted"
    r"|ended up|in the end|eventually|the lot|for (?:all|both|the (?:lot|set|pair))|same [a-z]+"
    r"|rival|competitor"
    r"|older|newer|wholesale|retail|in (?:january|february|march|april"
    r"|may|june|july|august|september|october|november|december|(?:19|20)\d\d))\b|;"
)
_THAN = re.compile(
    r"(?P<share>§[pf]\d+§) (?P<way>less|more|cheaper|dearer|higher|lower|below|above|under|over"
    r"|short of|up on|down on)(?: than)?(?: [a-z'’]+){0,4}? (?P<base>§m\d+§)"
)
_DOWN = frozenset(("less", "cheaper", "lower", "below", "under", "short of", "down on"))
_OPTION = re.compile(
    r"(?P<a>§n\d+§) (?P<noun>[a-z]+)s?,? (?:for |at |is |are |costs? |: ?)?(?P<one>§m\d+§)"
    r"[,;]?(?: (?:or|and|but))? (?P<b>§n\d+§)(?: (?P=noun)s?)?,? (?:for |at |is |are |costs? |: ?)?"
    r"(?P<other>§m\d+§)"
)
_PART_OF = re.compile(
    r"(?P<part>§m\d+§)(?: (?!was|is|for)[a-z]+)? (?:out )?of (?:the|an?|my|our|his|her|their|your"
    r"|its|that)"
    r" (?:[a-z-]+ )?(?P<whole>§m\d+§)"
)
_BEAT = re.compile(
    r"(?P<told>§m\d+§)(?: [a-z]+)? (?:(?P<more>beat|beats|exceed\w*|outbid|topped|tops|passed"
    r"|overshot|surpass\w*|overtook)"
    r"|(?P<less>undercut|undercuts|missed|misses|fell short of|falls short of|undershot"
    r"|trail\w*))[^.§]{0,40}? by (?P<step>§m\d+§)"
)
_LEVIED = re.compile(
    r"\b(?P<what>tax|tip|fee|commission|duty|premium|surcharge|charge|deposit|discount|levy|vat"
    r"|interest)[^§.]{0,12}"
    r" on (?:the|an?|my|our|his|her|their) (?P<bill>§m\d+§)[^§.]{0,25}? (?:was|is|of|came to"
    r"|comes to|were|:) (?P<part>§m\d+§)"
)
_RANKED = re.compile(
    r"\b(?:averag\w+|medians?|mean (?!time|while)|lowest|highest|top|bottom|percentile|respectively"
    r"|salar(?:y|ies))\b"
)
_NOW = re.compile(
    r",?(?: and| but|;)? (?:(?:it|they|that|now)(?: is| are|['’]s|['’]re)?|is|are|costs?)"
    r"(?: now| only| just| down to| at)* $"
)
_NOT_PAIRED = frozenset(("fee", "plus", "off", "paid", "note", "left", "goal", "part", "unclear"))


def derive_price_gaps(ledger: Ledger, rates: list[Rate]) -> None:
    """Derive differences of prices that stand side by side, and prices that others are told by."""
    passage = ledger.passage
    for match in passage.find(_THAN):
        _against(ledger, match)
    for match in passage.find(_PART_OF):
        part, whole = passage.amount(match["part"]), passage.amount(match["whole"])
        if part.value < whole.value and part.unit == whole.unit and part.start not in ledger.spent:
            ledger.derive(whole, whole.value - part.value, (part, whole), "the rest of it")
            percent = Amount("p", part.value, "", part.start, part.end)
            ledger.derive(percent, part.value / whole.value * 100, (part, whole), "share of it")
            ledger.spend(part, whole)
    for match in passage.find(_LEVIED):
        _levied(ledger, match)
    for match in passage.find(_BEAT):
        told, step = passage.amount(match["told"]), passage.amount(match["step"])
        value = told.value - step.value if match["more"] else told.value + step.value
        ledger.derive(told, value, (told, step), "what it is compared with")
        ledger.spend(step)
    for match in passage.find(_OPTION):
        _options(ledger, match)
    marks = list(re.finditer(r"§m\d+§", passage.marked))
    bases = {rate.amount.start: rate for rate in rates if rate.is_sure}
    for first, second in pairwise(marks):
        _pair(ledger, first, second, bases)


def _levied(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `the tax on the $340 fare was $51`."""
    bill, part = (ledger.passage.amount(match[name]) for name in ("bill", "part"))
    if part.value >= bill.value or part.unit != bill.unit:
        return
    sign = -1 if match["what"] in ("discount", "deposit", "commission") else 1
    percent = Amount("p", part.value, "", part.start, part.end)
    ledger.derive(percent, part.value / bill.value * 100, (bill, part), f"{match['what']} as share")
    ledger.derive(bill, bill.value + sign * part.value, (bill, part), f"with the {match['what']}")


def _against(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `15% less than the £200,000 they asked`."""
    mark, base = (ledger.passage.amount(match[name]) for name in ("share", "base"))
    share = mark.part
    if mark.start in ledger.spent or (match["way"] in _DOWN and share >= 1):
        return
    value = base.value * (1 - share if match["way"] in _DOWN else 1 + share)
    if ledger.derive(base, value, (base, mark), f"{match['way']} it"):
        ledger.spend(mark)


def _options(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `two courses £28, three courses £34`: what the third costs."""
    passage = ledger.passage
    one, other = passage.amount(match["one"]), passage.amount(match["other"])
    fewer, more = passage.amount(match["a"]), passage.amount(match["b"])
    if more.value > fewer.value and other.value > one.value and one.unit == other.unit:
        ledger.derive(other, other.value - one.value, (one, other), "what one more costs")


def _pair(
    ledger: Ledger, first: re.Match[str], second: re.Match[str], bases: dict[int, Rate]
) -> None:
    passage = ledger.passage
    one, other = passage.amount(first[0]), passage.amount(second[0])
    gap = passage.marked[first.end() : second.start()]
    if one.unit != other.unit or one.value == other.value or len(gap) > 130:
        return
    behind = re.match(r"[^§.\n]{0,40}", passage.marked[second.end() :])
    contrast = _CONTRAST.search(gap) or (behind and _CONTRAST.search(behind[0]))
    lead = gap.rsplit(". ", 1)[-1].rsplit("\n", 1)[-1]
    if role_of(lead, behind[0] if behind else "") in _NOT_PAIRED:
        return
    if _size_before(ledger, one) != _size_before(ledger, other):
        return
    left, right = _whole(ledger, one), _whole(ledger, other)
    if not left or not right:
        return
    factor = Fraction(1)
    units = [
        bases[each.start].bases[0].name
        for each in (one, other)
        if each.start in bases and bases[each.start].bases
    ]
    if contrast is None and len(set(units)) < 2:
        return
    if len(units) == 1 and left.value == one.value and right.value == other.value:
        return
    if len(units) == 2 and units[0] != units[1]:
        factor = period_factor(units[1], units[0])
        if not factor:
            return
    difference = abs(left.value * factor - right.value)
    if difference:
        begin, end = passage.sentence(one.start)[0], passage.sentence(other.start)[1]
        is_ranked = _RANKED.search(passage.text[begin:end].lower())
        ledger.derive(
            right, difference, (one, other), "the difference", confidence=0.6, among=0,
            role="alternative" if is_ranked else "derived",
        )  # fmt: skip
        behind_it = passage.marked[second.end() : second.end() + 5]
        if _NOW.match(gap) and (" now" in gap or behind_it.startswith(" now")):
            percent = Amount("p", difference, "", other.start, other.end)
            why = "the change in percent"
            ledger.derive(percent, difference / left.value * 100, (one, other), why)


def _size_before(ledger: Ledger, price: Amount) -> tuple[Fraction, str]:
    """Return the measure that a price is told for: packs of two sizes are not compared."""
    sizes = [
        each
        for each in ledger.passage.amounts
        if each.sort == "q" and 0 < price.start - each.end < 40
    ]
    return (sizes[-1].value, sizes[-1].unit) if sizes else (Fraction(0), "")


def _whole(ledger: Ledger, amount: Amount) -> Amount | None:
    """Return an amount, or the product of a price of one that it was used for."""
    products: list[Entry] = [
        each
        for each in ledger.entries
        if " × " in each.why and each.spans[0] == (amount.start, amount.end)
    ]
    if products:
        return products[-1].amount
    sums = [each for each in ledger.entries if each.why == "the sum"]
    is_item = any((amount.start, amount.end) in each.spans for each in sums)
    return amount if is_item or amount.start not in ledger.spent else None
