"""Equivalent forms of a query: another sentence type, other order, fewer words, a slip.

A form is only made where the query's own words show that it keeps what is asked. The frames are
data (`forms.yaml`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import yaml

from leadline.kinds.rephrasings.rewriting import abbreviated, renumbered
from leadline.text.spelling import respelled
from leadline.text.tokens import normalised
from leadline.text.typing_errors import mistyped
from leadline.text.words import AUXILIARIES, STOP_WORDS, words_of

KINDS = (
    "question", "keywords", "polite", "verbose", "reordered", "plural", "numeral", "abbreviation",
    "spelling", "typo",
)  # fmt: skip
Form = Literal["phrase", "task", "question", "request", "other"]

_QUESTION = re.compile(
    r"(?:what|which|who|whom|whose|where|when|why|how|is|are|was|were|do|does|did|can|could|has|"
    r"have|will|would|should|may)\b(?!\s*[:,-])(?!\s+to\b)",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"(?:please\s+)?(?:(?:i\s+(?:am|would|want|need|'m|was)|i'm|i'd|find|give|list|show|tell|search|"
    r"retrieve|describe|explain|discuss|get|provide|identify|compare|we\s+(?:are|need|want)|"
    r"looking|(?:can|could|would)\s+you)\b|information\s+(?:on|about)\b)",
    re.IGNORECASE,
)
_TASK = re.compile(r"how\s+to\s+", re.IGNORECASE)
_SENTENCES = re.compile(r"[.?!;]\s+\S")
_LONGEST_PHRASE = 5
"""Words of a user's query that is taken for a topic, where nothing shows that it is one."""
_TELLING = words_of(
    "not no never without before after between against versus except until since than by from to "
    "into neither nor none nothing nobody unless if or cannot"
)
"""Small words that keywords cannot do without."""
_WORD = re.compile(r"\S+")
_PAIR = re.compile(
    r"(?P<before>^|.*\b(?:of|for|in|on|between|with)\s)(?P<one>[a-z]{4,})\sand\s(?P<other>[a-z]{4,})$"
)
_NO_PLURAL = words_of(
    """
    news series species means data media police people research evidence equipment software hardware
    information literature music work advice progress knowledge flow heat pressure use history
    education management training access staff audience behavior behaviour life death growth society
    science technology security support documentation content traffic storage memory input output
    feedback code css html json api
    """
)


def form_of(text: str) -> Form:
    """Return what a query is, as far as its own words show."""
    words = text.split()
    if _SENTENCES.search(text):
        return "other"
    if _TASK.match(text) and not text.endswith("?"):
        return "task"
    if text.endswith("?") or (_QUESTION.match(text) and len(words) > 3):
        return "question"
    if _REQUEST.match(text) and len(words) > 3:
        return "request"
    states = any(word.lower() in AUXILIARIES for word in words[1:])
    return "other" if states or len(words) > _LONGEST_PHRASE else "phrase"


def tells_what_to_do(heading: str) -> bool:
    """Tell whether a heading begins with a verb: `Get a travel card`."""
    first, *others = heading.lower().split()
    return bool(others) and first in _imperatives()


def rephrased(
    text: str, frequency: Mapping[str, int], rng: random.Random, form: Form | None = None
) -> dict[str, tuple[str, str]]:
    """Return kind -> (text, what changed) for every form that a query has.

    Forms: see `KINDS`. One that cannot be made is absent.
    frequency  token -> number of documents of the corpus, by which plurals and slips are judged
    form       what the query is, where that is known; told by its words otherwise
    """
    text = " ".join(text.split())
    found = _forms(text, frequency, rng, form or form_of(text))
    return {kind: (other, edit) for kind, other, edit in found if edit}


def is_same(one: str, other: str) -> bool:
    """Tell whether two queries differ in nothing but case, punctuation and white space."""
    return normalised(one) == normalised(other)


def keywords(text: str) -> str:
    """Return a query without articles, auxiliaries and other small words that ask for nothing."""
    words = _WORD.findall(text.rstrip(" .?!"))
    kept = [
        word
        for place, word in enumerate(words)
        if word.lower().strip(",;:") not in STOP_WORDS - _TELLING
        or (place and word[0].isupper())  # "in May 1990"
    ]
    while kept and kept[0].lower() in _TELLING - {"not", "no", "never", "without"}:
        kept.pop(0)  # "to" of "how to"
    return " ".join(word.strip(",;:") for word in kept)


def _forms(
    text: str, frequency: Mapping[str, int], rng: random.Random, form: Form
) -> Iterator[tuple[str, str, str]]:
    inner = text.rstrip(" .?!,;:") if form != "other" else text
    if form == "task":
        inner = _TASK.sub("", inner, count=1)
        inner = inner[0].lower() + inner[1:]
    for kind, frames in _frames()[form].items():
        frame = rng.choice(frames)
        yield kind, frame.format(x=inner), frame.format(x="...")
    words = keywords(text)
    if form != "other" and len(words.split()) >= 2:
        yield "keywords", words, "small words left out"
    yield "numeral", *renumbered(text)
    yield "abbreviation", *abbreviated(text)
    if form == "phrase":
        yield "reordered", *_reordered(text)
        yield "plural", *_plural(text, frequency)
    yield "spelling", *respelled(text)
    names = {word for word in re.findall(r"[\w’'-]+", text)[1:] if not word.islower()}
    yield "typo", *mistyped(text, rng, names, frequency)


def _frames() -> dict[str, dict[str, list[str]]]:
    frames: dict[str, dict[str, list[str]]] = _data()
    return frames


def _imperatives() -> set[str]:
    return {each.strip() for each in _data()["imperatives"].split(",")}


@cache
def _data() -> dict[str, Any]:
    path = files("leadline.kinds.rephrasings").joinpath("forms.yaml")
    data: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return data


def _reordered(text: str) -> tuple[str, str]:
    """Return a query with the two words around its last "and" exchanged, and what moved."""
    pair = _PAIR.match(text)
    if pair is None:
        return "", ""
    return f"{pair['before']}{pair['other']} and {pair['one']}", "around 'and'"


def _plural(text: str, frequency: Mapping[str, int]) -> tuple[str, str]:
    """Return a query with its last word in the plural, where the corpus has that word."""
    words = text.split()
    last = words[-1]
    if not (last.isascii() and last.isalpha() and last.islower()) or len(last) < 4:
        return "", ""
    if last in _NO_PLURAL or last.endswith(("s", "ics", "ness", "ism", "ed", "ly", "ity")):
        return "", ""
    if {"a", "an", "one"} & set(re.split(r"[\s-]", text.lower())) or (
        len(words) > 1 and words[-2].lower() in STOP_WORDS
    ):
        return "", ""  # "a guide", "how to deploy"
    other = f"{last[:-1]}ies" if last[-1] == "y" and last[-2] not in "aeiou" else f"{last}s"
    if last.endswith(("ch", "sh", "x", "z")):
        other = f"{last}es"
    if frequency.get(other, 0) < 2:
        return "", ""
    return " ".join([*words[:-1], other]), f"{last} -> {other}"
