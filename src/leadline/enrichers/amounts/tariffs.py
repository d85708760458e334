"""Prices that change with the number: `£2 for the first hour, £1.50 for each after it`, packs."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.dimensions import Count, basis_name, is_stop, read_counts
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount

_ORDINAL = (
    r"first (?:(?P<told>§[tnq]\d+§)(?: (?P<noun>(?!or\b|and\b|is\b|are\b|at\b|then\b|cost)[a-z]+))?"
    r"|(?P<unit>[a-z]+))"
)
_PRICE_FIRST = re.compile(
    r"(?P<price>§m\d+§)(?P<each> (?:each|apiece|an? [a-z]+|per [a-z]+))?,? (?:for|on|per|covers"
    r"|buys"
    rf"|in|to cover|to) (?:the |your |its )?{_ORDINAL}"
)
_PRICE_LAST = re.compile(
    rf"\b(?:the |your |its )?{_ORDINAL}(?: (?:is|are|costs?|was|were|at|comes? at|cost me|cost us"
    r"|will cost|charged at))*:? ?(?:just |only )?(?P<price>§m\d+§)(?P<each> (?:each|apiece|an?"
    r"|per)\b)?"
)
_NEXT = re.compile(r"[^§.\n]{0,70}(?:\.\s[^§.\n]{0,40})?(?P<price>§m\d+§)[^§.\n]{0,50}")
_MORE = re.compile(
    r"\b(?:additional|further|extra|subsequent|following|after|thereafter|afterwards|beyond|then"
    r"|more|other|remaining|next|rest)\b"
)
_HOLDERS = (
    r"(?:pack(?:et|age)?|crate|box|tray|bag|set|book|roll|case|carton|tin|jar|bundle|bunch|sleeve"
    r"|strip|punnet|multipack|sheet|tube|batch|block|course|pad|ream|card|carnet|booklet|barrel"
    r"|sack|six-pack|pallet|net|basket|bucket)"
)
_IS = (
    r"(?: ?(?:,|:|=|–|-)| (?:is|was|costs?|cost|for|at|comes to|came to|sells for|goes for|will be"
    r"|priced at|can be had for|were|are))?(?: (?:me|us|him|her|just|only|about|now))*"
)
_NOT_EACH = r"(?! ?(?:each|apiece|an? |per |/|off\b|more|less))"
_PACK = re.compile(
    rf"\b(?:an?|one|each|per|the|this|every|my|our) (?:[a-z-]+ )?{_HOLDERS} (?:of|with|containing"
    rf"|holding) (?P<count>§n\d+§)(?: (?!is\b|was\b|cost|for\b|at\b|are\b)[a-z-]+){{0,3}}{_IS} ?"
    rf"(?P<price>§m\d+§){_NOT_EACH}"
)
_HELD_PACK = re.compile(
    rf"\b(?:an?|one|each|per|the|this"
    rf"|every) (?:[a-z-]+ )?{_HOLDERS} \((?:of )?(?P<count>§n\d+§)(?: [a-z-]+){{0,2}}\)"
    rf"{_IS} ?(?P<price>§m\d+§){_NOT_EACH}"
)
_FOR_MANY = re.compile(
    rf"(?P<price>§m\d+§) (?:for|from|buys|bought|gets you|got me|got us) (?:(?:an?|the|all|my|our"
    rf"|their|her|his"
    rf"|one) )*(?:[a-z-]+ )?(?:{_HOLDERS} of )?(?P<count>§n\d+§)(?! (?:of (?:us|them|you)|people"
    r"|persons|nights|days|weeks|hours|months|years|minutes|adults|guests|or more|more|each|per))"
)
_HYPHEN_PACK = re.compile(
    rf"(?P<count>§n\d+§)[- ](?:pack|pk|piece set|pint pack)(?: of [a-z-]+| [a-z-]+)?{_IS} ?"
    rf"(?P<price>§m\d+§){_NOT_EACH}"
)


_OFFER = re.compile(
    r"\b(?:bogof|buy(?: (?:one|§n\d+§)),?(?: and)? get (?:one|§n\d+§|another) free|buy one get one)"
    r"|(?P<all>\b(?:two for one|2[- ]for[- ]1)|§n\d+§ for (?:the price of )?§n\d+§(?= |[.,;!]))"
)
_FOR_TIME = re.compile(
    r"(?P<price>§m\d+§) for (?:the |a |an |all )?(?P<count>§[tq]\d+§)(?! (?:each|per|a |an "
    r"|or more))"
    r"|(?P<size>§[qt]\d+§)(?:,| of [a-z]+,?| [a-z]+,)?(?: (?:is|was|for|at|costs?|cost(?: me"
    r"| us)?|and|came to|the [a-z]+"
    r"|said|read|showed|at the pump|in total))* (?P<sum>§m\d+§)(?! ?(?:each|per|an? |/|off|every"
    r"|more|less|or))"
)


def derive_tariffs(ledger: Ledger) -> None:
    """Derive what so many cost where the first cost otherwise, and the price of one of a pack."""
    passage = ledger.passage
    if "first " in passage.marked:
        for pattern in (_PRICE_FIRST, _PRICE_LAST):
            for match in passage.find(pattern):
                _tiered(ledger, match)
    _deals(ledger)
    for match in passage.find(_FOR_TIME):
        _by_measure(ledger, match)
    for pattern in (_PACK, _HELD_PACK, _FOR_MANY, _HYPHEN_PACK):
        for match in passage.find(pattern):
            _unit_price(ledger, match)


def _deals(ledger: Ledger) -> None:
    """Read `three for the price of two` and `buy one, get one free`, where so many are taken."""
    passage = ledger.passage
    deal = next(passage.find(_OFFER), None)
    prices = [each for each in passage.amounts if each.sort == "m"]
    if deal is None or len({each.value for each in prices}) != 1 or prices[0].start in ledger.spent:
        return
    told = [passage.amount(each) for each in re.findall(r"§n\d+§", deal[0])]
    numbers = [each.value for each in told]
    if deal["all"]:
        all_of, paid = numbers if len(numbers) == 2 else (Fraction(2), Fraction(1))
    else:
        bought, free = numbers if len(numbers) == 2 else (Fraction(1), Fraction(1))
        all_of, paid = bought + free, bought
    takes = [each for each in read_counts(passage) if each.amount not in told]
    if len(takes) != 1 or not 0 < paid < all_of or takes[0].amount.sort != "n":
        return
    number, price = takes[0].amount, prices[0]
    to_pay = number.value - number.value // all_of * (all_of - paid)
    ledger.derive(price, to_pay * price.value, (price, number, *told), "with the offer")
    ledger.spend(price)


def _by_measure(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `52 litres, and the pump said €85.80` and `£180 for six hours`."""
    passage = ledger.passage
    price = passage.amount(match["price"] or match["sum"])
    count = passage.amount(match["count"] or match["size"])
    if count.value <= 1 or price.start in ledger.spent:
        return
    why = f"for one {count.unit}"
    ledger.derive(price, price.value / count.value, (price, count), why, confidence=0.55)


