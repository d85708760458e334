"""From facts to sentences: writing numbers, drawing phrases, filling frames."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from random import Random
from string import Template
from typing import Generic, TypeVar

HERE = Path(__file__).parent
T = TypeVar("T")

WORDS_A_SENTENCE = 16


class Deck(Generic[T]):
    """Draws items in a random order and reuses none before all have been drawn."""

    def __init__(self, items: Sequence[T], random: Random) -> None:
        self._items = list(items)
        self._random = random
        self._left: list[T] = []

    def draw(self) -> T:
        """Return the next item, shuffling a fresh deck when the last one is spent."""
        if not self._left:
            self._left = list(self._items)
            self._random.shuffle(self._left)
        return self._left.pop()


class Words:
    """The decks of `words.txt` by name, and people whose full names are never repeated."""

    def __init__(self, random: Random) -> None:
        groups = read_groups(HERE / "words.txt")
        lists = {
            name: [word.strip() for word in " ".join(lines).split(";")]
            for name, lines in groups.items()
        }
        self._decks = {name: Deck(items, random) for name, items in lists.items()}
        first, last = lists["first_names"], lists["surnames"]
        self._people = Deck([f"{a} {b}" for a in first for b in last], random)

    def draw(self, name: str) -> str:
        """Return the next phrase of the list `name`."""
        return self._decks[name].draw()

    def person(self) -> str:
        """Return a full name that nobody else in the corpus has."""
        return self._people.draw()


@dataclass(frozen=True, slots=True)
class Story:
    """A text with the slots that its frames happened to use."""

    text: str
    used: frozenset[str]


class Frames:
    """The sentence frames of one kind of document, read from `frames/KIND.txt`.

    A group `opening` comes first; every `must` group gives one sentence, in any order; `may`
    groups join as long as the text is short enough.
    """

    def __init__(self, kind: str, random: Random) -> None:
        groups = read_groups(HERE / "frames" / f"{kind}.txt")
        self._decks = {name: Deck(lines, random) for name, lines in groups.items()}
        self._random = random

    def tell(self, slots: Mapping[str, str]) -> Story:
        """Return a text of 5 to 10 sentences in which every slot is filled.

        Raises KeyError where a frame names a slot that the record does not have.
        """
        body = self._order()
        limit = self._random.randint(88, 106)
        sentences: list[str] = []
        used: set[str] = set()
        for place, group in enumerate(["opening", *body]):
            so_far = " ".join(sentences)
            due = sum(later.startswith("must ") for later in body[place:])
            foreseen = len(so_far.split()) + WORDS_A_SENTENCE * due
            if group.startswith("may ") and foreseen > limit:
                continue
            here = dict(slots) | _short_names(slots, so_far)
            frame = self._fresh_frame(group, here, sentences)
            sentences.append(fill(frame, here))
            used.update(Template(frame).get_identifiers())
        return Story(" ".join(sentences), frozenset(used))

    def _order(self) -> list[str]:
        """Return the groups after the opening: as in the file, but each may drift a little."""
        drift = {
            group: place + self._random.uniform(0, 2.5)
            for place, group in enumerate(self._decks)
            if group != "opening"
        }
        return sorted(drift, key=drift.__getitem__)

    def _fresh_frame(self, group: str, slots: Mapping[str, str], sentences: Sequence[str]) -> str:
        """Draw a frame, once more if it would begin like the sentence before it."""
        frame = self._decks[group].draw()
        if sentences and fill(frame, slots).split()[0] == sentences[-1].split()[0]:
            frame = self._decks[group].draw()
        return frame


BY_FIRST_NAME = (
    "agent", "buyer", "companion", "cook", "customer", "finder", "guest", "mechanic", "support",
    "traveller",
)  # fmt: skip
BY_SURNAME = ("costar", "director", "donor", "maker", "professional", "restorer", "star")


def _short_names(slots: Mapping[str, str], so_far: str) -> dict[str, str]:
    """Return a shorter name for everybody named in full so far, unless it would fit two people."""
    names = {slot: slots[slot] for slot in (*BY_FIRST_NAME, *BY_SURNAME) if slot in slots}
    parts = Counter(part for name in names.values() for part in name.split(" ", 1))
    short = {slot: name.split(" ", 1)[slot in BY_SURNAME] for slot, name in names.items()}
    return {
        slot: part for slot, part in short.items() if names[slot] in so_far and parts[part] == 1
    }


def read_groups(path: Path) -> dict[str, list[str]]:
    """Return the lines of `path` by the heading `== name` above them."""
    groups: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            lines = groups.setdefault(line[3:], [])
        elif line:
            lines.append(line)
    return groups


def read_subjects(kind: str) -> list[list[str]]:
    """Return the fields of every line of `subjects/KIND.txt`."""
    text = (HERE / "subjects" / f"{kind}.txt").read_text(encoding="utf-8")
    return [line.split(" | ") for line in text.splitlines()]


def fill(frame: str, slots: Mapping[str, str]) -> str:
    """Return the frame with its slots filled and a capital at its start."""
    return capital(Template(frame).substitute(slots))


def capital(phrase: str) -> str:
    """Return the phrase with its first letter in upper case."""
    return phrase[:1].upper() + phrase[1:]


def lower(phrase: str) -> str:
    """Return the phrase with its first letter in lower case."""
    return phrase[:1].lower() + phrase[1:]


def money(cents: int) -> str:
    """Return an amount in euros: `€1,250`, `€42.50`."""
    return f"€{cents // 100:,}" + (f".{cents % 100:02d}" if cents % 100 else "")


def day(value: date) -> str:
    """Return a date as `14 March 2025`."""
    return f"{value.day} {value:%B} {value.year}"


def clock(minutes: int) -> str:
    """Return minutes after midnight as `19:30`."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def count(number: int, noun: str) -> str:
    """Return a number with its noun in the right form: `1 night`, `3 nights`."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def span(minutes: int) -> str:
    """Return a length of time: `45 minutes`, `2 hours`, `1 hour and 10 minutes`."""
    hours, rest = divmod(minutes, 60)
    parts = [count(hours, "hour")] if hours else []
    parts += [count(rest, "minute")] if rest or not hours else []
    return " and ".join(parts)


def wait(days: int) -> str:
    """Return a number of days, in weeks where that comes out even."""
    return count(days // 7, "week") if days % 7 == 0 else count(days, "day")


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text that was made from frames."""
    return re.split(r"(?<=[.!?]) (?=\S)", text)
