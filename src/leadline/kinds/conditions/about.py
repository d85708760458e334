"""What a document is about, as its title says it: the lead-in of a query with several conditions.

"The new library building was opened in 1977" leaves open which library; nobody asks for it without
saying what the text is about.
"""

from __future__ import annotations

import re
from collections.abc import Set

from leadline.text.tokens import content_tokens
from leadline.text.words import words_of
from leadline.types import Document

MOST_WORDS = 20
_LONGEST = 200
"""Characters of a text without a title in which its heading must end; a title has twice as many."""
_END = re.compile(r"\s*(?:[:;(\[–—\n]|,(?!\d)|\.\s|\s-+\s|'\s|\.?$)")
"""Where the topic of a title ends and a subtitle, a series or a source begins."""
_FIRST = re.compile(r"[^.:;,(\n]+(?=[.:]\s|\n)")
"""A line or sentence without a comma, as a heading is."""
_START = re.compile(r"^(?:[\d.]+\s+)?(?:(?:on|about|towards?)\s)?", re.IGNORECASE)
"""What stands before it: the number of a section, "on"."""
_ODD = re.compile(r"[?!\"“”{}<>|=*#@\\_]|\d[.)]|[^\x00-\x7f\u2013-\u2019]")
_PARTS = words_of(
    """
    introduction overview summary conclusion conclusions preface foreword contents index notes
    references abstract background chapter section part appendix faq changelog readme untitled home
    page document draft test news editorial letter
    """
)
"""Titles of parts of documents, which say nothing of what they are about."""


def heading_of(document: Document) -> str:
    """Return the title of a document, or the line or sentence that its text begins with."""
    title = " ".join(document.title[: 2 * _LONGEST].split())
    if title:
        return _END.split(_START.sub("", title), maxsplit=1)[0]
    found = _FIRST.match(document.text[:_LONGEST].strip())
    return found[0].strip() if found else ""


def topic_of(document: Document, small: Set[str]) -> str:
    """Return what a document is about as its title says it, or nothing.

    small  words that the corpus writes in small letters: a title that begins with one does so, too
    """
    heading = heading_of(document)
    if not document.title.strip() or not _is_topic(heading):
        return ""
    first, *others = heading.split()
    plain = first.lower() in small and not any(word[0].isupper() for word in others)
    return heading[0].lower() + heading[1:] if plain else heading


def _is_topic(heading: str) -> bool:
    if not 1 < len(heading.split()) <= MOST_WORDS or _ODD.search(heading):
        return False
    return bool(set(content_tokens(heading)) - _PARTS)
