"""Nouns that stand for a number: pairs, couples, trios, sets of twins, packs of six."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.counted import singular
from leadline.enrichers.amounts.ledger import Ledger

_SIZES = {
    "pair": 2, "couple": 2, "brace": 2, "twin": 2, "duo": 2, "duet": 2, "trio": 3, "triplet": 3,
    "threesome": 3, "foursome": 4, "quartet": 4, "quadruplet": 4, "quintet": 5, "quintuplet": 5,
    "sextet": 6, "octet": 8, "dozen": 12, "score": 20, "gross": 144,
}  # fmt: skip
_NOUNS = (
    r"pairs|couples|braces?|duos|duets|trios|threesomes|foursomes|quartets|quintets|sextets|octets"
    r"|score"
)
_ONE_THING = (
    r"trousers|jeans|scissors|shears|glasses|spectacles|specs|shorts|tights|pliers|binoculars"
    r"|pyjamas"
    r"|pajamas|sunglasses|tweezers|goggles|leggings|pants|knickers|boxers|tongs|secateurs|clippers"
)
_COLLECTIVE = re.compile(
    rf"(?P<count>§n\d+§) (?:(?!of\b)[a-z]+ )?(?:(?:sets|pairs) of (?P<born>twins|triplets"
    rf"|quadruplets|quintuplets)"
    rf"|(?P<noun>{_NOUNS}))\b(?! of (?:[a-z]+ )?(?:{_ONE_THING})\b)(?! (?:years|rows|times)\b)"
)
_PACKS = re.compile(
    r"(?P<count>§n\d+§) (?:(?!of\b)[a-z]+ )?(?:packs|boxes|sets|multipacks) of (?P<size>§n\d+§)(?!"
    r" of)"
    r"|(?P<count2>§n\d+§) (?P<word>two|three|four|six|eight|ten|twelve)[ -]packs\b"
    r"|(?P<count3>§n\d+§) (?P<size3>§n\d+§)[ -]packs\b"
)
_PACK_PRICE = re.compile(
    r"(?<!§ )\b(?:case|pack|box|set|crate|tray|pallet|bundle|carton|book|strip|roll|multipack|bag"
    r"|sheet|punnet)s? of (?P<size>§n\d+§)"
    r"(?: [a-z]+){0,2}?,? ?(?:for|at|is|costs?|cost|was|:|-|–|=|now|comes? (?:to|in at))?(?: just|"
    r" only)? (?P<price>§m\d+§)(?! ?(?:each|apiece|an?|per|off|more|less|deposit)\b)"
)
_PAIRED = re.compile(r"\b(?:base|chromosome|key|ordered|value|electron|lone|matched) pairs?\b")
_WORDS = {"two": 2, "three": 3, "four": 4, "six": 6, "eight": 8, "ten": 10, "twelve": 12}
_PRICE = re.compile(
    r"(?P<price>§m\d+§),? (?:for |per )?(?:(?:a |the |each )?(?P<noun>pair|dozen|braces?|gross"
    r"|score"
    r"|couple)\b|(?P<mark>§n\d+§))"
)


def derive_collectives(ledger: Ledger) -> None:
    """Derive how many single things are in pairs, trios, packs, and what so many pairs cost."""
    passage = ledger.passage
    for match in passage.find(_PRICE):
        _priced(ledger, match)
    for match in passage.find(_PACK_PRICE):
        _pack(ledger, match)
    for match in passage.find(_COLLECTIVE):
        size = _SIZES[singular(match["born"] or match["noun"])]
        _enter(ledger, match, match["count"], Fraction(size))
    for match in passage.find(_PACKS):
        if match["word"]:
            size = _WORDS[match["word"]]
            _enter(ledger, match, match["count2"], Fraction(size))
            continue
        mark = passage.amount(match["size"] or match["size3"])
        _enter(ledger, match, match["count"] or match["count3"], mark.value)


def _enter(ledger: Ledger, match: re.Match[str], mark: str, size: Fraction) -> None:
    passage = ledger.passage
    count = passage.amount(mark)
    if count.value < 2 or count.value.denominator != 1 or size < 2:
        return
    span = (passage.place(match.start()), passage.place(match.end()))
    if match.re is _COLLECTIVE and re.search(
        r"\b(?:in|of|every|each|the last|next|first) $", passage.marked[: match.start()][-10:]
    ):
        return
    if _PAIRED.search(passage.text[span[0] : span[1] + 6].lower()):
        return  # three base pairs are told as pairs
    why = f"{passage.text[span[0] : span[1]]}, {size} in each"
    ledger.derive(count, count.value * size, (count,), why, relation=span, confidence=0.6)


def _priced(ledger: Ledger, match: re.Match[str]) -> None:
    """Multiply the price of a pair or a dozen by how many pairs or dozens there are."""
    passage = ledger.passage
    price = passage.amount(match["price"])
    noun = match["noun"] or _noun_of(ledger, match["mark"])
    if not noun or price.start in ledger.spent:
        return
    for amount in passage.amounts:
        words = ledger.shown(amount).lower()
        behind = passage.text[amount.end : amount.end + 40].lower()
        if amount.sort != "n" or abs(amount.start - price.start) > 200:
            continue
        if re.match(rf"(?: [a-z]+)? {noun}s?\b", behind):
            times = amount.value
        elif re.search(rf"\b{noun}s?$", words) and amount.value > _SIZES[noun]:
            times = amount.value / _SIZES[noun]
        else:
            continue
        if times > 1 and amount.start != price.end + 1:
            why = f"{ledger.shown(price)} × {words} by the {noun}"
            ledger.derive(price, price.value * times, (price, amount), why)
            ledger.spend(price)
            return


def _pack(ledger: Ledger, match: re.Match[str]) -> None:
    """Derive the price of one from that of a pack: `case of 12, £108`."""
    size, price = (ledger.passage.amount(match[name]) for name in ("size", "price"))
    if size.value < 2 or {size.start, price.start} & ledger.spent:
        return
    why = f"{ledger.shown(price)} for {ledger.shown(size)}, for each"
    ledger.derive(price, price.value / size.value, (size, price), why, confidence=0.7)


def _noun_of(ledger: Ledger, mark: str) -> str:
    words = ledger.shown(ledger.passage.amount(mark)).lower().split()
    return words[1] if len(words) == 2 and words[0] in ("a", "one") and words[1] in _SIZES else ""
