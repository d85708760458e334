"""How long a text is, as the classes that people ask for: a sentence, a paragraph, an article."""

from __future__ import annotations

import math
from dataclasses import dataclass

from leadline.kinds.instructions.attributes.text import Shape

WORDS_A_SENTENCE, WORDS_A_PARAGRAPH, WORDS_A_PAGE, WORDS_A_MINUTE = 18, 90, 400, 220
"""What people mean by one of each, in words."""


@dataclass(frozen=True, slots=True)
class Span:
    """Numbers of words, both ends included."""

    low: float = 0.0
    high: float = math.inf


CLASSES = {
    "sentence": Span(1, 40),
    "paragraph": Span(41, 190),
    "article": Span(191),
}
"""Length class -> words. Paragraphs of InfoSearch-like sets have 60 to 120, articles over 300."""

_SOFT = 0.22  # of the logarithm of a length: how gradually it leaves a span


def length_class(shape: Shape) -> str:
    """Return the class of a text by its words; a few words more still are one sentence."""
    if shape.sentences <= 1 and shape.words <= 60:
        return "sentence"
    for name, span in CLASSES.items():
        if shape.words <= span.high:
            return name
    return "article"


def within(words: int, span: Span) -> float:
    """Return how well a number of words lies in a span, in (0, 1): 0.5 at either end."""
    place = math.log(max(words, 1))
    value = 1.0
    if span.low > 1:
        value *= _logistic((place - math.log(span.low)) / _SOFT)
    if math.isfinite(span.high):
        value *= _logistic((math.log(span.high) - place) / _SOFT)
    return value


def meets_class(shape: Shape, name: str) -> float:
    """Return how well a text has a length class, in (0, 1)."""
    value = within(shape.words, CLASSES[name])
    if name == "sentence":
        return value * (1.0 if shape.sentences <= 2 else 0.6)
    if name == "paragraph" and shape.sentences <= 1:
        return value * 0.6
    return value


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, x))))
