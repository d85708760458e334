"""What conditions are called, and how they are put into what asks or refuses, as data.

`{one}` is a condition with its article (`a forum thread`), `{many}` its plural; of words that a
text must hold, the bare words, which every wording puts into quotes, never at its beginning. Each
dimension has wordings of its own beside the common ones, so that no single one is learnt.
"""

from __future__ import annotations

import re

from leadline.kinds.instructions.asking import ANY_ASKED, OWN_ASKED
from leadline.kinds.instructions.refusing import ANY_REFUSED, OWN_REFUSED

NAMES: dict[tuple[str, str], tuple[tuple[str, str], ...]] = {
    ("length", "sentence"): (
        ("one sentence", "single sentences"),
        ("a single sentence", "one-sentence answers"),
    ),
    ("length", "paragraph"): (
        ("one paragraph", "single paragraphs"),
        ("a single paragraph", "one-paragraph answers"),
    ),
    ("length", "article"): (
        ("a long text", "long texts"),
        ("a full-length article", "full-length articles"),
        ("a detailed article", "detailed articles"),
    ),
    ("source", "blog"): (
        ("a blog post", "blog posts"),
        ("a post on a personal blog", "posts on personal blogs"),
    ),
    ("source", "forum post"): (
        ("a forum thread", "forum threads"),
        ("a forum post", "forum posts"),
        ("a discussion on a message board", "discussions on message boards"),
    ),
    ("source", "news article"): (
        ("a news article", "news articles"),
        ("a newspaper report", "newspaper reports"),
    ),
    ("format", "forum answer"): (
        ("a forum answer", "forum answers"),
        ("an answer from a forum", "answers from forums"),
    ),
    ("format", "code snippet"): (
        ("a code snippet", "code snippets"),
        ("a code example", "code examples"),
    ),
    ("format", "official manual"): (
        ("an official manual", "official manuals"),
        ("a manual page", "manual pages"),
    ),
    ("audience", "layman"): (
        ("a layman", "laymen"),
        ("a beginner", "beginners"),
        ("an ordinary reader", "ordinary readers"),
    ),
    ("audience", "expert"): (
        ("an expert", "experts"),
        ("a specialist", "specialists"),
        ("a professional", "professionals"),
    ),
    ("language", "chinese"): (("Chinese", "Chinese"), ("Mandarin Chinese", "Chinese")),
    ("language", "english"): (("English", "English"),),
    ("language", "french"): (("French", "French"),),
}
"""(dimension, condition) -> how it is called, with its article and as many."""

_NONE_LIKE = re.compile(r"(?:one|a single) (sentence|paragraph)$")
"""`I don't want a single sentence` would mean none at all."""

SPANS: dict[str, tuple[int, int]] = {
    "a full-length article": (500, 1_000_000),
    "a detailed article": (400, 1_000_000),
}
"""Name of a length -> the fewest and the most words of what is called so."""


def asked(dimension: str) -> tuple[str, ...]:
    """Return the wordings that ask for a condition of a dimension."""
    return (*(ANY_ASKED if _takes_any(dimension) else ()), *OWN_ASKED[dimension])


def refused(dimension: str) -> tuple[str, ...]:
    """Return the wordings that refuse a condition of a dimension."""
    return (*(ANY_REFUSED if _takes_any(dimension) else ()), *OWN_REFUSED[dimension])


def names(dimension: str, condition: str, words: int) -> tuple[tuple[str, str], ...]:
    """Return what a condition is called where the text that meets it has a number of words."""
    return tuple(
        (one, many)
        for one, many in NAMES[dimension, condition]
        if one not in SPANS or SPANS[one][0] <= words <= SPANS[one][1]
    )


def in_refusal(one: str, many: str) -> tuple[str, str]:
    """Return what a condition is called where it is refused: `a one-sentence answer`."""
    found = _NONE_LIKE.match(one)
    if found is None:
        return one, many
    return f"a one-{found[1]} answer", f"one-{found[1]} answers"


def filled(wording: str, one: str, many: str) -> str:
    """Put a condition into a wording, with a capital where it begins a sentence."""
    return wording.format(one=one, many=many, One=capitalised(one), Many=capitalised(many))


def capitalised(text: str) -> str:
    """Return the text with its first letter as a capital."""
    return text[:1].upper() + text[1:]


def _takes_any(dimension: str) -> bool:
    return dimension in ("source", "format")
