"""Queries that state conditions, as a list or in flowing sentences."""

from __future__ import annotations

import random
from collections.abc import Sequence

from leadline.synthesis.conditions.choice import Condition
from leadline.synthesis.english.clauses import Shape

_LISTS = (
    ("Find documents{about} that meet all these conditions: ", "{k}. {c}"),
    ("Find a document{about} with every one of these: ", "{k}. {c}"),
    ("I need texts{about} for which all this holds: ", "({k}) {c}"),
    ("Return documents{about} that fulfil these requirements: ", "{k}) {c}"),
    ("Which documents{about} meet these conditions? ", "{k}. {c}"),
)
_STATED: dict[Shape, str] = {
    "clause": "{c}", "document": "the text {c}", "phrase": "the text is about {c}",
}  # fmt: skip
_OPENINGS: dict[Shape, tuple[str, ...]] = {
    "clause": (
        "I am looking for a document{about} that says that {c}",
        "Find the text{about} which states that {c}",
        "I need a document{about} from which it appears that {c}",
        "Please find the text{about} in which {c}",
        "Search for a document{about} where {c}",
    ),
    "document": (
        "I am looking for a document{about} that {c}",
        "Find the text{about} which {c}",
        "I need something{about} that {c}",
    ),
    "phrase": (
        "I am looking for a document{about} that mentions {c}",
        "Find the text{about} with this detail: {c}",
        "I need a document{about} with this entry: {c}",
    ),
}
_LINKS: dict[Shape, tuple[str, ...]] = {
    "clause": (
        "It also says that {c}",
        "It should state that {c}",
        "The same text reports that {c}",
        "Furthermore, {c}",
        "In it, {c}",
    ),
    "document": ("It also {c}", "The same text {c}", "In addition, it {c}"),
    "phrase": (
        "It also mentions {c}",
        "A further detail: {c}",
        "The same text has this: {c}",
    ),
}


def stated(condition: Condition) -> str:
    """Return a condition as a sentence of its own, without a full stop."""
    return _STATED[condition.shape].format(c=condition.text)


def as_list(conditions: Sequence[Condition], rng: random.Random, about: str = "") -> list[str]:
    """Return the list-style queries of the first 1, 2, ... conditions, in one frame.

    about  the topic of the document, named in the opening
    """
    opening, item = rng.choice(_LISTS)
    opening = opening.format(about=_about(about))
    items = [
        _ended(item.format(k=k, c=text[0].upper() + text[1:]))
        for k, text in enumerate(map(stated, conditions), 1)
    ]
    return [opening + " ".join(items[:k]) for k in range(1, len(items) + 1)]


def as_prose(conditions: Sequence[Condition], rng: random.Random, about: str = "") -> list[str]:
    """Return the prose queries of the first 1, 2, ... conditions, each an extension of the last.

    One or two conditions a sentence, with varied links: what has a subject and a verb is stated,
    what the document itself does is said of it, other pieces follow a colon.
    """
    queries: list[str] = []
    sentences: list[str] = []
    previous = ""
    open_to_more = False
    for place, condition in enumerate(conditions):
        if open_to_more and condition.shape == "clause":
            sentences[-1] += f", and that {condition.text}"
            open_to_more = False
        else:
            frames = (_LINKS if place else _OPENINGS)[condition.shape]
            previous = rng.choice([each for each in frames if each != previous])
            sentences.append(previous.format(c=condition.text, about=_about(about)))
            joined = " that {c}" in previous and condition.shape == "clause"
            open_to_more = joined and rng.random() < 0.5
        queries.append(" ".join(_ended(sentence) for sentence in sentences))
    return queries


def _about(topic: str) -> str:
    return f" about {topic}" if topic else ""


def _ended(sentence: str) -> str:
    return sentence if sentence.rstrip("\"'”’)")[-1:] in {".", "!", "?"} else f"{sentence}."
