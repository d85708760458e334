"""Things of one size told with how many there are: `four 2.5 kg bags`, `ten laps of 400 m`."""

from __future__ import annotations

import re

from leadline.enrichers.amounts.counted import singular
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount

_SPLIT_NOUN = (
    r"seat(?:er)?|page|piece|bed|bedroom|berth|person|man|strong|storey|part|question|game|episode"
    r"|over|ball|card"
    r"|line|acre|track|place|pupil|unit|room|barrel|horsepower|megapixel|hole|tooth|mark|point"
)
_SIDE_BY_SIDE = re.compile(
    r"(?P<count>§n\d+§)(?: ?[x×]| (?:lots? of|batches of|sets of|bags of|boxes of|rolls? of|tins"
    r" of|bottles of"
    r"|packs of|lengths of|pieces of|planks of|sessions of|shifts of|laps of|legs of|rounds of"
    r"|blocks of|spells of|sacks of"
    r"|jars of|cans of|drums of|tubs of|bales of|coils of|periods of|halves of|quarters of|lessons"
    r" of|sheets of))?"
    r"(?: (?:large|small|big|full|new|spare|empty|separate|identical|standard|heavy|sealed|whole"
    r"|extra|other|unopened))?"
    r" (?P<size>§[qt]\d+§)(?![ -](?:each|apart|ago|later|earlier|old|before|after|in advance"
    r"|from)\b)"
)
_PIECED = re.compile(
    rf"(?P<count>§n\d+§)(?: (?!§)[a-z]+)? (?P<size>§n\d+§)-(?P<noun>{_SPLIT_NOUN})\b(?! (?:of|in)"
    rf" the)"
)
_LAPS = re.compile(
    r"(?P<count>§n\d+§)(?: (?:full|more|times|complete|slow|fast))* (?:laps?|lengths|circuits"
    r"|rounds?|widths|loops|times (?:up|down|round|around|across))"
    r"(?: (?:of|round|around|in|at|on|up|down))?(?: (?:the|a|an|our|that|this))?(?: [a-z]+)? "
    r"(?P<size>§q\d+§)"
)
_LONG = re.compile(
    r"\b(?P<noun>pool|track|circuit|loop|lap|course|field|hall|route|length|pitch|block|park|lake"
    r"|baths)(?: [a-z]+)?"
    r" (?:is|was|measures|of|:|=)(?: (?:about|exactly|only|just))? (?P<size>§q\d+§)"
    r"|(?P<before>§q\d+§)[ -](?:[a-z]+ )?(?:pool|track|circuit|loop|course|lap|lake)\b"
)
_ROUND = re.compile(
    r"(?P<count>§n\d+§)(?: (?:full|more|slow|complete|gentle|whole))? (?:laps?|lengths|circuits"
    r"|widths|loops)\b|(?P<times>§x\d+§) (?:round|around|across)\b"
)
_SIDES = frozenset(("mm", "cm", "inch"))
_OF_THEM = re.compile(
    r"(?P<size>§[qt]\d+§) (?:long|wide|high|tall|deep|thick|each|apiece|a piece|in length|in"
    r" width)\b[^.§\n]{0,30}?[,;(] ?"
    r"(?:and )?(?:there (?:are|were) |(?:i|we) (?:have|need|need to buy|want|used|bought) )?"
    r"(?P<count>§n\d+§) (?:of (?:them|these)|in (?:all|total)|altogether|needed)\b"
)


def derive_repeated_sizes(ledger: Ledger) -> None:
    """Derive the length, weight, volume or time of so many things of one size."""
    passage = ledger.passage
    for pattern in (_SIDE_BY_SIDE, _LAPS, _OF_THEM):
        for match in passage.find(pattern):
            size = passage.amount(match["size"])
            is_side = re.match(r"§n\d+§ ?(?:[x×] ?)?§", match[0]) is not None
            if not (is_side and size.unit in _SIDES):  # 3 x 4 cm, two 5 mm ports
                _multiply(ledger, passage.amount(match["count"]), size)
    for match in passage.find(_PIECED):
        _multiply(ledger, passage.amount(match["count"]), passage.amount(match["size"]))
    for match in passage.find(_LONG):
        size = passage.amount(match["size"] or match["before"])
        for found in passage.find_all(_ROUND):
            count = passage.amount(found["count"] or found["times"])
            if abs(count.start - size.start) < 250:
                _multiply(ledger, count, size)
                break


def _multiply(ledger: Ledger, count: Amount, size: Amount) -> None:
    if count.value < 2 or count.value.denominator != 1 or {count.start, size.start} & ledger.spent:
        return
    if ledger.passage.text[count.start : count.end].lower() in ("both", "a couple"):
        return
    why = f"{ledger.shown(count)} of {ledger.shown(size)}"
    if "negated" in ledger.passage.doubts([(count.start, count.end)]):
        return
    if ledger.derive(size, count.value * size.value, (count, size), why):
        ledger.spend(count, size)


_PER_HOLDER = re.compile(
    r"(?P<size>§n\d+§)(?P<what>(?: (?!§)[a-z'’-]+){0,3}?) (?:on|in|to|at|per|inside|for|under) "
    r"(?:each|every|an?|per|one)"
    r"(?: (?:of the )?(?P<holder>[a-z]+))?\b"
)
_HOLDERS = re.compile(
    r"(?P<count>§n\d+§)(?: (?!§)[a-z'’-]+){0,2}? (?P<noun>[a-z]+s|shelves|loaves)\b"
)
_TIMELY_WORDS = (
    "day week month year hour minute second night time go row quarter term season rate while head"
    " person fortnight case lot bid hurry way sense end total race pinch moment game match"
)
_TIMELY = frozenset(_TIMELY_WORDS.split())


def derive_held(ledger: Ledger) -> None:
    """Derive how many there are in so many holders: `8 shelves with 45 books on each`."""
    passage = ledger.passage
    for match in passage.find(_PER_HOLDER):
        size = passage.amount(match["size"])
        holder = match["holder"] or ""
        if size.start in ledger.spent or holder in _TIMELY or size.value < 2:
            continue
        count = _holders(ledger, match, size, holder)
        if count is not None:
            why = f"{ledger.shown(count)} of {ledger.shown(size)}"
            if ledger.derive(size, count.value * size.value, (count, size), why):
                ledger.spend(count, size)


def _holders(ledger: Ledger, match: re.Match[str], size: Amount, holder: str) -> Amount | None:
    passage = ledger.passage
    is_each = " each" in match[0] or " every" in match[0]
    best: Amount | None = None
    for found in passage.find_all(_HOLDERS):
        count = passage.amount(found["count"])
        near = abs(count.start - size.start) <= 200 and count.start != size.start
        if not near or count.value < 2 or count.start in ledger.spent:
            continue
        named = holder and singular(found["noun"]) == singular(holder)
        bare = is_each and (not holder or not named) and count.end < size.start
        bare = (
            bare
            and passage.sentence(count.start) == passage.sentence(size.start)
            and not _is_noun(holder)
        )
        if (named or bare) and (
            best is None or abs(count.start - size.start) < abs(best.start - size.start)
        ):
            best = count
    return best


def _is_noun(word: str) -> bool:
    return bool(word) and word not in (
        "and",
        "so",
        "but",
        "for",
        "with",
        "of",
        "which",
        "that",
        "is",
    )
