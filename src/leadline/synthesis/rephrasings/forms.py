"""Equivalent forms of a query: another sentence type, other order, fewer words."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping

from leadline.synthesis.clauses import is_about_document
from leadline.synthesis.plurals import other_number
from leadline.synthesis.spelling import respelled
from leadline.synthesis.tokens import normalised
from leadline.synthesis.typing_errors import mistyped
from leadline.synthesis.words import (
    AUXILIARIES,
    CONJUNCTIONS,
    FINITE,
    LINKERS,
    NUMBER_WORDS,
    PREPOSITIONS,
    STOP_WORDS,
    words_of,
)

KINDS = ("question", "keywords", "polite", "reordered", "plural", "spelling", "typo")

_QUESTION = re.compile(
    r"(?:what|which|who|whom|whose|where|when|why|how|is|are|was|were|do|does|did|can|could|has|"
    r"have|will|would|should|may)\b(?!\s*[:,-])",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"(?:please\s+)?(?:(?:i\s+(?:am|would|want|need|'m|was)|i'm|i'd|find|give|list|show|tell|search|"
    r"retrieve|describe|explain|discuss|get|provide|identify|compare|we\s+(?:are|need|want)|"
    r"looking|(?:can|could|would)\s+you)\b|information\s+(?:on|about)\b)",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"[\w'’-]+(?:[.,/:]\d+(?:-\w+)?)*%?")
_QUESTIONS = {
    "phrase": (
        "What is known about {x}?",
        "What has been written about {x}?",
        "Which documents deal with {x}?",
        "What can be found on {x}?",
    ),
    "verb": ("Which document {x}?", "Which text {x}?"),
    "statement": (
        "Is it true that {x}?",
        "Where is it reported that {x}?",
        "Which document says that {x}?",
    ),
}
_POLITE = {
    "phrase": (
        "Could you please find documents about {x}?",
        "I would be grateful for anything on {x}.",
        "Please show me what you have on {x}, thank you.",
        "Would you kindly look for texts on {x}?",
    ),
    "statement": (
        "Could you please find the document that says that {x}?",
        "I would be grateful for the text which states that {x}.",
        "Would you kindly look for a document saying that {x}?",
    ),
    "verb": (
        "Could you please find the document that {x}?",
        "I would be grateful for the text which {x}.",
    ),
    "question": (
        "Could you please help me with this question: {x}?",
        "I would be grateful for an answer to this: {x}?",
        "Please, I would like to know: {x}?",
    ),
    "request": ("Hello, {x}, please. Thank you.", "If you would be so kind: {x}. Many thanks."),
}
_PERSONS = words_of("he she they it we")
_MOVED = words_of("in at during under among within after before since")
_PAIR = re.compile(r"(?<![\w-])([^\W\d_]{4,})\s(and|or)\s([^\W\d_]{4,})(?![\w-])")
_TWO_PARTS = re.compile(r"^([^:;]{6,}?)\s?(?::|;|\s[-–—])\s+([^:;]{6,})$")


def form_of(query: str) -> str:
    """Return what a query is: question, request, verb, statement or phrase.

    A "verb" says what a document does, without a subject: "Describes the library service".
    """
    text = query.strip()
    words = [word.lower() for word in re.findall(r"[\w'’]+", text)]
    if text.endswith("?") or (_QUESTION.match(text) and len(words) > 3):
        return "question"
    if _REQUEST.match(text) and len(words) > 3:
        return "request"
    if is_about_document(text) or words[:1] == ["reports"]:
        return "verb"
    if words[:1] and words[0] in _PERSONS and len(words) > 2:
        return "statement"
    before_link: list[str] = []
    for word in words:
        if word in LINKERS - CONJUNCTIONS and before_link:
            break
        before_link.append(word)
    return "statement" if any(word in FINITE for word in before_link[1:]) else "phrase"


def rephrased(
    query: str, frequency: Mapping[str, int], rng: random.Random
) -> dict[str, tuple[str, str]]:
    """Return kind -> (text, what changed) for every form that applies to a query.

    Forms: question, keywords, polite, reordered, plural, spelling, typo. A form that does not
    apply is absent; none of them checks whether it differs from the query.
    frequency  token -> number of documents of the corpus, by which plurals are judged
    """
    text = query.strip()
    form = form_of(text)
    core = text.rstrip(" .?!,;:")
    inner = _in_sentence(core, frequency)
    found: dict[str, tuple[str, str]] = {}
    if form == "phrase" and inner.lower().startswith("on "):
        inner = inner[3:]  # titles like "On the flow past cones"
    if form in _QUESTIONS:
        frame = rng.choice(_QUESTIONS[form])
        found["question"] = (frame.format(x=inner), frame.format(x="..."))
    words = keywords(text)
    if len(words) >= 2:
        found["keywords"] = (" ".join(words), "function words left out")
    frame = rng.choice(_POLITE[form])
    found["polite"] = (frame.format(x=inner), frame.format(x="..."))
    for kind, (changed, what) in (
        ("reordered", reordered(core, form, frequency)),
        ("plural", other_number(text, frequency)),
        ("spelling", respelled(text)),
        ("typo", mistyped(text, rng)),
    ):
        if what:
            found[kind] = (changed, what)
    return found


def keywords(query: str) -> list[str]:
    """Return the content words of a query, in order and each once."""
    words = dict.fromkeys(
        word for word in _PLAIN.findall(query) if word.lower() not in STOP_WORDS | AUXILIARIES
    )
    return list(words)


def reordered(query: str, form: str, frequency: Mapping[str, int]) -> tuple[str, str]:
    """Return the query with its parts in another order and what moved, or ("", "").

    The halves around a colon change places, or a closing phrase ("in the UK") goes to the front,
    or the two words around "and" change places.
    """
    halves = _TWO_PARTS.match(query)
    if halves and form == "phrase":
        return f"{halves[2]}: {halves[1]}", "halves around the colon"
    moved = _closing_phrase_first(query, form, frequency)
    if moved:
        return moved, "closing phrase first"
    for pair in _PAIR.finditer(query):
        if _is_bare_pair(query, pair):
            swapped = f"{pair[3]} {pair[2]} {pair[1]}"
            return query[: pair.start()] + swapped + query[pair.end() :], f"around {pair[2]!r}"
    return "", ""


def _is_bare_pair(query: str, pair: re.Match[str]) -> bool:
    """Tell whether the two words stand for themselves, with nothing bound to only one of them."""
    if {pair[1].lower(), pair[3].lower()} & (STOP_WORDS | FINITE):
        return False
    before = query[: pair.start()].split()[-1:]
    after = query[pair.end() :].split()[:1]
    opens = not before or before[0].lower() in PREPOSITIONS | {"the", "between"}
    closes = not after or after[0].lower() in PREPOSITIONS | {":"}
    return opens and closes and query[pair.end() : pair.end() + 1] not in {"-", "'", "’", ","}


def _closing_phrase_first(query: str, form: str, frequency: Mapping[str, int]) -> str:
    words = query.split()
    if form in {"request", "verb"} or any(mark in query for mark in ",;:("):
        return ""
    for place in range(len(words) - 2, 1, -1):
        if words[place].lower() not in _MOVED or words[place + 1].endswith("ing"):
            continue
        if words[place - 1].lower() in LINKERS | PREPOSITIONS:
            return ""
        if form == "statement" and (words[place - 1].lower() in FINITE or len(words) - place < 3):
            return ""
        front, rest = " ".join(words[place:]), " ".join(words[:place])
        rest = _in_sentence(rest, frequency)
        mark = ":" if form == "phrase" else ","
        return f"{front}{mark} {rest}" + ("?" if form == "question" else "")
    return ""


def _in_sentence(query: str, frequency: Mapping[str, int]) -> str:
    """Take the capital from the first word where it is only there because it is the first."""
    first = re.match(r"[^\W\d_]+", query)
    if first is None or (len(first.group()) < 2 and first.group() != "A"):
        return query
    word = first.group()
    if not word[1:].islower() and word != "A":
        return query
    common = frequency.get(word.lower(), 0) >= 5
    if word.lower() in STOP_WORDS | FINITE | NUMBER_WORDS.keys() or common:
        return query[0].lower() + query[1:]
    return query


def is_same(one: str, other: str) -> bool:
    """Tell whether two queries differ in nothing but case, punctuation and white space."""
    return normalised(one) == normalised(other)
