"""Sentences with their places in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from functools import cached_property

from leadline.text.tokens import tokens

_ABBREVIATIONS_TEXT = """
    dr mr mrs ms prof sr jr st fig figs eq eqs ref refs no nos vs al approx ca cf eg ie e.g
    i.e viz vol pp p ed eds inc ltd co corp dept est gen gov hon rev univ ave blvd jan feb mar
    apr jun jul aug sept sep oct nov dec resp mt ft
"""
ABBREVIATIONS = frozenset(_ABBREVIATIONS_TEXT.split())
"""Words before a full stop that ends no sentence."""

_BOUNDARY = re.compile(r"[.!?]+[\"'”’)\]]*(?=\s|$)|\n\s*\n|\n(?=[ \t]*(?:[-*•–|#>]|\d{1,2}[.)])\s)")
_ENUMERATOR = re.compile(r"\(?(?:\d{1,2}|[a-zA-Z]|[ivxIVX]{1,4})[.)]")
_LAST_WORD = re.compile(r"[^\s(\[\"']+$")
_UNIT = re.compile(r"[\s(\"'\[]*(\S)")
_WINDOW = 80


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: text[start:end] of the text it was found in, without white space around."""

    start: int
    end: int
    text: str


def split_sentences(text: str) -> list[Sentence]:
    """Return the sentences of a text in order; together they hold everything but white space.

    Knows abbreviations, initials, decimals, enumerations ("1. Left atrial enlargement."), blank
    lines and bullets, spaces before the full stop, and text without a single capital. A text in
    which nothing ends a sentence is one sentence.
    """
    has_capitals = text != text.lower()
    found: list[Sentence] = []
    start = 0
    for end in _boundaries(text, has_capitals):
        sentence = _trimmed(text, start, end)
        start = end
        if sentence is None:
            continue
        if found and _ENUMERATOR.fullmatch(found[-1].text):
            sentence = _trimmed(text, found.pop().start, end) or sentence
        found.append(sentence)
    return found


def _boundaries(text: str, has_capitals: bool) -> Iterator[int]:
    for match in _BOUNDARY.finditer(text):
        if match.group()[0] == "\n" or _ends(text, match, has_capitals):
            yield match.end()
    yield len(text)


def _ends(text: str, match: re.Match[str], has_capitals: bool) -> bool:
    marks = match.group().rstrip("\"'”’)]")
    before = text[max(0, match.start() - _WINDOW) : match.start()]
    following = _UNIT.match(text, match.end())
    after = following.group(1) if following else ""
    if has_capitals and after.islower() and match.group()[-1] not in "!?":
        return False
    if marks[0] in "!?":
        return True
    if marks == ".." or before.endswith(","):
        # Texts that were once punched on cards write ".." for a colon and ",." for a semicolon.
        return False
    return not _is_abbreviated(before, has_capitals, after)


def _is_abbreviated(before: str, has_capitals: bool, after: str) -> bool:
    word = _LAST_WORD.search(before)
    if word is None:
        return False
    last = word.group().rstrip(".")
    if last.lower() in ABBREVIATIONS:
        # "no" ends sentences as a word; as an abbreviation a number follows.
        return last.lower() not in {"no", "nos"} or after.isdigit()
    if len(last) == 1 and last.isalpha():
        return last.isupper() or not has_capitals
    if not has_capitals and "." in last and not any(c.isdigit() for c in last):
        return len(last) <= 5
    return False


def _trimmed(text: str, start: int, end: int) -> Sentence | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Sentence(start, end, text[start:end]) if start < end else None


class Sentences:
    """The words of each sentence of a document, its title first."""

    def __init__(self, title: str, text: str) -> None:
        self._title, self._text = title, text

    @cached_property
    def known(self) -> list[tuple[int, int, set[str]]]:
        """Start, end and words of the title (at -1) and of each sentence."""
        held = [(e.start, e.end, set(tokens(e.text))) for e in split_sentences(self._text)]
        return [(-1, -1, set(tokens(self._title))), *held]

    def say_elsewhere(
        self, start: int, end: int, words: Set[str], share: float, value: Set[str] = frozenset()
    ) -> bool:
        """Tell whether a sentence outside text[start:end] holds a share of the words.

        value  words that it must hold, too
        """
        return any(
            value <= held and len(words & held) >= share * len(words)
            for begin, stop, held in self.known
            if not (begin < end and start < stop)
        )