def _tiered(ledger: Ledger, match: re.Match[str]) -> None:
    passage = ledger.passage
    first = passage.amount(match["price"])
    follows = _NEXT.match(passage.marked, match.end())
    if follows is None or not _MORE.search(follows[0]) or first.start in ledger.spent:
        return
    told = passage.amount(match["told"]) if match["told"] else None
    noun = match["unit"] or match["noun"] or ""
    unit = told.unit if told and told.unit else basis_name(noun) if noun else ""
    further = passage.amount(follows["price"])
    if not unit or further.unit != first.unit or is_stop(noun):
        return
    number = told.value if told else Fraction(1)
    count = _count(ledger, unit, first, [told] if told else [])
    if count is None:
        return
    times = (count.of(unit) or Fraction(0)) - number
    if times > 0:
        start = first.value * (number if match["each"] else 1)
        operands = (first, further, count.amount, *([told] if told else []))
        ledger.derive(first, start + times * further.value, operands, "the first and the others")
        ledger.spend(first, further)


def _count(ledger: Ledger, unit: str, price: Amount, used: list[Amount]) -> Count | None:
    """Return how many of a unit there are, as told nearest to a price."""
    best: Count | None = None
    for count in read_counts(ledger.passage):
        if count.of(unit) is None or count.amount in used or count.amount.sort == "x":
            continue
        here = abs(count.amount.start - price.start)
        if here < 300 and (best is None or here < abs(best.amount.start - price.start)):
            best = count
    return best


def _unit_price(ledger: Ledger, match: re.Match[str]) -> None:
    price, count = (ledger.passage.amount(match[name]) for name in ("price", "count"))
    if count.value < 2 or count.value.denominator != 1 or price.start in ledger.spent:
        return
    ledger.derive(price, price.value / count.value, (price, count), "for each", confidence=0.65)
