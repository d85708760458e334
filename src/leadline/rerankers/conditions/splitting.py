"""A query in its conditions, and a document in the pieces that they are held against."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from leadline.text.sentences import split_sentences
from leadline.text.words import words_of
from leadline.types import Document

_ITEM = re.compile(
    r"(?:^|(?<=[\s:;.?!]))(?:[-*•–]\s+|\(?(?P<number>\d{1,2})[.)]\s+|condition\s+\d{1,2}\s*[:.]\s*)",
    re.IGNORECASE | re.MULTILINE,
)
"""What stands before an item: `1. `, `(1) `, `2) `, a bullet at the start of a line."""

_BULLET = re.compile(r"^[ \t]*[-*•–][ \t]+", re.MULTILINE)
_OPENING = words_of("and but with who whose which that where when whom while plus whereas")

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

_STOP = words_of(
    """
    a an the of in on at to and or was were is are be been by with for from as that this it
    its his her he she they their had has have which who i want looking find need would like
    please something whose where when whom while but not no document text also one there
    am search says say states state reports report mentions mention should same appears
    furthermore addition detail further entry
    """
)
_WORD = re.compile(r"\w[\w'’./-]*")

LEAST = 2
"""Content words that a condition of prose must hold, or it stays with its neighbour."""

_PAIR, _SEVERAL, _MANY = 2, 3, 6
"""Clauses from which on prose states several conditions: with an opening that says what a document
states, with one that asks for a document, and without one. Fewer are one condition with its
circumstances, as in most questions."""


_OF_A_DOCUMENT = re.compile(
    r"^[^.?!]*\b(?:document|text|record|page|passage)\b[^.?!]*\b(?:that|which|where|says|with)\b",
    re.IGNORECASE,
)
"""A first sentence that says what a document must state: from two clauses on there are several."""

LONGEST = 60
"""Words of a span: what an encoder surely reads to its end."""

_REMEMBERED = 4096
"""Documents whose spans stay in memory: candidates of one query are those of the next."""

_LINE = re.compile(r"\n+")
_LABEL = re.compile(r"(?:^|(?<!\s)\s+)(?=[A-Z][\w/-]*(?: [a-z][\w/-]*)?:\s)")
"""What stands before `Release year: 1973` in a text that runs one field after the other."""

_PAUSE = re.compile(r"(?<=[;:,])\s+")


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


def spans_of(document: Document) -> list[str]:
    """Return the title and the sentences of a document; a very long one in pieces, cut at pauses.

    A line is a sentence of its own, as in records of `Field: value`. Twice the same counts once.
    """
    return list(_spans(document.title, document.text)) or [document.content]


@lru_cache(maxsize=_REMEMBERED)
def _spans(title: str, text: str) -> tuple[str, ...]:
    found = [title.strip()] if title.strip() else []
    for line in _LINE.split(text):
        for field in _fields(line):
            for sentence in split_sentences(field):
                found += _pieces(sentence.text)
    return tuple(dict.fromkeys(found))


def _fields(line: str) -> list[str]:
    """Cut a line before each label where it has several; else it stays whole."""
    parts = [part for part in _LABEL.split(line) if part.strip()]
    return parts if len(parts) > 2 else [line]


def _pieces(sentence: str) -> Iterator[str]:
    if len(sentence.split()) <= LONGEST:
        yield sentence
        return
    piece: list[str] = []
    for part in _PAUSE.split(sentence):
        words = part.split()
        if piece and len(piece) + len(words) > LONGEST:
            yield " ".join(piece)
            piece = []
        piece += words
        while len(piece) > LONGEST:
            yield " ".join(piece[:LONGEST])
            piece = piece[LONGEST:]
    if piece:
        yield " ".join(piece)
