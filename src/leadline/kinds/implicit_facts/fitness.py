"""Which derived facts can be asked for: sure, of one reading, and not written out."""

from __future__ import annotations

import random
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from datetime import date

from leadline.kinds.implicit_facts.moments import long_date
from leadline.kinds.implicit_facts.value_queries import pattern_of, written
from leadline.text.fact_values import agreement
from leadline.text.sentences import Sentence
from leadline.text.words import WEEKDAYS
from leadline.types import Constraint, Fact

LEAST_CONFIDENCE: Mapping[str, float] = {
    "date": 0.85, "duration": 0.85, "money": 0.8, "percent": 0.85,
    "country": 0.8, "region": 0.8, "city": 0.8,
}  # fmt: skip
"""Kinds of fact that are asked for, and how sure of one its enricher must be.

Clock times, counts and measures are left out: in records that are full of figures most of what
rules derive of them is a figure read as something that it is not.
"""

SAME = 0.5
"""Agreement from which two facts say the same."""

_NEAR = 40
_BOTH = 2
_OPEN = re.compile(r"\b(?:from|after|before|since|of|until)$", re.IGNORECASE)
_NEXT_WORD = re.compile(r"\s+\w")
_GOES_ON = re.compile(r"\s+(?:to|than|from)\s", re.IGNORECASE)
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth",
    "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth",
    "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth",
    "twenty-first", "twenty-second", "twenty-third", "twenty-fourth", "twenty-fifth",
    "twenty-sixth", "twenty-seventh", "twenty-eighth", "twenty-ninth", "thirtieth",
    "thirty-first",
)  # fmt: skip
_SHORTEST_EVIDENCE = 4
_DAY = rf"(?:{'|'.join(WEEKDAYS)})"
_SPOKEN = re.compile(
    rf"today|tonight|tomorrow|yesterday|.*\bago|(?:this|next|last|on)?\s*{_DAY}|in .*"
    r"|(?:this|last|tomorrow|yesterday) (?:morning|afternoon|evening|night|weekend)",
    re.IGNORECASE,
)
"""Words that count from when they are written: three days ago, this Friday, in two weeks."""
_HEADING = 30
"""Characters of a line before a date that opens it: "Oslo, " or the sign of a message."""
_DATED = re.compile(r"\bdated?\b[^.\d]{0,25}$", re.IGNORECASE)
_AMOUNTS = ("money", "percent", "duration")
_CURRENCY = re.compile(
    r"\b(?:dollars?|bucks|euros?|pounds?|quid|cents?|pence|yen|francs?|rupees?|crowns?|krona|kroner"
    r"|zloty|pesos?|yuan|[A-Z]{3})\b"
)


def unfit(fact: Fact, facts: Sequence[Fact], text: str, sentences: Sequence[Sentence]) -> str:
    """Say why a derived fact cannot be asked for; nothing when it can.

    fact   of a kind in LEAST_CONFIDENCE, with evidence
    facts  all facts of its document
    text   that the spans refer to, with its sentences
    """
    if fact.confidence < LEAST_CONFIDENCE[fact.kind]:
        return "not sure enough"
    start, end = fact.spans[0]
    if end - start < _SHORTEST_EVIDENCE and fact.kind == "date":
        return "not sure enough"
    try:
        written(fact.kind, fact.value, random.Random(0))
        pattern = pattern_of(fact.kind, fact.value)
    except (AttributeError, KeyError, TypeError, ValueError, IndexError, OverflowError):
        return "a value that cannot be written"
    others = [other for other in facts if other.role == "alternative"]
    if any(_overlap(other.spans[:1], fact.spans[:1]) for other in others):
        return "another reading of the same words"
    if _is_written(fact, facts, text, pattern):
        return "the document writes it out"
    if fact.kind == "date" and _wants_its_base(fact, text):
        return "its words tell from what, and that has no date"
    if fact.kind == "date" and _counts_from_writing(fact, text):
        return "counts from the day of writing, which is not told"
    if fact.kind == "date" and _is_explained(fact, facts):
        return "two stated dates lie as far apart"
    if fact.kind in _AMOUNTS:
        return _unclear_amount(fact, facts, text, sentences)
    return ""


