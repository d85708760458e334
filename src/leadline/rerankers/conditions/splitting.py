"""From a query to its conditions: the items of a list, or the clauses of sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ITEM = re.compile(
    r"(?:^|(?<=[\s:;.?!]))(?:[-*•–]\s+|\(?(?P<number>\d{1,2})[.)]\s+|condition\s+\d{1,2}\s*[:.]\s*)",
    re.IGNORECASE | re.MULTILINE,
)
"""What stands before an item: `1. `, `(1) `, `2) `, a bullet at the start of a line."""

_BULLET = re.compile(r"^[ \t]*[-*•–][ \t]+", re.MULTILINE)


_OPENING_WORDS = """
    and but with who whose which that where when whom while plus whereas
"""
_OPENING = frozenset(_OPENING_WORDS.split())

_BREAK = re.compile(
    r"[,;:.?!](?=\s)\s*|\s+(?=(?:" + "|".join(sorted(_OPENING)) + r")\s)|\s+[–—-]\s+",
    re.IGNORECASE,
)

_SEARCHING = re.compile(
    r"^\W*(?:please\s+)?(?:find|search|show|give|get|return|list|locate|retrieve|i['’]?(?:m| am)"
    r"\s+(?:after|looking)|looking\s+for|i\s+(?:want|need|would\s+like|seek)|i['’]d\s+like|is\s+"
    r"there|are\s+there|which|whose|who\s+is\s+the|something|anything|documents?\s|any\s)",
    re.IGNORECASE,
)
"""Openings of a query that asks for a document by what holds of it, and not for an answer."""

_STOP_WORDS = """
    a an the of in on at to and or was were is are be been by with for from as that this it
    its his her he she they their had has have which who i want looking find need would like
    please something whose where when whom while but not no document text also one there
    am search says say states state reports report mentions mention should same appears
    furthermore addition detail further entry
"""
_STOP = frozenset(_STOP_WORDS.split())
_WORD = re.compile(r"\w[\w'’./-]*")

LEAST = 2
"""Content words that a condition of prose must hold, or it stays with its neighbour."""

_PAIR, _SEVERAL, _MANY = 2, 3, 6
"""Clauses from which on prose states several conditions: with an opening that says what a document
states, with one that asks for a document,
and without one. Fewer are one condition with its circumstances, as in most questions."""


_OF_A_DOCUMENT = re.compile(
    r"^[^.?!]*\b(?:document|text|record|page|passage)\b[^.?!]*\b(?:that|which|where|says|with)\b",
    re.IGNORECASE,
)
"""A first sentence that says what a document must state: from two clauses on there are several."""


def split_query(text: str) -> list[str]:
    """Return the conditions of a query; a query that states none apart is its own only one.

    A list gives its items, in order, however they are marked. Prose gives its clauses and
    phrases, each with two content words at least.
    """
    items = list_items(text)
    if items:
        return items
    clauses = list(_clauses(text))
    least = _SEVERAL if _SEARCHING.match(text) else _MANY
    if least == _SEVERAL and _OF_A_DOCUMENT.match(text):
        least = _PAIR
    return clauses if len(clauses) >= least else [text.strip()]


def list_items(text: str) -> list[str]:
    """Return the items of a list, without what opens it; empty where there is no list."""
    bullets = [match.span() for match in _BULLET.finditer(text)]
    if len(bullets) > 1:
        return _between(text, bullets)
    numbered: list[tuple[int, int]] = []
    for match in _ITEM.finditer(text):
        if match["number"] and int(match["number"]) == len(numbered) + 1:
            numbered.append(match.span())
    if numbered:
        return _between(text, numbered)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > 1:
        return lines[1:] if lines[0].endswith(":") else lines
    parts = [part.strip() for part in text.split(";") if part.strip()]
    return parts if len(parts) > 2 else []


def _between(text: str, marks: list[tuple[int, int]]) -> list[str]:
    ends = [start for start, _ in marks[1:]] + [len(text)]
    items = (text[start:end] for (_, start), end in zip(marks, ends, strict=True))
    return [item for each in items if (item := each.strip(" \t\n;,").removesuffix("."))]


def _clauses(text: str) -> Iterator[str]:
    start = 0
    for end in [*(match.end() for match in _BREAK.finditer(text)), len(text)]:
        if content_words(text[start:end]) >= LEAST:
            rest = content_words(text[end:])
            if rest >= LEAST or end == len(text):
                yield text[start:end].strip(" ,;")
                start = end
    if start < len(text) and content_words(text[start:]):
        yield text[start:].strip(" ,;")


def content_words(text: str) -> int:
    """Return how many words of a text say something."""
    return sum(word.lower() not in _STOP for word in _WORD.findall(text))
