"""Conditions on the fields of a record: who directed a film, for what ages a book is.

A record's fields stand as lines before its text, `Director: Eva Lund`, and a value is broken by
another of the same field in the corpus.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from leadline.synthesis.conditions.choice import Condition
from leadline.synthesis.conditions.edits import CONTROL, Edit
from leadline.synthesis.pools import MOST_DOCUMENTS
from leadline.synthesis.tokens import content_tokens, tokens
from leadline.synthesis.uniqueness import is_met
from leadline.types import Corpus, Document

_SAID: dict[str, str] = {
    "director": "it was directed by {value}",
    "author": "it was written by {value}",
    "writer": "it was written by {value}",
    "cast": "{value} is in the cast",
    "actor": "{value} is in the cast",
    "country": "it comes from {value}",
    "release year": "it came out in {value}",
    "year": "it came out in {value}",
    "genre": "it is filed under {value}",
    "rating": "it is rated {value}",
    "theme": "one of its themes is {value}",
    "tone": "its tone is {value}",
    "age range": "it is for ages {value}",
    "specialty": "its specialty is {value}",
    "diagnosis": "the diagnosis is {value}",
    "language": "it is in {value}",
    "publisher": "it was published by {value}",
}
"""Name of a field, in the singular -> how a searcher states it; others are `its NAME is VALUE`."""
_WITH_THE = re.compile(r"(?:United|Soviet) |.*\b(?:Republic|Islands)$|Netherlands$|Philippines$")
"""Countries that take an article: `it comes from the Netherlands`."""
_LONGEST = 40  # characters of a value
_FEWEST = 4  # values that a field must have in the corpus to be exchanged
_MOST_VALUES = 2_000
_SEPARATOR = ", "


@dataclass(frozen=True)
class Fields:
    """Fields of records that conditions are made of, with what the corpus has for each."""

    names: tuple[str, ...]
    values: Mapping[str, tuple[str, ...]]

    def shown(self, document: Document) -> Document:
        """Return a document with its fields as lines before its text."""
        return replace(document, text="".join(_lines(document, self.names)) + document.text)

    def conditions(
        self, document: Document, stated: Sequence[Condition], *, most: int, rng: random.Random
    ) -> list[Condition]:
        """Return conditions on the fields of a document, with those on its text behind them.

        One value of a field is asked for. The last value that none asks for is kept for controls;
        without such a one no field is asked for.
        """
        places = _places(document, self.names)
        usable = [each for each in places if len(self.values.get(each.name, ())) >= _FEWEST]
        asked = list({each.name: each for each in reversed(usable)}.values())[::-1]
        spare = [each for each in usable if each not in asked] or asked[-1:]
        asked = [each for each in asked if each not in spare[-1:]]
        told = set(tokens(document.content))
        shift = sum(map(len, _lines(document, self.names)))
        found = [
            condition
            for each in asked
            if (condition := self._condition(each, spare[-1], places, told, rng)) is not None
        ]
        return [*found, *(_shifted(each, shift) for each in stated)][:most]

    def _condition(
        self,
        asked: _Place,
        spare: _Place,
        places: Sequence[_Place],
        told: set[str],
        rng: random.Random,
    ) -> Condition | None:
        held = {each.value.lower() for each in places}
        if is_met(content_tokens(asked.value), told, 1.0):
            return None  # without the field the text would say it still
        edit = self._exchange("name", asked, held, rng)
        control = self._exchange(CONTROL, spare, held, rng)
        second = self._exchange(CONTROL, spare, held, rng)
        if edit is None or control is None or second is None:
            return None
        said = _SAID.get(_singular(asked.name), "its {name} is {value}")
        article = "the " if said == _SAID["country"] and _WITH_THE.match(asked.value) else ""
        text = said.format(name=_singular(asked.name), value=f"{article}{asked.value}")
        return Condition(asked.start, asked.end, text, "clause", edit, (control, second))

    def _exchange(
        self, kind: str, place: _Place, held: set[str], rng: random.Random
    ) -> Edit | None:
        others = [
            each
            for each in self.values[place.name]
            if each.lower() not in held and not _overlap(each, place.value)
        ]
        if not others:
            return None
        return Edit(kind, place.start, place.end, place.value, rng.choice(others))


def _overlap(one: str, other: str) -> bool:
    """Tell whether two values are ranges of figures that share some: ages 3-7 and 3-5."""
    found = [_RANGE.fullmatch(each) for each in (one, other)]
    if not found[0] or not found[1]:
        return False
    (low, high), (least, most) = ([float(end) for end in each.groups()] for each in found if each)
    return low <= most and least <= high


_RANGE = re.compile(r"(\d{1,9})\s?[-–]\s?(\d{1,9})")


@dataclass(frozen=True)
class _Place:
    """A value of a field, and where it stands in a document with its fields."""

    name: str
    start: int
    end: int
    value: str


def fields_of(corpus: Corpus, names: Sequence[str]) -> Fields:
    """Count the values of fields, in at most 20,000 documents; each keeps its 2,000 commonest."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in names}
    for number, document in enumerate(corpus.values()):
        if number == MOST_DOCUMENTS:
            break
        for name in names:
            counts[name].update(_values(document, name))
    values = {
        name: tuple(value for value, _ in count.most_common(_MOST_VALUES))
        for name, count in counts.items()
    }
    return Fields(tuple(names), values)


def _values(document: Document, name: str) -> list[str]:
    """Return the values of a field; one that is too long to be asked for is none."""
    written = document.facets.get(name, "")
    parts = [each.strip() for each in written.split(_SEPARATOR)]
    return [each for each in parts if each and len(each) <= _LONGEST and "\n" not in each]


def _lines(document: Document, names: Sequence[str]) -> list[str]:
    return [
        f"{_label(name)}: {_SEPARATOR.join(values)}\n"
        for name in names
        if (values := _values(document, name))
    ]


def _places(document: Document, names: Sequence[str]) -> list[_Place]:
    found: list[_Place] = []
    start = 0
    for name in names:
        values = _values(document, name)
        place = start + len(f"{_label(name)}: ")
        for value in values:
            found.append(_Place(name, place, place + len(value), value))
            place += len(value) + len(_SEPARATOR)
        start += len(f"{_label(name)}: {_SEPARATOR.join(values)}\n") if values else 0
    return found


def _label(name: str) -> str:
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _singular(name: str) -> str:
    """Return the name of a field for one of its values: `countries`, `release_year`."""
    words = name.replace("_", " ").strip().lower()
    if words.endswith("ies"):
        return f"{words[:-3]}y"
    return words[:-1] if words.endswith("s") and not words.endswith(("ss", "us")) else words


def _shifted(condition: Condition, by: int) -> Condition:
    def moved(edit: Edit) -> Edit:
        return replace(edit, start=edit.start + by, end=edit.end + by)

    return replace(
        condition,
        start=condition.start + by,
        end=condition.end + by,
        edit=moved(condition.edit),
        controls=tuple(map(moved, condition.controls)),
    )
