"""How far things extend: pages 12 to 37, third from last, pages into a book, length by width."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from fractions import Fraction

from leadline.enrichers.amounts.conversions import AREA
from leadline.enrichers.amounts.dimensions import EACH, read_counts
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.measures import finer, is_alike, value_as
from leadline.enrichers.amounts.passage import Amount
from leadline.enrichers.number_words import lowered
from leadline.types import FactRole

_LABELS = (
    r"(?:pages?|pp?\.?|seats?|rooms?|rows?|chapters?|houses?|numbers?|nos\.?|items?|lots?"
    r"|questions?"
    r"|exercises?|verses?|lines?|tracks?|episodes?|issues?|volumes?|vols?\.?|tickets?|bays?"
    r"|lockers?"
    r"|steps?|plots?|cabins?|berths?|paragraphs?|slides?|pitches|tables|units?|flats?|stalls?"
    r"|desks?"
    r"|exhibits?|figures|plates?|holes?|boxes|stations?|folios?|frames?|gates?|floors?|levels?)"
)
_RANGE = re.compile(
    rf"\b{_LABELS} ?#?(?P<a>\d{{1,5}}) ?(?:to|through|thru|-|–|until"
    rf"|up to)(?: and including)? ?(?:{_LABELS} ?)?"
    r"(?P<b>\d{1,5})(?![\d.,]\d|\d|(?: ?[ap]m)|:|/|%)"
)
_TWO_FIGURES = re.compile(r"\d ?(?:to|To|TO|through|thru|-|–|until|up to)[^\d.;]{0,24}\d")
ORDINALS: dict[str, int] = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13,
    "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18,
    "nineteenth": 19, "twentieth": 20,
}  # fmt: skip
"""Ordinal in words -> number."""
_RANK = rf"(?:\d{{1,4}}(?:st|nd|rd|th)|{'|'.join(ORDINALS)})"
_FROM_END = re.compile(
    rf"\b(?P<rank>{_RANK})[- ](?:from|to)[- ](?:the )?(?:last|end|bottom|back|rear|right|left"
    rf"|finish)\b"
    r"|\bnext[- ]to[- ]last\b|\bpenultimate\b|\blast but (?P<but>one|two|three)\b"
)
_OF_ALL = re.compile(
    r"\b(?:of|in|among|out of|from|with|a field of|a class of|a queue of|a line of|all) (?:the |a "
    r"|all )?(?:[a-z]+ of )?(§n\d+§)"
    r"|(§n\d+§) (?:runners|riders|entrants|starters|entries|competitors|teams|horses|boats|people"
    r"|pupils|children"
    r"|houses|seats|cars|names|clubs|candidates|players|finishers|crews)"
)
_END = re.compile(r"from (?:the )?[lebr]|last|penultimate|-to-")
_RANKS = re.compile(
    r"\b(?:mov\w+|r[oi]se\w*|climb\w*|fell|fall\w*|drop\w*|went|gone|jump\w*|slip\w*|place|up|down"
    r"|slid|shot|promoted|finish\w*|came|improv\w+|sank|table|league)\b"
)
_FROM_RANK = re.compile(r"from (?:\d+[snrt]|[a-z]+(?:th|rd|nd|st)\b)")
_OUT_OF = re.compile(
    rf"\b(?:came|finished|placed|ranked|ended|was|were|is|lies?|lying|stands?"
    rf"|the) (?:in )?(?P<rank>{_RANK})"
    r"(?: place)? (?:out )?of (?:the |all )?(?P<whole>§n\d+§)(?! (?:an?|per)\b)"
)
_MOVED = re.compile(
    rf"\b(?:(?P<up>up|rose|risen|climb(?:ed|ing)?|moved up|gained|jumped|leapt|improved)"
    rf"|(?P<down>down|dropp?ed|fell|fallen"
    rf"|slipp?ed|sank|lost|slid))(?: by)? (?P<step>§n\d+§) (?:places?|positions?|spots?|rungs?"
    rf"|ranks?)(?: [a-z]+)?,?"
    rf" to (?:be )?(?P<rank>{_RANK})"
)
_FROM_TO = re.compile(
    rf"\bfrom (?P<a>{_RANK})(?: place| position)?(?: [a-z]+){{0,3}} (?:up "
    rf"|down )?to (?P<b>{_RANK})(?! century| grade| of)"
)
_INTO = re.compile(
    r"(?P<part>§[nqt]\d+§)(?: [a-z]+)?,? (?:into|through|along|in to|in on|of the way into)"
    r" (?:the |a |an |my |our |its |his |her |their |this "
    r"|that )*(?:[a-z]+ )?(?P<whole>§[nqt]\d+§)(?:[- ][a-z]+)?"
)
_WHOLE_IN = re.compile(
    r"(?P<whole>§[nqt]\d+§)[^.;§\n]{0,50}?(?:[.,;!\n]+ ?| and | but )(?:(?:(?:i['’]m|we['’]re|i am"
    r"|we are|she['’]s|he['’]s"
    r"|they['’]re|she is|he is|now|already|only|just|about|currently"
    r"|with)[ ,]*)*)(?P<part>§[nqt]\d+§)(?: [a-z]+)? in\b(?! [a-z])"
)
_WAY = re.compile(
    r"(?:(?P<share>§[fp]\d+§)(?: of the way)?|\b(?P<half>half ?way|half-way|midway)) (?:through"
    r"|along|into|down|up|across|round)"
    r" (?:(?:the|a|an|my|our|its|his|her|their|this|that) )*(?:[a-z]+ )?(?P<whole>§[nqt]\d+§)"
)
_PAGE_OF = re.compile(
    r"\b(?:on|at|to|reached|finished|read|past|done|into|did|now|up to) (?:page|p\.|mile|chapter"
    r"|minute|lap|question|hole|day|km|episode|step|round) (?P<part>\d+|§n\d+§) (?:out )?of"
    r" (?:the |a |its |my |an )?(?P<whole>§[nt]\d+§)"
)
_SIZE = re.compile(
    r"(?P<mark>§q\d+§|§n\d+§(?= ?(?:x|×|by) ))"
    r"(?: in)?(?: ?-?(?P<word>long|wide|broad|high|tall|deep|thick|square|across|length|width"
    r"|height|depth|cube))?"
)
_SIZE_LEAD = re.compile(
    r"\b(length|width|breadth|height|depth|long|wide|high|deep)(?: of| is|:)? $"
)
_UPWARDS = ("high", "tall", "deep", "thick", "height", "depth")
_BY = re.compile(
    r"^(?:,? ?(?:and|by|x|×|with) ?|, | ?[x×] ?)(?:(?:is|are|stands|a|an|only|just|about) )*$"
    r"|^,? (?:and|but) (?:is|are|stands|rises|it is|has an?) $"
)
_POWERS = {
    "m": ("m2", "m3"), "cm": ("cm2", "cm3"), "mm": ("mm2", "mm3"), "km": ("km2", "km3"),
    "foot": ("square foot", "cubic foot"), "inch": ("square inch", "cubic inch"),
    "yard": ("square yard", "cubic yard"), "mile": ("square mile", "cubic mile"),
}  # fmt: skip
_ROUND = re.compile(
    r"\b(?:fenc\w+|perimeter|edging|skirting|all (?:the way )?(?:a)?round|hedg\w+|border|hem"
    r"|framing|coving|boundary)\b"
)


_VOLUME = re.compile(
    r"\b(?:volume|capacity|tanks?|box(?:es)?|rooms?|hold\w*|fill\w*|ponds?|pools?|cubic|space"
    r"|litres?|crates?|bins?|trench\w*|beds?|soil|sand|concrete|gravel|compost|water|cases?|parcels?"
    r"|containers?|luggage|bags?|sheds?|silos?|skips?|pits?|cubes?|blocks?|ditch\w*|vats?|sinks?|troughs?)\b"
)
_STEP_AT = re.compile(
    r"\b(?:on|at|to|reached|finished|past) (?P<label>step|page|chapter|mile|lap|question|hole"
    r"|episode|stair|minute"
    r"|stop|level|verse|round|row) (?P<at>\d{1,4})\b(?! (?:of|out of)\b)"
)


def derive_extents(ledger: Ledger) -> None:
    """Derive how many lie in a range, places in an order, what is still ahead, and areas."""
    text = ledger.passage.text
    for match in _RANGE.finditer(lowered(text)) if _TWO_FIGURES.search(text) else ():
        first, last = int(match["a"]), int(match["b"])
        if first < last and not (1900 < first < 2100 and 1900 < last < 2100):
            like = Amount("n", Fraction(0), "", *match.span())
            ledger.derive(like, Fraction(last - first + 1), (like,), "both ends counted")
    _places(ledger)
    _progress(ledger)
    _sizes(ledger)


def _places(ledger: Ledger) -> None:
    passage = ledger.passage
    for match in passage.find_all(_FROM_END) if passage.first(_END) else ():
        back = {"one": 2, "two": 3, "three": 4}.get(match["but"] or "", 2)
        back = _rank(match["rank"]) if match["rank"] else back
        around = passage.marked[max(0, match.start() - 120) : match.end() + 90]
        found = [passage.amount(a or b) for a, b in _OF_ALL.findall(around)]
        if len(found) == 1 and found[0].value > back:
            spot = _spot(ledger, match)
            ledger.derive(
                found[0], found[0].value - back + 1, (found[0], spot), "place from the front"
            )
    for match in passage.find(_OUT_OF):
        rank, whole = _rank(match["rank"]), passage.amount(match["whole"])
        if 1 < rank < whole.value:
            ledger.derive(whole, whole.value - rank, (whole, _spot(ledger, match)), "places behind")
    for match in passage.find(_MOVED):
        step, rank = passage.amount(match["step"]), _rank(match["rank"])
        value = rank + step.value if match["up"] else rank - step.value
        if value > 0:
            ledger.derive(step, value, (step, _spot(ledger, match)), "the place before")
            ledger.spend(step)
    for match in passage.find_all(_FROM_TO) if passage.first(_FROM_RANK) else ():
        spot = _spot(ledger, match)
        value = Fraction(abs(_rank(match["a"]) - _rank(match["b"])))
        if value and _RANKS.search(passage.marked, max(0, match.start() - 80), match.end() + 20):
            ledger.derive(spot, value, (spot,), "places between", confidence=0.6)


def _spot(ledger: Ledger, match: re.Match[str]) -> Amount:
    place = ledger.passage.place
    return Amount("n", Fraction(0), "", place(match.start()), place(match.end()))


def _rank(word: str) -> int:
    return ORDINALS[word] if word in ORDINALS else int(re.sub(r"\D", "", word))


def _progress(ledger: Ledger) -> None:
    """Derive what is still ahead `40 minutes into the 142-minute film`, `page 212 of 340`."""
    passage = ledger.passage
    for pattern in (_INTO, _WHOLE_IN):
        for match in passage.find(pattern):
            _ahead(ledger, passage.amount(match["part"]), passage.amount(match["whole"]))
    for match in passage.find(_PAGE_OF):
        whole = passage.amount(match["whole"])
        if match["part"].startswith("§"):
            part = passage.amount(match["part"])
        else:
            start = passage.place(match.start("part"))
            part = Amount("n", Fraction(match["part"]), "", start, start + len(match["part"]))
        _ahead(ledger, part, Amount("n", whole.value, "", whole.start, whole.end))
    for match in passage.find(_STEP_AT):
        counted = re.search(rf"(§[nt]\d+§)[- ](?:[a-z]+ )?{match['label']}s?\b", passage.marked)
        if counted:
            whole = passage.amount(counted[1])
            start = passage.place(match.start("at"))
            part = Amount("n", Fraction(match["at"]), "", start, start + len(match["at"]))
            _ahead(ledger, part, Amount("n", whole.value, "", whole.start, whole.end))
    for match in passage.find(_WAY):
        whole = passage.amount(match["whole"])
        mark = passage.amount(match["share"]) if match["share"] else None
        share = mark.part if mark else Fraction(1, 2)
        operands = [whole, mark] if mark else [whole]
        for gone in (share, 1 - share):
            if whole.sort != "n" or (whole.value * gone).denominator == 1:
                ledger.derive(whole, whole.value * gone, operands, "so much of the way")
        ledger.spend(*operands)


def _ahead(ledger: Ledger, part: Amount, whole: Amount) -> None:
    if part.start in ledger.spent:
        return
    if part.sort == "n" and whole.sort in "qt":
        part = Amount(whole.sort, part.value, whole.unit, part.start, part.end)
    if is_alike(part, whole) and 0 < value_as(part, whole) < whole.value:
        like = finer(part, whole)
        value = value_as(whole, like) - value_as(part, like)
        ledger.derive(like, value, (whole, part), "what is still ahead", confidence=0.75, among=0)
        ledger.spend(part, whole)


def _sizes(ledger: Ledger) -> None:
    """Derive areas and volumes of what is so long, so wide and so high, and of so many of them."""
    passage = ledger.passage
    for group in _sized(ledger):
        amounts = [amount for amount, _ in group]
        unit = next((each.unit for each in reversed(amounts) if each.unit), "")
        if unit not in _POWERS:
            continue
        values = [each.value if not each.unit else _as(each, unit) for each in amounts]
        if any(value is None for value in values):
            continue
        sides = [value for value in values if value is not None]
        uprights = [word in _UPWARDS for _, word in group]
        product = Fraction(math.prod(sides))
        if (
            len(sides) == 2
            and any(uprights)
            and not re.search(
                r"wall|poster|screen|flag|door|window|picture|fence|board|sail|curtain|frame"
                r"|hoarding|panel",
                passage.marked,
            )
        ):
            continue
        like = Amount(
            "q", product, _POWERS[unit][len(sides) - 2], amounts[0].start, amounts[-1].end
        )
        wanted = AREA if len(sides) == 2 else _VOLUME
        first, last = passage.sentence(amounts[0].start)[0], passage.sentence(amounts[-1].start)[1]
        is_wanted = any(word in _UPWARDS for _, word in group) or (
            wanted.search(lowered(passage.text), first, last + 80) is not None
        )
        role: FactRole = "derived" if is_wanted else "alternative"
        entry = ledger.derive(like, product, amounts, "the product of the sides", role=role)
        if entry is None:
            continue
        ledger.spend(*amounts)
        if len(sides) == 2 and passage.first(_ROUND) and role == "derived":
            around = Amount("q", sides[0], unit, amounts[0].start, amounts[-1].end)
            ledger.derive(around, 2 * sum(sides, Fraction(0)), amounts, "all round")
        _times(ledger, like, amounts)


def _as(amount: Amount, unit: str) -> Fraction | None:
    like = Amount("q", Fraction(1), unit, 0, 0)
    return value_as(amount, like) if is_alike(amount, like) else None


def _sized(ledger: Ledger) -> Iterator[list[tuple[Amount, str]]]:
    """Yield groups of two or three lengths that stand side by side, with their adjectives."""
    passage, group = ledger.passage, list[tuple[Amount, str]]()
    last = -1
    for match in passage.find_all(_SIZE):
        amount = passage.amount(match["mark"])
        if amount.unit and amount.unit not in _POWERS:
            continue
        lead = _SIZE_LEAD.search(passage.marked, max(0, match.start() - 14), match.start())
        word = match["word"] or (lead[1] if lead else "")
        gap = passage.marked[last : match.start()] if last >= 0 else ""
        if word in ("square", "cube") and amount.unit:
            yield [(amount, "")] * (2 if word == "square" else 3)
            continue
        is_joined = group and _BY.match(gap) and (word or group[-1][1] or re.search(r"by|x|×", gap))
        if is_joined and len(group) < 3:
            group.append((amount, word))
        else:
            if len(group) > 1:
                yield group
            group = [(amount, word)]
        last = match.end()
    if len(group) > 1:
        yield group


def _times(ledger: Ledger, like: Amount, sides: list[Amount]) -> None:
    """Multiply an area or a volume by how many there are of `each`."""
    passage = ledger.passage
    lead = passage.text[max(0, like.start - 40) : like.start].lower()
    tail = passage.text[like.end : like.end + 14].lower()
    if not re.search(r"\b(?:each|every one|all)\b", lead + tail):
        return
    near = [
        each.amount
        for each in read_counts(passage)
        if (each.of(EACH) or 0) >= 2 and each.amount not in sides and each.amount.start < like.start
    ]
    if near:
        ledger.derive(like, like.value * near[-1].value, [near[-1], *sides], "of all of them")
