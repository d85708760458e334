"""What a document is about, as its title says it: the lead-in of a query with several conditions.

"The new library building was opened in 1977" leaves open which library; nobody asks for it without
saying what the text is about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from leadline.synthesis.english.parsing import parse
from leadline.synthesis.english.phrases import GENERAL
from leadline.synthesis.english.places import PLACES
from leadline.synthesis.english.verbs import SUBJECTS, is_in_dictionary
from leadline.synthesis.tokens import content_tokens
from leadline.synthesis.words import words_of
from leadline.types import Document

MOST_WORDS = 20
_LONGEST = 200
"""Characters of a text without a title in which its heading must end; a title has twice as many."""
_END = re.compile(r"\s*(?:[:;(\[–—,\n]|\.\s|\s-+\s|'\s|\.?$)")
"""Where the topic of a title ends and a subtitle, a series or a source begins."""
_FIRST = re.compile(r"[^.:;,(\n]+(?=[.:]\s|\n)")
"""A line or sentence without a comma, as a heading is."""
_START = re.compile(r"^(?:[\d.]+\s+)?(?:(?:on|about|towards?)\s)?", re.IGNORECASE)
"""What stands before it: the number of a section, "on"."""
_ODD = re.compile(r"[?!\"“”{}<>|=*#@\\_]|\d[.)]|[^\x00-\x7f\u2013-\u2019]")
_TYING = frozenset({"ADP", "SCONJ", "CCONJ", "ADV", "PRON", "INTJ"})
_STATING = frozenset({"VB", "VBZ", "VBP", "MD"})
"""Tags of a verb that makes a sentence; "linearised flow" and "buckling of plates" are none."""
_PARTS = words_of(
    """
    introduction overview summary conclusion conclusions preface foreword contents index notes
    references abstract background chapter section part appendix faq changelog readme untitled home
    page document draft test news editorial letter
    """
)
"""Titles of parts of documents, which say nothing of what they are about."""
_FEWEST_LETTERS = 3
_LONG = 4
"""Letters of a word that is no "of" or "the"."""


def heading_of(document: Document) -> str:
    """Return the title of a document, or the line or sentence that its text begins with."""
    title = " ".join(document.title[: 2 * _LONGEST].split())
    if title:
        return _END.split(_START.sub("", title), maxsplit=1)[0]
    found = _FIRST.match(document.text[:_LONGEST].strip())
    return found[0].strip() if found else ""


def topics_of(documents: Sequence[Document]) -> list[str]:
    """Return the topic of each document as its title or first sentence names it, or nothing.

    A topic is a noun phrase of up to 20 words, or the name that a title is. What a text without a
    title begins with is one in small letters only: "PREOPERATIVE DIAGNOSIS" opens a form.
    """
    plain = []
    for document in documents:
        heading = heading_of(document)
        usable = _is_topic(heading) and (bool(document.title.strip()) or _is_small(heading))
        plain.append(heading if usable else "")
    return [_topic(doc) if len(doc) else "" for doc in parse(plain)]


def _is_topic(heading: str) -> bool:
    if len(heading.split()) > MOST_WORDS or _ODD.search(heading):
        return False
    if sum(map(str.isalpha, heading)) < _FEWEST_LETTERS:
        return False
    return bool(set(content_tokens(heading)) - GENERAL - _PARTS)


def _is_small(heading: str) -> bool:
    long = [word for word in heading.split() if len(word) >= _LONG and word.isalpha()]
    small = sum(word.islower() for word in long)
    return bool(small) and 2 * small >= len(long)


def _topic(heading: Any) -> str:
    first = heading[0]
    root = next((token for token in heading if token.dep_ == "ROOT"), first)
    states = root.tag_ in _STATING or any(child.dep_ in SUBJECTS for child in root.children)
    names = any(token.pos_ in {"NOUN", "PROPN"} for token in heading)
    if states or first.pos_ in _TYING or not names or not _is_english(heading):
        return ""
    text: str = heading.text
    small = first.is_title and is_in_dictionary(first) and first.lower_ not in PLACES
    return text[0].lower() + text[1:] if small and _is_small(text) else text


def _is_english(heading: Any) -> bool:
    """Tell whether a dictionary has half of the longer words: names and terms are not in it."""
    long = [word for word in heading if word.is_lower and word.is_alpha and len(word) >= _LONG]
    return 2 * sum(map(is_in_dictionary, long)) >= len(long)
