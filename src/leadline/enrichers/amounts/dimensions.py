"""What an amount is per, and what counts count: `per person per night`, `four of us`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from leadline.enrichers.amounts.dimension_words import (
    ADVERBS,
    FOR_PEOPLE,
    HEADS,
    LARGER,
    NO_BASIS,
    OCCASIONS,
    PEOPLE,
    ROOMS,
    SAME,
    STOP,
)
from leadline.enrichers.amounts.passage import Amount, Passage
from leadline.enrichers.amounts.units import TIMES, UNIT_PATTERN, UNITS, unit_of

EACH = "each"
"""Basis of a price of one of whatever was counted."""

PERSON = "person"
WAY = "way"
OCCASION = "occasion"
BARE = "(bare)"
_OBJECT = re.compile(
    r"\b(?:took|take|takes|filled|fill|bought|buy|buys|sold|sell|sells|had|have|has|used|use|ate"
    r"|eat|picked|pick|brought"
    r"|got|get|gets|needs?|wants?|ordered|order|made|makes?|sent|send|delivered|collected"
    r"|returned|drank|read|did|rented|hired"
    r"|packed|washed|ironed|baked|printed|caught|shipped|posted|handed in|washes|walks|walked"
    r"|does|went through|planted|cut"
    r"|laid|wrote|typed|there (?:were|are|was|is|will be)|booked|claimed|managed|hold|holds|own"
    r"|owns|swam|ran|rode|cycled|drove"
    r"|climbed|scored|grew|gave|only|just)(?: (?:only|just|about|another|all"
    r"|exactly))? $"
)
_PASSED = re.compile(
    r" (?:were |was |got |have been |been )?(?:sold|bought|eaten|taken|ordered"
    r"|used|sent|printed|hired)\b"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_ENDED = re.compile(
    r" ?(?:$|[.,;:!?)\n]|(?:and|but|so|in|on|at|last|this|yesterday|today|of them|that|by|before"
    r"|for|over|altogether|from|to)\b)"
)

_EACHES = r"(?:(?:on|for|of|from) )?each|apiece|a piece|a pop|a go|ea\b\.?|every one(?! of)|a throw"
_ARTICLES = (
    r"(?:(?:for |from |to |by |on |of |in )?(?:each|every)"
    r"(?: (?:and every|single|(?:single )?one of (?:the|these|those|my|our)))?"
    r"|(?:for |to |by )?(?:an?|one)|per|for the|by the|to the|the)"
)
_KINDS = (
    r"(?:(?:square|cubic|sq|cu|working|full|extra|additional|school|calendar|paying|metric"
    r"|whole|half-|single|individual|finished|sold|printed|large|small|medium|unit|different)"
    r"\.? )?"
)
_BASIS = re.compile(
    rf"(?:,? (?P<adverb>{'|'.join(re.escape(word) for word in ADVERBS)})(?![\w.])"
    rf"|,? (?P<each>{_EACHES})(?! (?:[a-z]+ ?(?:of|with|at)\b|(?!way)(?:{'|'.join(TIMES)})\b))\b"
    rf"|(?P<link>(?:,? |-){_ARTICLES}[ -]| ?/ ?|,? and (?=per ))(?:per )?"
    rf"(?:(?P<size>§[ntq]\d+§) ?)?(?P<noun>{_KINDS}[a-z][a-z²³'’]*(?:-[a-z]+)?)?"
    rf"(?P<further> [a-z]+(?=[,.;:)\n]| and | we | i ))?)"
)
_NOT_SINCE = re.compile(r" (?:ago|later|earlier|before|back|from now|after|older|younger)\b")
_SIZED = frozenset(("of", "off", "on", "in"))
_AFTER_COUNT = re.compile(
    r"(?: (?:more|other|extra|further|additional))?"
    r"(?: of (?P<us>us|them|you|those|these)\b| of (?:the|our|my|his|her|their|its|your|those"
    r"|these) (?=[a-z])|(?=[ -][a-z]))(?P<nouns>(?:[ -]?[a-z][a-z'’]*){0,5})"
)
_PER_COUNT = re.compile(
    r"(?:(?P<each>,? (?:each|apiece)\b)|,? (?P<adverb>hourly|daily|nightly|weekly|fortnightly"
    r"|monthly|yearly|annually)\b"
    r"|(?: ?/ ?|,? (?:an?|per|each|every|in a) )(?P<unit>(?:working |school |calendar )?[a-z]+)\b"
    r"(?! ago))"
)
_ONE_SPAN = re.compile(
    r"\b(?:(?:for|in|over|during|lasts?|of|by|is that) (?:an?|one|the|a whole|a full|the whole"
    r"|the full|the entire|an entire|one whole|a single)|(?:an?|one|the whole|this"
    r"|the full)(?=[a-z ]+['’]s))"
    r" (?P<unit>second|minute|hour|day|night|week|fortnight|month|quarter|year)\b(?! (?:ago"
    r"|before|or))"
)
_BOTH = re.compile(
    r"\b(?P<both>both of (?:us|them|you)|the pair of (?:us|them|you)|my (?:wife|husband|partner"
    r"|girlfriend|boyfriend|brother|sister|mum|dad|son|daughter) and (?:i|me)\b)"
)
_FOR_SO_MANY = re.compile(r"(?<![§\d])(?<!§ )\bfor (§n\d+§)(?=[:,.;!?)]|$| (?:came|was|cost|is)\b)")
_GROUP = re.compile(
    r"\b(?:team|family|party|group|table|class|crew|household|band|panel|committee|squad|staff"
    r"|gang|choir)"
    r" (?:of|for) (§n\d+§)(?! [a-z]+s\b)"
    r"|\bwe(?: are|['’]re| were| will be|['’]ll be| shall be) (?:only |just |now )?(?P<we>§n\d+§)"
    r"(?= (?:in all|altogether|all told|going|coming|travelling|driving|flying|staying|eating"
    r"|sharing|with (?:me|the))\b|[.,;!]|$)"
)
PLURALS = {
    "people": "person",
    "children": "child",
    "grandchildren": "grandchild",
    "men": "man",
    "women": "woman",
} | {
    "feet": "foot",
    "geese": "goose",
    "loaves": "loaf",
    "halves": "half",
    "knives": "knife",
    "shelves": "shelf",
    "leaves": "leaf",
}


@dataclass(frozen=True, slots=True)
class Basis:
    """What a rate is per: `size` of it, mostly one; `end` is where its words end.

    told  the amount that tells the size: `per 100 g`
    """

    name: str
    size: Fraction
    end: int
    told: Amount | None = None


@dataclass(frozen=True, slots=True)
class Count:
    """How many there are of something.

    names  that it may go by: the unit, or the nouns behind the number, singular
    per    that many in each of this; empty for a plain count
    """

    amount: Amount
    names: frozenset[str]
    per: str = ""

    def of(self, basis: str) -> Fraction | None:
        """Return how many of a basis this counts; None where it counts something else."""
        if basis == EACH:
            return self.amount.value if self.amount.sort == "n" and self.names else None
        if basis in self.names or SAME.get(basis) in self.names:
            return self.amount.value
        if basis == OCCASION:
            return self.amount.value if self.names & OCCASIONS else None
        if BARE in self.names and basis not in TIMES and basis not in (PERSON, EACH, OCCASION, WAY):
            return self.amount.value if basis not in UNITS.values() else None
        if basis == PERSON:
            return self.amount.value if self.names & PEOPLE else None
        if basis in FOR_PEOPLE and self.names & PEOPLE:
            return self.amount.value
        for unit in self.names:
            if factor := LARGER.get((unit, basis)):
                return self.amount.value * factor
            if factor := LARGER.get((basis, unit)):
                return self.amount.value / factor
        return None


def period_factor(larger: str, smaller: str) -> Fraction:
    """Return how many of one unit are in another: 12 months in a year; 0 when unknown."""
    if factor := LARGER.get((larger, smaller)):
        return factor
    factor = LARGER.get((smaller, larger))
    return 1 / factor if factor else Fraction(larger == smaller)


def implied_basis(basis: str) -> str:
    """Return what a price of one is per besides: a room is let by the night, a meal eaten twice."""
    return "night" if basis in ROOMS else OCCASION if basis == PERSON else ""


def read_bases(passage: Passage, end: int) -> list[Basis]:
    """Return what the amount is per that ends at an offset of the marked text."""
    found: list[Basis] = []
    while len(found) < 3 and (match := _BASIS.match(passage.marked, end)):
        basis = _basis(passage, match)
        if basis is None:
            break
        found.append(basis)
        if match["adverb"] == "pppn":
            found.append(Basis("night", Fraction(1), match.end()))
        end = basis.end
    return found


def basis_name(words: str) -> str:
    """Return the unit, or the noun in the singular, by which counts and rates find each other."""
    words = words.strip() or "-"
    last = singular(words.split()[-1])
    if words[:2] in ("sq", "cu") and re.fullmatch(UNIT_PATTERN, words):
        return unit_of(words)
    unit = UNITS.get(words.split()[-1], "")
    if unit and (len(words) > 2 or unit in ("km", "kg", "cm", "mm", "lb", "oz", "hour", "mL")):
        return unit
    return PERSON if last in HEADS else last


def _of_those(passage: Passage, counts: list[Count]) -> list[Count]:
    """Let `two of the five tickets` count two tickets, and none five."""
    found: list[Count] = []
    for number, count in enumerate(counts):
        after = counts[number + 1] if number + 1 < len(counts) else None
        before = found[-1] if found else None
        if (
            before is not None
            and before.names == count.names
            and before.amount.start < count.amount.start
        ):
            gap = passage.text[before.amount.end : count.amount.start]
            if re.fullmatch(
                r" (?:out )?of (?:the|our|my|these|those|their|his|her"
                r"|all) (?:first )?",
                gap,
            ):
                continue
        if after is not None and count.amount.sort == after.amount.sort == "n":
            gap = passage.text[count.amount.end : after.amount.start]
            if re.fullmatch(
                r" (?:out )?of (?:the|our|my|these|those|their|his|her"
                r"|all) (?:first )?",
                gap,
            ):
                count = Count(count.amount, after.names, after.per)
        found.append(count)
    return found


def is_stop(word: str) -> bool:
    """Tell whether a word can be no noun that is counted."""
    return (
        word in STOP
        or word in NO_BASIS
        or singular(word) in ("wa", "ha", "u", "us", "thi", "yes", "les")
    )


def singular(word: str) -> str:
    """Return the singular of an English noun, roughly."""
    word = word.removesuffix("'s").removesuffix("’s").strip("'’")
    if word in PLURALS:
        return PLURALS[word]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("xes", "ches", "shes", "sses", "oes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us")) else word


def read_counts(passage: Passage) -> list[Count]:
    """Return what is counted in a passage, in order."""
    found: list[Count] = []
    marks = {
        number: match
        for match in re.finditer(r"§[a-z](\d+)§", passage.marked)
        for number in [int(match[1])]
    }
    for number, amount in enumerate(passage.amounts):
        mark = marks.get(number)
        if mark is None or amount.value <= 0 or amount.sort not in "nqtx":
            continue
        if _YEAR.fullmatch(passage.text, amount.start, amount.end):
            continue
        if amount.sort in "qt":
            per = _per(passage.marked, mark.end())
            found.append(Count(amount, frozenset((amount.unit,)), per))
        elif amount.sort == "x":
            if per := _per(passage.marked, mark.end()):
                names = frozenset(("time", "go", "visit", "trip", "session", "lesson", "wash"))
                found.append(Count(amount, names, per))
        elif count := _counted(passage.marked, amount, mark):
            found.append(_with_sets(passage, count))
        elif _OBJECT.search(passage.marked, max(0, mark.start() - 24), mark.start()):
            if _ENDED.match(passage.marked, mark.end()):
                found.append(_with_sets(passage, Count(amount, frozenset((BARE,)))))
        elif _PASSED.match(passage.marked, mark.end()):
            found.append(Count(amount, frozenset((BARE,))))
        elif "dozen" in passage.text[amount.start : amount.end].lower():
            found.append(Count(amount, frozenset(("dozen",))))
    found += _implied(passage)
    return _of_those(passage, found)


def _basis(passage: Passage, match: re.Match[str]) -> Basis | None:
    if match["adverb"]:
        return Basis(ADVERBS[match["adverb"]], Fraction(1), match.end())
    if match["each"]:
        way = re.compile(r" way\b").match(passage.marked, match.end())
        return Basis(WAY, Fraction(1), way.end()) if way else Basis(EACH, Fraction(1), match.end())
    size = passage.amount(match["size"]) if match["size"] else None
    noun, close = (match["noun"] or "").strip(), match.end("noun")
    further = (match["further"] or "").strip()
    is_known = bool(noun) and (
        noun in UNITS
        or basis_name(noun) == PERSON
        or re.search(rf"§n\d+§(?: [a-z-]+){{0,3}} {singular(noun)}", passage.marked) is not None
    )
    if (
        further
        and not is_known
        and not is_stop(further)
        and re.search(r"each|every|per\b", match["link"])
    ):
        noun, close = further, match.end()
    link = match["link"].strip(" -,")
    if size is not None and size.sort in "tq":
        end = match.end("size")
        return Basis(size.unit, size.value, end, size) if size.value > 0 else None
    if not noun or noun in NO_BASIS or noun in _SIZED:
        return None
    name = basis_name(noun)
    is_unit = noun.split()[-1] in UNITS or name == PERSON
    if link in ("the", "for the", "to the", "by the", "one", "for one", "in every") and not is_unit:
        return None
    if _NOT_SINCE.match(passage.marked, close) and (is_unit or name in TIMES):
        return None
    if noun.endswith("ly") or (link in ("a", "an") and noun in STOP):
        return None
    return Basis(name, size.value if size else Fraction(1), close, size)


def _with_sets(passage: Passage, count: Count) -> Count:
    """Return a count that a price by the dozen meets where it is told in dozens."""
    words = passage.text[count.amount.start : count.amount.end].lower()
    if "dozen" not in words:
        return count
    return Count(count.amount, count.names | {"dozen"}, count.per)


def _per(marked: str, end: int) -> str:
    match = _PER_COUNT.match(marked, end)
    if match is None:
        return ""
    if match["each"]:
        return EACH
    if match["adverb"]:
        return ADVERBS[match["adverb"]]
    noun = match["unit"]
    return "" if noun in NO_BASIS or noun in STOP else basis_name(noun)


def _counted(marked: str, amount: Amount, mark: re.Match[str]) -> Count | None:
    match = _AFTER_COUNT.match(marked, mark.end(), mark.end() + 60)
    if match is None:
        return None
    if match["us"]:
        return Count(amount, frozenset(("of_us", "us")), _per(marked, match.end("us")))
    names: list[str] = []
    end = match.start("nouns")
    for word in re.finditer(r"[a-z][a-z'’]*", match["nouns"]):
        if word[0] in STOP:
            break
        if noun := singular(word[0]):
            names.append(noun)
            end = match.start("nouns") + word.end()
    if not names:
        return None
    return Count(amount, frozenset((*names, basis_name(names[-1]))), _per(marked, end))


def _implied(passage: Passage) -> Iterator[Count]:
    """Yield `for a year` and `both of us`, which say how many without a number."""
    for match in passage.find(_ONE_SPAN):
        span = (passage.place(match.start()), passage.place(match.end()))
        yield Count(Amount("t", Fraction(1), match["unit"], *span), frozenset((match["unit"],)))
    for match in passage.find(_FOR_SO_MANY):
        yield Count(passage.amount(match[1]), frozenset(("of_us",)))
    for match in passage.find(_GROUP):
        yield Count(passage.amount(match[1] or match["we"]), frozenset(("of_us",)))
    for match in passage.find(_BOTH):
        span = (passage.place(match.start()), passage.place(match.end()))
        yield Count(Amount("n", Fraction(2), "", *span), frozenset(("of_us",)))
