"""Names of places: half a million load in seconds, and the longest that stands in a text is found.

A table is a file of lines: name, tab, kind of place, tab, ISO 3166-1 country code and, where it has
them, tab, city, tab, region.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from leadline.enrichers.countries import VARIANTS
from leadline.errors import InputError
from leadline.fact_values import folded
from leadline.files.lines import decoded, opened, raw_lines


class Place(NamedTuple):
    """What a table knows of a name."""

    kind: str
    code: str
    city: str = ""
    region: str = ""


@dataclass(frozen=True, slots=True)
class Mention:
    """A name at text[start:end], and the places that bear it; `words` is how long the name is."""

    start: int
    end: int
    places: tuple[Place, ...]
    words: int


class Gazetteer:
    """Names of places and of countries; `digest` changes with the table.

    A name of the table is found whatever stands between its words, accents and the case of its
    small words aside. Memory holds a dictionary of the names (some 120 bytes a name).
    """

    def __init__(self, rows: Iterable[tuple[str, Place]] = (), digest: str = "") -> None:
        """Take in rows of name and place; those of countries are known already."""
        self.digest = digest
        self._names: dict[str, int] = {}
        self._lengths: dict[str, int] = {}
        self._places: list[tuple[Place, ...]] = []
        self._ids: dict[tuple[Place, ...], int] = {}
        for code, names in VARIANTS.items():
            for name in names:
                self._add(name, Place("country", code))
        for name, place in rows:
            self._add(name, place)

    def __len__(self) -> int:
        return len(self._names)

    def mentions(self, text: str) -> Iterator[Mention]:
        """Yield the longest names in a text, from left to right, none within another."""
        lengths, end = self._lengths, 0
        for match in _START.finditer(text):
            start = match.start()
            sizes = lengths.get(match[0].lower()) or lengths.get(folded(match[0]))
            if sizes and start >= end:
                found = self._longest(text, start, sizes)
                if found:
                    end = found.end
                    yield found

    def _longest(self, text: str, start: int, sizes: int) -> Mention | None:
        words: list[str] = []
        ends: list[int] = []
        last = -1
        for match in _WORD.finditer(text, start):
            if last >= 0 and not _joins(text, last, match.start(), words[-1]):
                break
            words.append(match[0])
            last = match.end()
            ends.append(last)
            if not sizes >> len(words):
                break
        for size in range(len(words), 0, -1):
            if sizes >> size & 1:
                code = self._names.get(folded(" ".join(words[:size])))
                if code is not None and _cased(words[:size], code & _MASK):
                    return Mention(start, ends[size - 1], self._places[code >> _BITS], size)
        return None

    def _add(self, name: str, place: Place) -> None:
        words = _WORD.findall(name)
        if len(words) > 1 and words[0].lower() == "the":
            del words[0]
        if not words or not 1 <= len(words) < _BITS:
            return
        key = folded(" ".join(words))
        places: tuple[Place, ...] = (place,)
        known = self._names.get(key)
        if known is not None:
            before = self._places[known >> _BITS]
            if place in before:
                return
            places = (*before, place)
        number = self._ids.get(places)
        if number is None:
            number = self._ids[places] = len(self._places)
            self._places.append(places)
        self._names[key] = number << _BITS | _case(words)
        first = key.partition(" ")[0]
        self._lengths[first] = self._lengths.get(first, 0) | 1 << len(words)


def read_gazetteer(path: str | Path) -> Gazetteer:
    """Read a table of places.

    Raises InputError that names file and line where a line has not the columns.
    """
    path = Path(path)
    digest = hashlib.blake2b(digest_size=6)
    with opened(path) as handle:
        gazetteer = Gazetteer(_rows(raw_lines(handle, path), path, digest))
    gazetteer.digest = digest.hexdigest()
    return gazetteer


def _rows(
    lines: Iterable[tuple[int, int, bytes]], path: Path, digest: hashlib.blake2b
) -> Iterator[tuple[str, Place]]:
    known: dict[tuple[str, ...], Place] = {}
    for number, _, line in lines:
        digest.update(line)
        name, *rest = (part.strip() for part in decoded(line, path, number).split("\t"))
        if len(rest) < 2 or len(rest[1]) != 2 or not rest[1].isalpha() or not name:
            if number == 1 and len(rest) >= 2:  # a line of column names
                continue
            raise InputError(
                f"{path}:{number}: not a place. Expected name, tab, kind of place, tab, two-letter "
                "country code."
            )
        key = tuple(rest[:4])
        place = known.get(key)
        if place is None:
            kind, code, *where = key
            place = known[key] = Place(kind, code.upper(), *where)
        yield name, place


_WORD = re.compile(r"[^\W_]+")
_START = re.compile(r"(?<![^\W_])[^\W_a-z][^\W_]*")
_GAP = re.compile(r"[ \t\u00a0\u202f]?[^\w\s;:!?•|]{0,2}\s?")
_BITS = 20
_MASK = (1 << _BITS) - 1
_SHOUTED = 1 << _BITS - 1
_LONGEST_ABBREVIATION = 3


def _joins(text: str, end: int, start: int, word: str) -> bool:
    """Tell whether two words can be parts of one name, by what stands between them."""
    if start - end == 1 and text[end] == " ":
        return True
    if not _GAP.fullmatch(text, end, start):
        return False
    closes = text[end] == "." and start - end > 1
    return not closes or len(word) <= _LONGEST_ABBREVIATION


def _case(words: list[str]) -> int:
    """Return a bit for every capitalised word, and one for a short name all in capitals."""
    mask = sum(1 << place for place, word in enumerate(words) if not word[0].islower())
    letters = "".join(words)
    return mask | (_SHOUTED if letters.isupper() and len(letters) <= 5 else 0)


def _cased(words: list[str], mask: int) -> bool:
    """Tell whether words are written as a name whose capitals are known.

    Long names are told by their words: there only the first need be a capital.
    """
    if mask & _SHOUTED:
        return all(word.isupper() or word.isdigit() for word in words)
    if len(words) > 2:
        return True
    return all(not (mask >> place & 1 and word[0].islower()) for place, word in enumerate(words))
