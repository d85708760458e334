"""The indefinite article that goes with a word: a history, an hour, an X-ray, a union."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from leadline.synthesis.english.parsing import lemma_of

_VOWEL = re.compile(
    r"(?:8|11(?!\d)|18(?!\d)|1[18],\d{3}(?!,)|[aeio]|u(?!n[aeiou]|k\b|sa\b|ssr\b|s[aeiou]|ti|r[aio])"
    r"|ho(?:ur|nest)|[fhlmnrsx](?:-|\b(?!\s?['’])))",
    re.IGNORECASE,
)
_NOT_VOWEL = re.compile(r"(?:one|once|eu|ewe)", re.IGNORECASE)
_ARTICLE = re.compile(r"(?<![\w.])(an?)(\s)$", re.IGNORECASE)


def takes_an(word: str) -> bool:
    """Tell whether "an" stands before a word."""
    return bool(_VOWEL.match(word)) and not _NOT_VOWEL.match(word)


def with_article(text: str, start: int, before: str, after: str) -> tuple[int, str, str]:
    """Widen an exchange over an indefinite article before it that must change with it.

    Returns where the exchange now starts, what it takes away and what it puts there.
    """
    found = _ARTICLE.search(text, max(0, start - 4), start)
    if found is None or not after or not before:
        return start, before, after
    wanted = "an" if takes_an(after) else "a"
    if wanted == found[1].lower() or takes_an(before) == takes_an(after):
        return start, before, after
    article = wanted.capitalize() if found[1][0].isupper() else wanted
    return found.start(), text[found.start() : start] + before, f"{article}{found[2]}{after}"


def article_of(phrase: Any, had: str, frequency: Mapping[str, int]) -> str | None:
    """Return the article that a parsed noun phrase needs in a sentence: "the ", "a ", "an " or "".

    had        what stood before it in its text
    frequency  token -> documents; tells by its plural whether a noun is counted

    "the development of reading", "a local news producer", "library training", "wings". None where
    nothing tells.
    """
    head = next((token for token in phrase if token.dep_ == "ROOT"), None)
    if head is None:
        return None
    owner = next((child for child in head.children if child.dep_ == "poss"), None)
    if owner is not None:
        is_bare = not any(child.dep_ in {"det", "poss"} for child in owner.children)
        return None if owner.tag_ == "NN" and is_bare and not had else had
    if any(child.dep_ in {"det", "nummod"} for child in head.children):
        return ""
    if head.pos_ not in {"NOUN", "PROPN"}:
        return had or None
    says_which = any(child.dep_ == "prep" and child.lower_ == "of" for child in head.children)
    joined = any(child.dep_ == "conj" for child in head.children)
    named = head.text[0].isupper() or head.tag_ == "NNP"
    if joined or named:
        return had or ("" if named or head.tag_ == "NNS" else None)
    if head.tag_ != "NN":
        return "the " if had.startswith("the") and says_which else ""
    if says_which or had.startswith("the"):
        return had or "the "
    if not had and not is_counted(head, frequency):
        return "" if head.lower_.endswith(_ABSTRACT) and len(head) > _SHORT else None
    return "an " if takes_an(phrase[0].text) else "a "


def is_counted(noun: Any, frequency: Mapping[str, int]) -> bool:
    """Tell whether a singular noun has a plural that the corpus uses as often as not."""
    from lemminflect import getInflection

    plural = next(iter(getInflection(lemma_of(noun), tag="NNS")), "")
    if plural in {"", noun.lower_}:
        return False
    return frequency.get(plural, 0) >= max(2, frequency.get(noun.lower_, 0) // 3)


_SHORT = 6
_ABSTRACT = (
    "ing", "tion", "sion", "ment", "ness", "ity", "ism", "ics", "ance", "ence", "ency", "ancy",
    "logy", "ship", "phy", "nomy", "acy",
)  # fmt: skip
"""Endings of nouns that are seldom counted: training, fluency."""