def names_the_day(evidence: str, value: str) -> bool:
    """Tell whether a piece of text holds day and month: the 10 of "10 to 12 June".

    value  ISO date
    """
    month, number, _ = re.split(r"\W+", long_date(date.fromisoformat(value)))
    day = rf"\b(?:{number}|{_ORDINALS[int(number) - 1]})(?:st|nd|rd|th)?\b"
    return all(re.search(each, evidence, re.IGNORECASE) for each in (day, rf"\b{month[:3]}"))


def _is_written(fact: Fact, facts: Sequence[Fact], text: str, pattern: re.Pattern[str]) -> bool:
    constraint = Constraint(fact.kind, fact.value)
    if any(agreement(constraint, other) >= SAME for other in facts if other.role == "stated"):
        return True
    return pattern.search(text) is not None or (
        fact.kind == "date" and any(names_the_day(text[a:b], fact.value) for a, b in fact.spans)
    )


def _wants_its_base(fact: Fact, text: str) -> bool:
    """Tell whether the words go on to say from what they count, and no evidence stands there.

    "One week prior to the visit" needs the day of the visit, "a day from age 18" tells of no day.
    """
    start, end = fact.spans[0]
    is_open = _OPEN.search(text[start:end]) and _NEXT_WORD.match(text, end)
    wanting = is_open or _GOES_ON.match(text, end)
    return wanting is not None and not any(
        end <= other <= end + _NEAR for other, _ in fact.spans[1:]
    )


def _counts_from_writing(fact: Fact, text: str) -> bool:
    """Tell whether words count from when they were written, and only a date in a sentence is told.

    "Tomorrow" in a letter of 25 June is the 26th; after "a culture of 25 June" it is no such day.
    """
    (start, end), *bases = fact.spans
    if not _SPOKEN.fullmatch(text[start:end].strip()):
        return False
    return not any(_heads(text, base) for base, _ in bases)


def _heads(text: str, place: int) -> bool:
    """Tell whether a date opens a line, or is called the date of something."""
    before = text[text.rfind("\n", 0, place) + 1 : place]
    return len(before) <= _HEADING or _DATED.search(before) is not None


def _is_explained(fact: Fact, facts: Sequence[Fact]) -> bool:
    """Tell whether the distance to the base is that of two stated dates.

    "Ready on 11 March, after 27 days" of what began on 13 February says nothing of 7 April.
    """
    stated = [other for other in facts if other.role == "stated" and other.kind == "date"]
    days = {date.fromisoformat(other.value).toordinal() for other in stated}
    derived = date.fromisoformat(fact.value).toordinal()
    bases = (other for other in stated if _overlap(other.spans, fact.spans))
    return any(2 * date.fromisoformat(b.value).toordinal() - derived in days for b in bases)


def _unclear_amount(
    fact: Fact, facts: Sequence[Fact], text: str, sentences: Sequence[Sentence]
) -> str:
    """Say why an amount is doubtful: other amounts beside its evidence may be meant.

    Across sentences, and with a ratio for one of two amounts, rules err too often in which of two
    things is the dearer one: a fifth did not give the known value of generated pools.
    """
    if fact.kind == "money" and len(_amounts(fact, text)) < _BOTH:
        return "not between two amounts of money"
    starts = [sentence.start for sentence in sentences]
    places = [max(0, bisect_right(starts, start) - 1) for start, _ in fact.spans]
    first, last = min(places), max(places)
    if first != last:
        return "its amounts stand in different sentences"
    left, right = sentences[first].start, sentences[last].end
    for other in facts:
        if other.role == "stated" and other.kind == fact.kind:
            inside = [(a, b) for a, b in other.spans if left <= a and b <= right]
            if inside and not _overlap(inside, fact.spans):
                return "other amounts beside it"
    return ""


def _amounts(fact: Fact, text: str) -> list[tuple[int, int]]:
    """Return the pieces of evidence that are money and hold no other piece."""
    money = [span for span in fact.spans if _is_money(text[slice(*span)])]
    return [a for a in money if not any(b != a and a[0] <= b[0] and b[1] <= a[1] for b in money)]


def _is_money(evidence: str) -> bool:
    return bool(_CURRENCY.search(evidence)) or any(
        unicodedata.category(character) == "Sc" for character in evidence
    )


def _overlap(some: Sequence[tuple[int, int]], others: Sequence[tuple[int, int]]) -> bool:
    return any(a < d and c < b for a, b in some for c, d in others)
