"""The pieces of a document that a condition is held against."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from leadline.text.sentences import split_sentences
from leadline.types import Document

LONGEST = 60
"""Words of a span: what an encoder surely reads to its end."""

_REMEMBERED = 4096
"""Documents whose spans stay in memory: candidates of one query are those of the next."""

_LINE = re.compile(r"\n+")
_LABEL = re.compile(r"(?:^|(?<!\s)\s+)(?=[A-Z][\w/-]*(?: [a-z][\w/-]*)?:\s)")
"""What stands before `Release year: 1973` in a text that runs one field after the other."""

_PAUSE = re.compile(r"(?<=[;:,])\s+")


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
