"""Queries that state conditions, as a list or in flowing sentences."""

from __future__ import annotations

import random
from collections.abc import Sequence

from leadline.synthesis.clauses import is_about_document, is_clause
from leadline.synthesis.pools import Pools

_LISTS = (
    ("Find documents that meet all of the following conditions: ", "{k}. {c}"),
    ("Find a document that satisfies every one of these conditions: ", "{k}. {c}"),
    ("I need texts for which each of these points holds: ", "({k}) {c}"),
    ("Return documents that fulfil the following requirements: ", "{k}) {c}"),
    ("Which documents meet these conditions? ", "{k}. {c}"),
)
_OPENINGS = {
    "clause": (
        "I am looking for a document that says that {c}",
        "Find the text which states that {c}",
        "I need a document from which it appears that {c}",
        "Please find the text in which {c}",
        "Search for a document where {c}",
    ),
    "verb": (
        "I am looking for a document that {c}",
        "Find the text which {c}",
        "I need something that {c}",
    ),
    "phrase": (
        "I am looking for a document that notes the following: {c}",
        "Find the text with this detail: {c}",
        "I need a document with this entry: {c}",
    ),
}
_LINKS = {
    "clause": (
        "It also says that {c}",
        "It should state that {c}",
        "The same text reports that {c}",
        "Furthermore, {c}",
        "In it, {c}",
    ),
    "verb": ("It also {c}", "The same text {c}", "In addition, it {c}"),
    "phrase": (
        "It also notes the following: {c}",
        "A further detail: {c}",
        "The same text has this: {c}",
    ),
}


def as_list(conditions: Sequence[str], rng: random.Random) -> list[str]:
    """Return the list-style queries of the first 1, 2, ... conditions, in one frame."""
    opening, item = rng.choice(_LISTS)
    items = [
        _ended(item.format(k=k, c=condition[0].upper() + condition[1:]))
        for k, condition in enumerate(conditions, 1)
    ]
    return [opening + " ".join(items[:k]) for k in range(1, len(items) + 1)]


def as_prose(conditions: Sequence[str], pools: Pools, rng: random.Random) -> list[str]:
    """Return the prose queries of the first 1, 2, ... conditions, each an extension of the last.

    One or two conditions a sentence, with varied links: what has a subject and a verb is stated,
    what only has a verb is said of the document, other pieces follow a colon.
    """
    queries: list[str] = []
    sentences: list[str] = []
    previous = ""
    open_to_more = False
    for place, condition in enumerate(conditions):
        shape = _shape(condition)
        inner = condition if shape == "phrase" else _in_sentence(condition, pools)
        if open_to_more and shape == "clause":
            sentences[-1] += f", and that {inner}"
            open_to_more = False
        else:
            frames = (_LINKS if place else _OPENINGS)[shape]
            previous = rng.choice([each for each in frames if each != previous])
            sentences.append(previous.format(c=inner))
            open_to_more = " that {c}" in previous and shape == "clause" and rng.random() < 0.5
        queries.append(" ".join(_ended(sentence) for sentence in sentences))
    return queries


def _shape(condition: str) -> str:
    if is_about_document(condition):
        return "verb"
    return "clause" if is_clause(condition) else "phrase"


def _ended(sentence: str) -> str:
    return sentence if sentence.rstrip("\"'”’)")[-1:] in {".", "!", "?"} else f"{sentence}."


def _in_sentence(condition: str, pools: Pools) -> str:
    """Take the capital from the first word, unless it is a name, an acronym or "I"."""
    first = condition.split(" ", 1)[0].strip(",;:")
    if first != "A" and (len(first) < 2 or not first[1:].islower() or pools.is_name(first)):
        return condition
    return condition[0].lower() + condition[1:]
