"""Which parts of a text its writer vouches for, and which are denied, imagined or quoted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal, TypeAlias

from leadline.enrichers.read.number_words import lowered
from leadline.enrichers.words import rows

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
# The patterns from here on are searched for in lower case, which takes a third of the time.
_HYPOTHETICAL = re.compile(
    r"\b(?:if(?! (?:you ask|anything\b|i(?:['’]m| am) honest|i remember"
    r"|memory serves|i know (?:me|us|him|her|them|you|my|our)\b))|unless"
    r"|suppos(?:e|ing)\b(?! to)|imagin(?:e|ing)|hypothetical(?:ly)?|in theory|what if|even if"
    r"|jokes?|riddles?|the (?:story|saying) goes|legend has it|once upon a time"
    r"|as if|as though|i wish|were to"
    r"|(?:would|could|might|should)(?: have|['’]ve)|['’]d(?:['’]ve| have\b(?! to\b))"
    r"|(?:i|you|he|she|it|we|they|that)['’]d be(?! (?:able|free|glad|grateful|happy|delighted"
    r"|pleased|back|here|there|late|early|in)\b)|let['’]s say"
    r"|in case(?!\s?(?:[.:;!?)–—]|$)| (?:you|anyone|anybody|any of you) (?:missed|forgot|wondered"
    r"|(?:is|are|was|were) wondering|asks?))|assuming)\b",
)
# `I could do Friday` offers a day
_IMAGINED = re.compile(
    r"\b(?:would|could(?! (?:do|make|manage) (?:\w+day|tomorrow|tonight|next|this|the)\b)|might"
    r"|should|were)\b|['’]d\b"
)
_DOUBTFUL = re.compile(
    r"\b(?:rumou?r(?:s|ed)?|allegedly|supposedly|reportedly|dispute[ds]?|no idea|not sure|unsure"
    r"|who knows|hard to say|i(?:['’]ve)? forget|(?:can|don)['’]t (?:know|remember)|nobody knows"
    r"|unclear|unconfirmed|hearsay|so-called|some say|guess(?:ing|timate)?|(?:might|may|could) be"
    r"|might(?: (?:not|well|just|even))? (?!as|have|be|want|like|need|remember|recall|ask"
    r"|wonder)[a-z]+"
    r"|perhaps|maybe|claim(?:s|ed)? (?:that|to have)|(?:refus|declin)(?:e|es|ed|ing) to"
    r" (?:say|comment|confirm|tell|reveal|disclose)"
    r"|den(?:y|ies|ied|ying) (?:that|any|having|claims?|reports?|the (?:claim|report|story)|\w+ing)"
    r"|no truth in|talk of|in the (?:film|novel|story|play|dream|game) an?"
    r"|(?:novel|film|story|book|trailer|poster) (?:promis|deliver)(?:es|ed)"
    r"|horoscopes?|fortune[- ]tellers?|gossip|word is|they say|it is said"
    r"|(?:someone|somebody|(?:a|an|some|another)"
    r" (?:bloke|guy|fella|feller|chap|geezer|lad|stranger))"
    r"(?: (?!i\b)[a-z]+){0,5} (?:said|says|say|told|reckon(?:s|ed)|swears|swore)"
    r"|sw(?:ore|ears?)(?: blind)?(?: to (?!§)[a-z]+(?: [a-z]+)?)? that\b"
    r"|petition(?:s|ed|ers)? (?:asks?|asked|wants?|demands?|demanded|calls? for|called for)"
    r"|suggest(?:s|ed|ion|ions)?\b(?= (?:that|to))"
    r"|propos(?:al|als|ed|es)\b(?= (?:that|to(?! (?:her|him|me)\b)|a|an)\b)"
    r"(?![^.;\n]*\b(?:carried|put to the vote|adopted|defeated|rejected|passed|voted down)\b)"
    r"|asked what|(?:asked|say|tell|told|know|knows|clear|remember|decided|settled|wonder\w*"
    r"|certain|argu\w+|debat\w+|ask) (?:whether|if))\b",
)
_NEGATED = re.compile(
    r"\b(?:not(?! (?:only|just|to mention|until|before|long))|never|no longer|nobody|none|neither"
    r"|without|\w+n['’]t(?! (?:forget|miss|wait for|be late)\b)|cannot|dont|didnt|doesnt|isnt"
    r"|wasnt|wont|cant)\b",
)
_QUOTED = re.compile(
    r"“[^”\n]{1,400}”|\"[^\"\n]{1,400}\"|‘(?<!\w‘)[^’\n]{1,400}’(?!\w)"
    r"|'(?<!\w')(?:[^'\n]|(?<=\w)'(?=\w)){3,200}'(?!\w)"
)
_IDIOMS = [pattern for (pattern,) in rows("idioms")]
_IDIOM = re.compile(rf"(?<!\w)(?=[\da-ilm-qs-z])(?:{'|'.join(_IDIOMS)})\b")
_TRIGGER = re.compile(
    r"n['’]t\b|\b(?:if|not|no|never|none|nobody|unless|without|wish|suppos|imagin|theory"
    r"|would|could|might"
    r"|may|maybe|perhaps|rumou?r|alleg|report|disput|forget|know|sure|unclear|guess|so-called"
    r"|neither|cannot|den[yi]|declin|truth|talk|horosc|fortune|gossip|word is|they say|it is said"
    r"|some(?:one|body)|bloke|guy|fell[ae]|chap|geezer|lad|stranger|petition|world|life|dream"
    r"|film|novel|story|book|trailer|poster|play|game|version|['’]d"
    r"|assum|claim|suggest|propos|ask|refus|case|though|dont|didnt|doesnt|isnt|wasnt|wont"
    r"|cant|should|say|hypoth|were|what"
    r"|hope|meant|intend|tried|going to|plan|moved|motion|call|appl"
    r"|request|recommend|demand|bid|scheme|want|offer"
    r"|confirm|hearsay|joke|riddle|goes|legend|once)",
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
    found = [*_quoted(text)]
    lower = _lower(text)
    for start, end in sentences(text) if spans is None else spans:
        found += [Span(*match.span(), "idiom") for match in _IDIOM.finditer(lower, start, end)]
        if _TRIGGER.search(lower, start, end):
            found.extend(_of_sentence(text, lower, start, end))
    return sorted(found, key=lambda span: (span.start, span.end, span.why))


def reasons(spans: Iterable[Span], start: int, end: int) -> frozenset[Why]:
    """Return why the characters from start to end are not vouched for; empty when they are."""
    return frozenset(span.why for span in spans if span.start < end and start < span.end)


@lru_cache(maxsize=2)  # one text is asked about sentence by sentence
def _quoted(text: str) -> tuple[Span, ...]:
    return tuple(Span(*match.span(), "quoted") for match in _QUOTED.finditer(text))


@lru_cache(maxsize=2)
def _lower(text: str) -> str:
    return lowered(text)


def _of_sentence(text: str, lower: str, start: int, end: int) -> list[Span]:
    found = []
    if hypothetical := _HYPOTHETICAL.search(lower, start, end):
        # a closing if-clause leaves what is said before it, unless that is imagined too
        bare_if = hypothetical[0] in ("if", "assuming") and not _IMAGINED.search(lower, start, end)
        first = hypothetical.start() if bare_if else start
        found.append(Span(first, end, "hypothetical"))
    for match in _DOUBTFUL.finditer(lower, start, end):
        found.append(Span(*_clause_of(text, match.start(), start, end), "doubtful"))
    for match in _NEGATED.finditer(lower, start, end):
        cut = _CLAUSE.search(text, match.end(), end)
        found.append(Span(match.start(), cut.start() if cut else end, "negated"))
    return found


def _clause_of(text: str, offset: int, start: int, end: int) -> tuple[int, int]:
    for first, last in clauses(text, start, end):
        if first <= offset < last:
            # `it is twice the price, perhaps rightly`: what stands before the comma is meant
            return max(first, text.rfind(",", first, offset)), last
    return start, end
