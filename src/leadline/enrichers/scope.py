"""Which parts of a text its writer vouches for, and which are denied, imagined or quoted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

Why: TypeAlias = Literal["negated", "hypothetical", "doubtful", "quoted", "idiom"]

_END = re.compile(r"(?:[.!?…]+[\"'”’)\]]*(?=\s)|\n)\s*")
_ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|Rev|St|Mt|No|Nos|vs|approx|ca|c|e\.g|i\.e|etc|a\.m|p\.m|Jr|Sr|Ltd"
    r"|Inc|Co|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|min|max|tel|incl|excl|avg)"
    r"|\b[A-Z])\.$"
)
_CLAUSE = re.compile(
    r"[;:—–]|,? (?:but|whereas|although|though|while|however|yet)\b"
    r"|, (?:and|so|which|who|it|they|he|she|we|i|that|this|the|there)\b"
    r"|\s-\s"
)
_HYPOTHETICAL = re.compile(
    r"\b(?:if(?! (?:you ask|anything\b|i(?:'m| am) honest|i remember))|unless"
    r"|suppos(?:e|ing)\b(?! to)|imagin(?:e|ing)|hypothetical(?:ly)?|in theory|what if|even if"
    r"|as if|as though|i wish|were to"
    r"|(?:would|could|might|should)(?: have|['’]ve)|let['’]s say|in case|assuming)\b",
    re.IGNORECASE,
)
_IMAGINED = re.compile(r"\b(?:would|could|might|should|were)\b|['’]d\b", re.IGNORECASE)
_DOUBTFUL = re.compile(
    r"\b(?:rumou?r(?:s|ed)?|allegedly|supposedly|reportedly|dispute[ds]?|no idea|not sure|unsure"
    r"|who knows|hard to say|i(?:['’]ve)? forget|(?:can|don)['’]t (?:know|remember)|nobody knows"
    r"|unclear|unconfirmed|hearsay|so-called|some say|guess(?:ing|timate)?|(?:might|may|could) be"
    r"|perhaps|maybe|claim(?:s|ed)? that|refused to say|suggest(?:s|ed|ion|ions)?\b(?= (?:that|to))"
    r"|propos(?:al|als|ed|es)\b(?= (?:that|to|a|an)\b)|asked (?:what|whether|if))\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not(?! (?:only|just|to mention|until|before|long))|never|no longer|nobody|none|neither"
    r"|without|\w+n['’]t|cannot|dont|didnt|doesnt|isnt|wasnt|wont|cant)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"“[^”\n]{1,400}”|\"[^\"\n]{1,400}\"|(?<!\w)‘[^’\n]{1,400}’(?!\w)"
    r"|(?<!\w)'[^'\n]{3,200}'(?!\w)"
)
_IDIOMS = (
    r"(?:two|a dozen) birds(?:,| with) one stone",
    r"six of one|half a dozen of the other|six and two threes",
    r"(?:ten|10|two) out of ten|nine times out of ten",
    r"second to none|one in a million|cloud nine|nine lives|seventh heaven|seven seas",
    r"a (?:hundred|thousand|million) (?:and one )?(?:times|miles|thanks|apologies|words|things)",
    r"a (?:hundred|thousand|million) (?:and one )?(?:reasons|ways|dollar question)",
    r"thanks a million|a million to one|looks? like a million|feels? like a million",
    r"(?:(?:one|a) hundred(?: and ten)?|1[01]0) ?(?:per ?cent|%)",
    r"fifty[- ]fifty|50[/-]50|99 ?% of the time|ninety[- ]nine per ?cent of",
    r"(?:better|other) half|half the (?:battle|time|fun|story|world)|half a (?:mind|chance)",
    r"half[- ](?:hearted|baked|way|asleep|dead)\w*|half an (?:eye|ear)|half measures?|not half",
    r"too clever by half|by halves|meet \w+ halfway|glass half",
    r"(?:my|your|his|her) two (?:cents|pence)|(?:at )?sixes and sevens|eleventh hour"
    r"|one[- ]horse",
    r"a penny for|ten[- ]a[- ]penny|(?:a )?dime a dozen|square one|a stitch in time|catch[- ]22",
    r"twenty[- ]four seven|24/7|20/20|nineteen to the dozen|zero (?:sum|tolerance)|umpteen",
    r"two left feet|(?:in|of) two minds|two peas|two wrongs|two['’]s company|three['’]s a crowd",
    r"three strikes|four[- ]letter|zillions?|(?:ten[- ]foot|barge) ?pole|put two and two",
    r"think twice|once or twice|once in a blue moon|on second thoughts?|(?:one|two) of a kind",
    r"third[- ](?:rate|time lucky|wheel|party|degree)|second[- ](?:hand|rate|nature|best|wind)",
    r"one[- ]two punch|top ten|forty winks|on all fours|whole nine yards|dressed to the nines",
)
_IDIOM = re.compile(rf"\b(?:{'|'.join(_IDIOMS)})\b", re.IGNORECASE)
_TRIGGER = re.compile(
    r"n['’]t\b|\b(?:if|not|no|never|none|nobody|unless|without|wish|suppos|imagin|theory"
    r"|would|could|might"
    r"|may|maybe|perhaps|rumou?r|alleg|report|disput|forget|know|sure|unclear|guess|so-called"
    r"|neither|cannot"
    r"|assum|claim|suggest|propos|ask|refus|case|though|dont|didnt|doesnt|isnt|wasnt|wont|cant|should|say|hypoth|were|what"
    r"|confirm|hearsay)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Span:
    """Characters of a text that its writer does not vouch for, and why."""

    start: int
    end: int
    why: Why


def sentences(text: str) -> list[tuple[int, int]]:
    """Return (start, end) of every sentence; a line end closes one."""
    found: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(text):
        is_line_end = "\n" in match[0]
        if not is_line_end and _ABBREVIATION.search(
            text, max(start, match.start() - 8), match.start() + 1
        ):
            continue
        if text[start : match.end()].strip():
            found.append((start, match.end() - (len(match[0]) - len(match[0].rstrip()))))
        start = match.end()
    if text[start:].strip():
        found.append((start, len(text)))
    return found


def clauses(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Return (start, end) of the clauses of one sentence, which lies at `start` to `end`."""
    end = len(text) if end is None else end
    cuts = [start, *(match.start() for match in _CLAUSE.finditer(text, start, end)), end]
    return [(a, b) for a, b in pairwise(cuts) if text[a:b].strip(" ,;:—–-")]


