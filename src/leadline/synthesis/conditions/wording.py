"""Queries that state conditions, as a list or in flowing sentences."""

from __future__ import annotations

import random
from collections.abc import Sequence

from leadline.synthesis.clauses import is_clause
from leadline.synthesis.pools import Pools

_LISTS = (
    ("Find documents that meet all of the following conditions: ", "{k}. {c}."),
    ("Find a document that satisfies every one of these conditions: ", "{k}. {c}."),
    ("I need texts for which each of these points holds: ", "({k}) {c}."),
    ("Return documents that fulfil the following requirements: ", "{k}) {c}."),
    ("Which documents meet these conditions? ", "{k}. {c}."),
)
_CLAUSE_OPENINGS = (
    "I am looking for a document that says that {c}",
    "Find the text which states that {c}",
    "I need a document from which it appears that {c}",
    "Please find the text in which {c}",
    "Search for a document where {c}",
)
_PHRASE_OPENINGS = (
    "I am looking for a document that mentions {c}",
    "Find the text which speaks of {c}",
    "I need a document with {c}",
    "Please find a text on {c}",
)
_CLAUSE_LINKS = (
    "It also says that {c}",
    "It should state that {c}",
    "The same text reports that {c}",
    "Furthermore, {c}",
    "In it, {c}",
)
_PHRASE_LINKS = (
    "It also mentions {c}",
    "There should be a mention of {c}",
    "The same text speaks of {c}",
    "It includes {c}",
)


def as_list(conditions: Sequence[str], rng: random.Random) -> list[str]:
    """Return the list-style queries of the first 1, 2, ... conditions, in one frame."""
    opening, item = rng.choice(_LISTS)
    items = [
        item.format(k=k, c=_capitalised(condition)) for k, condition in enumerate(conditions, 1)
    ]
    return [opening + " ".join(items[:k]) for k in range(1, len(items) + 1)]


def as_prose(conditions: Sequence[str], pools: Pools, rng: random.Random) -> list[str]:
    """Return the prose queries of the first 1, 2, ... conditions, each an extension of the last.

    One to two conditions a sentence, with varied links; a condition without a verb is mentioned,
    one with a verb is stated.
    """
    queries: list[str] = []
    sentences: list[str] = []
    previous = None
    open_to_more = False
    for place, condition in enumerate(conditions):
        stated = is_clause(condition)
        inner = _in_sentence(condition, pools)
        if open_to_more and stated:
            sentences[-1] += f", and that {inner}"
            open_to_more = False
        else:
            frames = _frames(place == 0, stated)
            frame = rng.choice([each for each in frames if each != previous])
            sentences.append(frame.format(c=inner))
            previous = frame
            open_to_more = " that {c}" in frame and rng.random() < 0.5
        queries.append(". ".join(sentences) + ".")
    return queries


def _frames(is_first: bool, stated: bool) -> tuple[str, ...]:
    if is_first:
        return _CLAUSE_OPENINGS if stated else _PHRASE_OPENINGS
    return _CLAUSE_LINKS if stated else _PHRASE_LINKS


def _in_sentence(condition: str, pools: Pools) -> str:
    """Take the capital from the first word, unless it is a name, an acronym or "I"."""
    first = condition.split(" ", 1)[0].strip(",;:")
    keeps = len(first) < 2 or not first[1:].islower() or first == "I"
    if keeps and first not in {"A"}:
        return condition
    return condition if pools.is_name(first) else condition[0].lower() + condition[1:]


def _capitalised(condition: str) -> str:
    return condition[0].upper() + condition[1:]
