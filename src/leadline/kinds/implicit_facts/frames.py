"""Sentence frames: read from the word lists, filled, and drawn without repetition.

A frame is text with slots `{price}` and choices `<bought|chose>`; choices are not nested.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Generic, TypeVar

T = TypeVar("T")

_CHOICE = re.compile(r"<([^<>]*)>")
_SLOT = re.compile(r"\{(\w+)\}")


def fill(frame: str, slots: Mapping[str, str], rng: random.Random) -> str:
    """Return the frame with a choice made at every `<a|b>` and every slot filled.

    The first letter becomes a capital, and a full stop after "p.m." is not doubled.
    Raises KeyError for a slot that has no value.
    """
    chosen = _CHOICE.sub(lambda match: rng.choice(match[1].split("|")), frame)
    filled = _SLOT.sub(lambda match: slots[match[1]], chosen)
    filled = re.sub(r"([ap]\.m\.)\.", r"\1", filled)
    return filled[:1].upper() + filled[1:]


def joined(first: str, second: str, link: str) -> str:
    """Return two sentences as one: `The A costs 10.` and `The B is dear.` with `and`."""
    start = second[:1].lower() if not re.match(r"I\b", second) else second[:1]
    return f"{first.removesuffix('.')}, {link} {start}{second[1:]}"


def with_article(noun: str) -> str:
    """Return the noun with "a" or "an"."""
    sounds_open = re.match(r"[aeiou]", noun, re.IGNORECASE)
    sounds_closed = re.match(r"(?:u[nkst]i|ukulele|eu|one\b)", noun, re.IGNORECASE)
    return f"{'an' if sounds_open and not sounds_closed else 'a'} {noun}"


@cache
def sections(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return the `[sections]` of a word list, each with its lines."""
    found: dict[str, list[str]] = {}
    section = ""
    for line in lines(name):
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1]
        else:
            found.setdefault(section, []).append(line)
    return {section: tuple(each) for section, each in found.items()}


@cache
def words(name: str) -> tuple[str, ...]:
    """Return the entries of a word list with `|` or line ends between them."""
    return tuple(entry.strip() for line in lines(name) for entry in line.split("|"))


def lines(name: str) -> tuple[str, ...]:
    """Return the lines of a file in `words/` that are neither blank nor comments."""
    text = (files(__package__) / "words" / name).read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line.strip() and not line.startswith("#"))


class Deck(Generic[T]):
    """Cards drawn at random; none comes twice before all have come once."""

    def __init__(self, cards: Sequence[T], rng: random.Random) -> None:
        self._cards = tuple(cards)
        self._rng = rng
        self._left: list[T] = []

    def draw(self) -> T:
        """Return the next card."""
        if not self._left:
            self._left = list(self._cards)
            self._rng.shuffle(self._left)
        return self._left.pop()


class Stock:
    """The frames of one tuple set: a deck for every section, so that its documents differ."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._decks: dict[tuple[str, str], Deck[str]] = {}

    def draw(self, name: str, section: str, slots: Mapping[str, str]) -> str:
        """Return the next frame of a section, filled."""
        return fill(self.frame(name, section), slots, self._rng)

    def frame(self, name: str, section: str) -> str:
        """Return the next frame of a section as it stands."""
        key = (name, section)
        if key not in self._decks:
            self._decks[key] = Deck(sections(name)[section], self._rng)
        return self._decks[key].draw()
