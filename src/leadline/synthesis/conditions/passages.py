"""Parsed passages of documents: all of a short one, passages from everywhere in a long one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from leadline.sentences import joined_lines
from leadline.synthesis.english.parsing import parse
from leadline.synthesis.sentences import split_sentences
from leadline.types import Document

_WHOLE = 1_500
_PASSAGE = 500
_PASSAGES, _ALL_PASSAGES = 5, 1_000
"""Passages of a document, and of a corpus so small that more of each document can be read."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A document with its parsed passages: (where it starts in the text, spaCy's Doc)."""

    document: Document
    passages: tuple[tuple[int, Any], ...]


def parsed(documents: Sequence[Document], rng: random.Random, of: int) -> list[Parsed]:
    """Parse the documents: about 2,500 characters of each, from all over it.

    of  how many documents the corpus has; of fewer than 200 more is read, and no more in all
    """
    most = max(_PASSAGES, _ALL_PASSAGES // max(1, of))
    cut = [passages_of(document.text, rng, most) for document in documents]
    docs = parse(
        joined_lines(document.text[a:b])
        for document, held in zip(documents, cut, strict=True)
        for a, b in held
    )
    return [
        Parsed(document, tuple((a, next(docs)) for a, _ in held))
        for document, held in zip(documents, cut, strict=True)
    ]


def passages_of(text: str, rng: random.Random, most: int = _PASSAGES) -> list[tuple[int, int]]:
    """Return (start, end) of the passages of a text to read, in their order.

    They begin and end where sentences do. A text of up to 1,500 characters is one passage; of a
    longer one at most `most` of about 500 are drawn, so that a fact may stand anywhere.
    """
    if len(text) <= _WHOLE:
        return [(0, len(text))] if text.strip() else []
    groups: list[tuple[int, int]] = []
    start = 0
    for sentence in split_sentences(text):
        if sentence.end - start > _PASSAGE and sentence.start > start:
            groups.append((start, sentence.start))
            start = sentence.start
    groups.append((start, len(text)))
    usable = [(a, b) for a, b in groups if b - a <= 3 * _PASSAGE]
    chosen = rng.sample(usable, min(len(usable), most))
    return sorted(chosen)
