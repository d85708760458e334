"""Queries that state conditions, as a list or in flowing sentences. The frames are data."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from leadline.kinds.conditions.choosing import Condition


def as_list(conditions: Sequence[Condition], rng: random.Random, about: str = "") -> list[str]:
    """Return the list-style queries of the first 1, 2, ... conditions, in one frame.

    about  the topic of the document, named in the opening
    """
    opening, item = rng.choice(_frames()["lists"])
    opening = opening.format(about=_about(about))
    items = [
        _ended(item.format(k=k, c=_begun(each.text) if each.is_stated else each.text))
        for k, each in enumerate(conditions, 1)
    ]
    return [opening + " ".join(items[:k]) for k in range(1, len(items) + 1)]


def _begun(text: str) -> str:
    """Return a sentence with a capital, unless it begins with a name such as isEnabled."""
    first = text.split(maxsplit=1)[0]
    return f"{text[0].upper()}{text[1:]}" if first.isalpha() and first.islower() else text


def as_prose(conditions: Sequence[Condition], rng: random.Random, about: str = "") -> list[str]:
    """Return the prose queries of the first 1, 2, ... conditions, each an extension of the last.

    One or two conditions a sentence, with varied links.
    """
    queries: list[str] = []
    sentences: list[str] = []
    previous = ""
    open_to_more = False
    for place, condition in enumerate(conditions):
        said = condition.in_sentence
        if open_to_more and condition.is_stated:
            sentences[-1] += f", and that {said}"
            open_to_more = False
        else:
            frames = _frames()["links" if place else "openings"]
            usable = frames["stated" if condition.is_stated else "quoted"]
            previous = rng.choice([each for each in usable if each != previous])
            sentences.append(previous.format(c=said, about=_about(about)))
            open_to_more = " that {c}" in previous and rng.random() < 0.5
        queries.append(" ".join(_ended(sentence) for sentence in sentences))
    return queries


@cache
def _frames() -> dict[str, Any]:
    path = files("leadline.kinds.conditions").joinpath("wording.yaml")
    frames: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return frames


def _about(topic: str) -> str:
    return f" about {topic}" if topic else ""


def _ended(sentence: str) -> str:
    return sentence if sentence.rstrip("\"'”’)")[-1:] in {".", "!", "?"} else f"{sentence}."
