"""Sums of what is listed side by side, and differences of what there was and what is gone."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.money import UNKNOWN
from leadline.enrichers.amounts.passage import Amount

_ITEM = r"§[mq]\d+§(?: (?:for|on|to|from|in|at|as) (?:[a-z'’-]+ ?){1,3}?)"
_LISTED = re.compile(rf"{_ITEM}(?:(?:, and |, | and |; | plus ){_ITEM})+")
_SPENT = re.compile(
    r"\b(?:spent|paid|owes?|raised|earned|collected|donated|gave|lent|sold|made|cost(?:s"
    r"|ing)?|ran"
    r"|walked|cycled|rode|swam|drove|used|bought|in total|altogether|total)\b"
)
_EITHER = re.compile(r"\b(?:or|each|instead|rather|per|either|compared|against|versus|vs)\b")
_OWED = re.compile(
    r"\b(?:owes?|owed) [a-z]+ (?P<a>§m\d+§) and [a-z]+ (?P<b>§m\d+§)"
    r"|(?P<c>§m\d+§) and (?:a |another |a further )?(?P<d>§m\d+§) (?:altogether|in total|in all)"
)
_ON_TOP = re.compile(
    r"(?P<a>§m\d+§)(?: (?:a|per) [a-z]+)?[^.;§\n]{0,40}? (?P<b>§m\d+§) (?:on top|extra|more for"
    r"|in addition|as well)\b"
)
_PACK_PRICE = re.compile(
    r"(?P<size>§q\d+§)(?: [a-z'’-]+){0,3}?,? ?(?:for|at|is|are|costs?|:|=|)? ?(?:just |only )?"
    r"(?P<price>§m\d+§)(?! ?(?:off|an?|per|/|each|every|more|less|discount|cheaper)\b)"
)
_NOUN_PRICE = re.compile(
    r"(?:^|[^§\w])(?P<noun>[a-z]{3,}) (?:(?:is|costs?|cost|at|was"
    r"|for) )?(?P<price>§m\d+§)(?=[.,;)\n]|$)"
)
_TILL = re.compile(
    r"(?:[a-z'’-]+ ){1,2}§[nm]\d+§(?:(?:, and |, | and |; )(?:[a-z'’-]+ ){1,2}§[nm]\d+§){2,}"
)
_TOO_FEW = re.compile(
    r"(?P<whole>§n\d+§)[^.§\n]{0,30}\b(?:is|are|was|were) (?P<part>§n\d+§) (?:short|down|missing"
    r"|absent)\b"
)
_CHANGE = re.compile(
    r"(?P<part>§m\d+§) (?:back|change) (?:from|out of|for) (?:a |the |my |his "
    r"|her )?(?P<whole>§m\d+§)"
)
_PRICED_FOR = re.compile(
    r"(?P<price>§m\d+§) (?:for|per|a|an|each) (?:each |every |an? )?(?P<noun>[a-z]+)\b"
)
_COUNTED = re.compile(r"(?P<count>§n\d+§) (?P<noun>[a-z]+)\b")
_HAD = re.compile(
    r"\b(?:had|has|have|started (?:out )?with|began with|bought|ordered|baked|made|planted"
    r"|brought"
    r"|picked|received|printed|invited|booked|hired|packed|sent|are|were|was|of|lent(?: [a-z]+)?"
    r"|borrowed|owed?(?: [a-z]+)?|holds?|seats|for|on) (?:about |only |just |out |him |her "
    r"|them )?"
    r"(?P<whole>§[mn]\d+§)(?P<noun>)"
)
_LESS = re.compile(
    r"(?:,|;|\.|\band|\bbut|\bof which|\bof whom"
    r"|\bthough)(?: [a-z'’-]+){0,4}? (?P<part>§[mn]\d+§)"
    r"(?P<mid>(?: of (?:them|those|these|which|whom))?(?: (?:have|has|had|were|was|are|is"
    r"|never|did"
    r"|could|later|since|already|then|seats?|places?|people|tickets?|so far|back)){0,3}) ?"
    r"(?P<verb>[a-z'’]+(?: (?:out|off|away|up|back|home|down))?)"
)
_VERBS = re.compile(
    r"(?:broke|broken|died|left|cancelled|canceled|withdrew|resigned|retired|failed|went"
    r"|lost|sold|eaten|spoiled|spoilt|damaged|missing|absent|cracked|stolen|expired"
    r"|declined|refused|rejected|returned|empty|free|vacant|unsold|unoccupied|arrived"
    r"|leaked|burned|burnt|rotten|gone|dropped|pulled|turned|stayed|fell|quit|defective"
    r"|faulty|unused|spare|sick|ill|unavailable|reserved|cancelled|closed|wilted|escaped"
    r"|drowned|disqualified)\b"
)
_GAVE = re.compile(
    r"\b(?:sold|gave away|ate|lost|used|broke|returned|threw away|gave|repaid|paid back|paid"
    r"|spent"
    r"|drank|sent back|given|eaten|drunk|handed out"
    r"|returned)(?: [a-z]+){0,3}? (?P<part>§[mn]\d+§)"
    r"(?! (?:each|per|a|an|times)\b)(?P<tail>(?: [a-z'’-]+){0,4})"
)
_NOW_LEFT = re.compile(
    r"(?P<left>§[mn]\d+§)(?: [a-z'’-]+){0,2}? (?:left|remaining|remain|to go|unsold|still free)\b"
)


def derive_sums(ledger: Ledger) -> None:
    """Derive totals of listed amounts, of priced counts, and what was taken or is left."""
    for match in ledger.passage.find(_LISTED):
        _listed(ledger, match)
    for match in ledger.passage.find(_OWED):
        marks = [mark for mark in match.groups() if mark]
        _sum(ledger, [ledger.passage.amount(mark) for mark in marks])
    for match in ledger.passage.find(_ON_TOP):
        _sum(ledger, [ledger.passage.amount(match["a"]), ledger.passage.amount(match["b"])])
    for match in ledger.passage.find(_PACK_PRICE):
        _per_unit(ledger, match)
    for match in ledger.passage.find(_NOUN_PRICE):
        _bought(ledger, match)
    # what `_till` asks first is known before the search, which is slow
    for match in ledger.passage.find(_TILL) if ledger.passage.currency != UNKNOWN else ():
        _till(ledger, match)
    _both_products(ledger)
    for pattern in (_TOO_FEW, _CHANGE):
        for match in ledger.passage.find(pattern):
            whole, part = (ledger.passage.amount(match[name]) for name in ("whole", "part"))
            _difference(ledger, whole, part, "what is left")
    _price_list(ledger)
    _what_is_left(ledger)


def _listed(ledger: Ledger, match: re.Match[str]) -> None:
    marked = ledger.passage.marked
    around = marked[max(0, match.start() - 80) : match.end() + 60]
    if _SPENT.search(around) and not _EITHER.search(around):
        _sum(ledger, [ledger.passage.amount(mark) for mark in re.findall(r"§\w\d+§", match[0])])


def _sum(ledger: Ledger, amounts: list[Amount]) -> None:
    if len({(each.sort, each.unit) for each in amounts}) > 1 or len(amounts) < 2:
        return
    if any(each.start in ledger.spent for each in amounts):
        return
    total = sum((each.value for each in amounts), Fraction(0))
    ledger.derive(amounts[0], total, amounts, "the sum", confidence=0.65)


def _per_unit(ledger: Ledger, match: re.Match[str]) -> None:
    """Derive the price of a kilogram or litre from that of a pack."""
    size, price = (ledger.passage.amount(match[name]) for name in ("size", "price"))
    unit, parts = _LARGER.get(size.unit, (size.unit, 1))
    if size.unit not in _SOLD_BY or size.value <= 0 or size.value == parts:
        return
    gap = ledger.passage.text[size.end : price.start].lower()
    if price.start not in ledger.spent and " and " not in gap:
        why = f"the price of one {unit}"
        ledger.derive(price, price.value / size.value * parts, (size, price), why, confidence=0.6)


def _bought(ledger: Ledger, match: re.Match[str]) -> None:
    """Multiply the price of a thing by how many of it there are."""
    price = ledger.passage.amount(match["price"])
    counted = re.compile(rf"(?P<count>§n\d+§) (?:[a-z]+ )?{match['noun']}s\b")
    count = next(ledger.passage.find(counted), None)
    if count is None or price.start in ledger.spent or match["noun"].endswith("s"):
        return
    number = ledger.passage.amount(count["count"])
    if number.value > 1 and abs(number.start - price.start) < 160:
        why = f"{ledger.shown(number)} × {ledger.shown(price)}"
        ledger.derive(price, price.value * number.value, (number, price), why, confidence=0.7)


def _both_products(ledger: Ledger) -> None:
    """Add up `40 cakes at £3 and 20 pies at £4`."""
    products = [each.amount for each in ledger.entries if "×" in each.why]
    for first, second in pairwise(products):
        gap = ledger.passage.text[first.end : second.start]
        is_alike = first.sort == second.sort == "m" and first.unit == second.unit
        is_joined = re.match(r"(?: each| apiece)?,? and [^.]{0,40}$", gap) is not None
        if is_alike and is_joined:
            value = first.value + second.value
            ledger.derive(first, value, (first, second), "both together", confidence=0.7)


def _till(ledger: Ledger, match: re.Match[str]) -> None:
    """Add up `fish 18.20, leeks 3.30, flowers 9`, where the text has one currency."""
    passage = ledger.passage
    amounts = [passage.amount(mark) for mark in re.findall(r"§\w\d+§", match[0])]
    has_cents = any(each.value.denominator > 1 for each in amounts)
    if passage.currency == UNKNOWN or not has_cents or _EITHER.search(match[0]):
        return
    total = sum((each.value for each in amounts), Fraction(0))
    like = Amount("m", total, passage.currency, amounts[0].start, amounts[0].end)
    ledger.derive(like, total, amounts, "the sum", confidence=0.65)


_SOLD_BY = frozenset(("kg", "g", "L", "mL", "cL", "m", "m2", "lb", "oz", "gallon", "kWh", "GB"))
_LARGER = {"g": ("kg", 1000), "mL": ("L", 1000), "cL": ("L", 100)}


def _price_list(ledger: Ledger) -> None:
    """Read `£12 for adults and £8 for children; two adults and three children`."""
    passage = ledger.passage
    prices = {
        _stem(match["noun"]): passage.amount(match["price"]) for match in passage.find(_PRICED_FOR)
    }
    counts = {
        _stem(match["noun"]): passage.amount(match["count"]) for match in passage.find(_COUNTED)
    }
    both = [noun for noun in prices if noun in counts]
    units = {prices[noun].unit for noun in both}
    if len(both) < 2 or len(units) > 1:
        return
    total = sum((prices[noun].value * counts[noun].value for noun in both), Fraction(0))
    operands = [each for noun in both for each in (counts[noun], prices[noun])]
    ledger.derive(prices[both[0]], total, operands, "the sum of counts at their prices")
    ledger.spend(*operands)


def _what_is_left(ledger: Ledger) -> None:
    """Read `we had 30 chairs but five broke`, `started with 50 and have 12 left`."""
    passage, marked = ledger.passage, ledger.passage.marked
    for match in passage.find(_HAD):
        whole = passage.amount(match["whole"])
        if whole.start in ledger.spent:
            continue
        end = match.end() + 110
        left = _NOW_LEFT.search(marked, match.end(), end)
        if left and passage.amount(left["left"]).sort == whole.sort:
            _difference(ledger, whole, passage.amount(left["left"]), "what is gone")
            continue
        less = _LESS.search(marked, match.end(), end)
        if less and _VERBS.match(less["verb"]):
            _difference(ledger, whole, passage.amount(less["part"]), "what is left")
            continue
        gave = _GAVE.search(marked, match.end(), end)
        if gave and not _EITHER.search(marked, match.end(), gave.end()):
            _difference(ledger, whole, passage.amount(gave["part"]), "what is left")


def _difference(ledger: Ledger, whole: Amount, part: Amount, why: str) -> None:
    same = whole.sort == part.sort and whole.unit == part.unit
    if same and 0 < part.value < whole.value and part.start not in ledger.spent:
        ledger.derive(whole, whole.value - part.value, (whole, part), why, confidence=0.7)
        ledger.spend(whole, part)


def _stem(noun: str) -> str:
    return {"children": "child", "people": "person"}.get(noun, noun.removesuffix("s"))
