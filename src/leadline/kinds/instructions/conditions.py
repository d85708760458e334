"""The six dimensions with their conditions, as data: what a language model is told to write."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from leadline.kinds.instructions.attributes.languages import language_of
from leadline.kinds.instructions.attributes.lengths import length_class
from leadline.kinds.instructions.attributes.text import shape_of


class Condition(NamedTuple):
    """A condition of a dimension.

    said     as it is asked for, with its article
    meaning  what a writer and a judge are told
    """

    name: str
    said: str
    meaning: str


CONDITIONS: dict[str, tuple[Condition, ...]] = {
    "audience": (
        Condition(
            "layman",
            "text for laymen",
            "plain words, everyday comparisons, no jargon; it still names its subject",
        ),
        Condition("expert", "text for experts", "technical terms, nothing explained from scratch"),
    ),
    "format": (
        Condition("forum answer", "a forum answer", "a reply by a user of a help forum, in prose"),
        Condition(
            "code snippet", "a code snippet", "one block of code in a ``` fence, hardly any prose"
        ),
        Condition("official manual", "an official manual", "an entry of reference documentation"),
    ),
    "language": (
        Condition("chinese", "a text in Chinese", "written in Simplified Chinese throughout"),
        Condition("english", "a text in English", "written in English throughout"),
    ),
    "length": (
        Condition("sentence", "a single sentence", "one sentence of 10 to 30 words, no title"),
        Condition("paragraph", "a single paragraph", "one paragraph of 60 to 120 words"),
        Condition(
            "article", "a full-length article", "several paragraphs, 250 to 350 words in all"
        ),
    ),
    "source": (
        Condition("blog", "a blog post", "first person, with a by-line; a personal experience"),
        Condition("forum post", "a forum thread", "several users who answer each other by name"),
        Condition("news article", "a news article", "a dateline, quotations, the third person"),
    ),
}
"""Dimension -> its conditions; `keyword` has words of each document."""


def _is_length(text: str, name: str) -> bool:
    return length_class(shape_of(text)) == name


def _is_language(text: str, name: str) -> bool:
    return language_of(text) == {"chinese": "zh", "english": "en", "french": "fr"}.get(name, name)


def _is_code(text: str, name: str) -> bool:
    return name != "code snippet" or shape_of(text).share_of_code > 0.6


MEASURED: dict[str, Callable[[str, str], bool]] = {
    "length": _is_length,
    "language": _is_language,
    "format": _is_code,
}
"""Dimensions that code can check: (text, condition) -> whether it has it."""
