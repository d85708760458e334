"""How well a document meets a restriction."""

from __future__ import annotations

from leadline.kinds.instructions.attributes import lengths, phrases
from leadline.kinds.instructions.attributes.genres import GENRES, genres_of
from leadline.kinds.instructions.attributes.languages import NAMES, language_of
from leadline.kinds.instructions.attributes.readability import expertise
from leadline.kinds.instructions.attributes.restrictions import Restriction
from leadline.kinds.instructions.attributes.text import shape_of
from leadline.types import Document

LEAST = 0.03
"""What a document that misses a restriction still gets: a reading may be wrong."""

_FORUMS = ("forum answer", "forum post")


def satisfaction(restriction: Restriction, document: Document) -> float:
    """Return how well a document meets a restriction, in [LEAST, 1 - LEAST]; 0.5 is no opinion."""
    value = _has(restriction, document)
    if restriction.negated:
        value = 1 - value
    value = 0.5 + (value - 0.5) * restriction.confidence
    return max(LEAST, min(1 - LEAST, value))


def met_by(restriction: Restriction, document: Document) -> str:
    """Say what the document is like in the dimension of a restriction."""
    if restriction.dimension == "length":
        shape = shape_of(document.text)
        return f"{shape.words} words ({lengths.length_class(shape)})"
    if restriction.dimension == "language":
        return language_of(document.content) or "cannot be told"
    if restriction.dimension == "audience":
        return f"presumes {expertise(document.content):.2f} of 1"
    if restriction.dimension == "keyword":
        held = phrases.holds(document.content, restriction.condition)
        return f"{'holds' if held else 'does not hold'} “{restriction.condition}”"
    genres = genres_of(marked(document))
    best = max(genres, key=lambda genre: genres[genre])
    return f"most like {best} ({genres[best]:.2f})"


def marked(document: Document) -> str:
    """Return title and text as a genre is told from: a title stands on a line of its own."""
    return f"{document.title}\n\n{document.text}" if document.title else document.text


def _has(restriction: Restriction, document: Document) -> float:
    dimension, condition = restriction.dimension, restriction.condition
    if dimension == "length":
        shape = shape_of(document.text)
        if restriction.lengths is not None:
            return lengths.within(shape.words, restriction.lengths)
        return lengths.meets_class(shape, condition)
    if dimension == "language" and condition in NAMES:
        found = language_of(document.content)
        return 0.5 if not found else float(found == condition)
    if dimension == "audience":
        value = expertise(document.content)
        return value if condition == "expert" else 1 - value
    if dimension == "keyword":
        return float(phrases.holds(document.content, condition))
    genres = genres_of(marked(document))
    if condition in _FORUMS:
        return max(genres[each] for each in _FORUMS)
    return genres[condition] if condition in GENRES else 0.5
