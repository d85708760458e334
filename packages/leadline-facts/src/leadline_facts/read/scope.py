"""Find the parts of a text that its writer asserts, and those denied, imagined or quoted."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal, TypeAlias

from leadline_facts.read.number_words import lowered
from leadline_facts.words import patterns, rows

Why: TypeAlias = Literal["negated", "hypothetical", "doubtful", "quoted", "idiom"]

_END = re.compile(r"(?:[.!?…]+[\"'”’)\]]*(?=\s)|\n)\s*")
_P = patterns("scope")
_ABBREVIATION = re.compile(_P["abbreviation"])
_CLAUSE = re.compile(_P["clause"])
# The patterns from here on are searched for in lower case, which takes a third of the time.
_HYPOTHETICAL = re.compile(_P["hypothetical"])
# `I could do Friday` offers a day
_IMAGINED = re.compile(_P["imagined"])
_DOUBTFUL = re.compile(_P["doubtful"])
_NEGATED = re.compile(_P["negated"])
_QUOTED = re.compile(_P["quoted"])
_IDIOMS = [pattern for (pattern,) in rows("idioms")]
_IDIOM = re.compile(rf"(?<!\w)(?=[\da-ilm-qs-z])(?:{'|'.join(_IDIOMS)})\b")
_TRIGGER = re.compile(_P["trigger"])


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


class Scope:
    """The sentences of a text; what its writer does not vouch for is read where someone asks."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.sentences = sentences(text)
        self._starts = [start for start, _ in self.sentences]
        self._read: dict[int, list[Span]] = {}

    def number(self, offset: int) -> int:
        """Return the number, from 0, of the sentence that holds an offset of the text."""
        return max(0, bisect_right(self._starts, offset) - 1)

    def sentence(self, offset: int) -> tuple[int, int]:
        """Return where the sentence begins and ends that holds an offset of the text."""
        return self.sentences[self.number(offset)]

    def doubts(self, *spans: tuple[int, int]) -> frozenset[Why]:
        """Return why the writer does not vouch for some of these spans; empty when they do."""
        found: frozenset[Why] = frozenset()
        for start, end in spans:
            sentence = self.sentence(start)
            if sentence[0] not in self._read:
                self._read[sentence[0]] = unasserted(self._text, [sentence])
            found |= reasons(self._read[sentence[0]], start, end)
        return found


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
