"""Names of places in a parsed sentence, for which another of their kind may stand.

A small parser takes Virginia, a girl, for a state. So a place must be one of a list and stand
where places stand ("in Virginia"). Names of persons stay as they are: who plays a part or wrote a
book is known from elsewhere in the text, or to its readers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from leadline.synthesis.english.places import PLACES
from leadline.synthesis.words import words_of

_BEFORE_NATIONS = words_of("latin north south central east west native african anglo pan")
_LOCATING = words_of("in from near at to across throughout outside into toward towards")
_LONGEST = 3


@dataclass(frozen=True, slots=True)
class Name:
    """A name: tokens of a sentence, and the kind of it, as `city`."""

    tokens: tuple[Any, ...]
    kind: str


def find_places(sentence: Any) -> Iterator[Name]:
    """Yield the listed places that stand after a preposition of place, and nationalities."""
    words = list(sentence)
    place = 0
    while place < len(words):
        length = _length_at(words, place)
        found = tuple(words[place : place + length])
        if found and _is_used_as_place(found, PLACES[_lower(found)]):
            yield Name(found, PLACES[_lower(found)])
        place += max(1, length)


def _length_at(words: list[Any], place: int) -> int:
    for length in range(min(_LONGEST, len(words) - place), 0, -1):
        if _lower(words[place : place + length]) in PLACES:
            return length
    return 0


def _lower(tokens: Iterable[Any]) -> str:
    return " ".join(token.lower_ for token in tokens)


def _is_used_as_place(tokens: tuple[Any, ...], kind: str) -> bool:
    first, last = tokens[0], tokens[-1]
    cased = any(word.text[:1].isupper() for word in first.sent)
    if cased and not first.text[0].isupper():
        return False
    following = last.doc[last.i + 1] if last.i + 1 < len(last.doc) else None
    before = first.doc[first.i - 1] if first.i else None
    if following is not None and (following.text in {"-", "/", "'s", "’s"} or _joins(following)):
        return False
    if before is not None and (before.text in {"-", "/"} or _joins(before)):
        return False
    if kind.startswith("nationality"):
        if before is not None and (before.lower_ in _BEFORE_NATIONS or before.like_num):
            return False  # "an 8 French catheter"
        return bool(last.dep_ == "amod" and last.head.pos_ == "NOUN" and last.head.i > last.i)
    if kind == "compass":
        return False
    if last.dep_ != "pobj" or last.head.lower_ not in _LOCATING:
        return False
    return not any(child.i < first.i or child.dep_ in {"conj", "cc"} for child in last.children)


def _joins(token: Any) -> bool:
    """Tell whether a neighbour makes a longer name of it: Boston University, New England."""
    return bool(token.text[:1].isupper() and token.pos_ == "PROPN" and token.is_alpha)