def unasserted(text: str, spans: Iterable[tuple[int, int]] | None = None) -> list[Span]:
    """Return the parts of a text that are denied, imagined, doubted, quoted, or idioms.

    spans  the sentences to look at, each (start, end); all when None. Name those that hold
           something of interest: few sentences of a text do, and the search is not free

    A condition covers its sentence, a doubt its clause, a negation the rest of its clause.
    """
    found = [Span(*match.span(), "quoted") for match in _QUOTED.finditer(text)]
    for start, end in sentences(text) if spans is None else spans:
        found += [Span(*match.span(), "idiom") for match in _IDIOM.finditer(text, start, end)]
        if _TRIGGER.search(text, start, end):
            found.extend(_of_sentence(text, start, end))
    return sorted(found, key=lambda span: (span.start, span.end, span.why))


def reasons(spans: Iterable[Span], start: int, end: int) -> frozenset[Why]:
    """Return why the characters from start to end are not vouched for; empty when they are."""
    return frozenset(span.why for span in spans if span.start < end and start < span.end)


def _of_sentence(text: str, start: int, end: int) -> list[Span]:
    found = []
    if hypothetical := _HYPOTHETICAL.search(text, start, end):
        # a closing if-clause leaves what is said before it, unless that is imagined too
        bare_if = hypothetical[0].lower() == "if" and not _IMAGINED.search(text, start, end)
        first = hypothetical.start() if bare_if else start
        found.append(Span(first, end, "hypothetical"))
    for match in _DOUBTFUL.finditer(text, start, end):
        found.append(Span(*_clause_of(text, match.start(), start, end), "doubtful"))
    for match in _NEGATED.finditer(text, start, end):
        cut = _CLAUSE.search(text, match.end(), end)
        found.append(Span(match.start(), cut.start() if cut else end, "negated"))
    return found


def _clause_of(text: str, offset: int, start: int, end: int) -> tuple[int, int]:
    for first, last in clauses(text, start, end):
        if first <= offset < last:
            # `it is twice the price, perhaps rightly`: what stands before the comma is meant
            return max(first, text.rfind(",", first, offset)), last
    return start, end
