"""Find the longest place names in a text, from a table of up to half a million names.

A line of the table has, separated by tabs: name, kind of place, ISO 3166-1 country code, and
optionally city and region.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from leadline.data.jsonl import read_records
from leadline.data.lines import decoded, opened, raw_lines
from leadline.errors import InputError
from leadline.text.countries import CODES, VARIANTS, folded
from leadline_facts.wikidata import places_at


class Place(NamedTuple):
    """What a table knows of a name."""

    kind: str
    code: str
    city: str = ""
    region: str = ""


@dataclass(frozen=True, slots=True)
class Mention:
    """A name at text[start:end], and the places of the table that bear it.

    words   how long the name is
    places  none for a name that was only marked
    """

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

    def mark(self, names: Iterable[str]) -> None:
        """Find these names too, which say nothing of their places; those known stay as they are."""
        none = self._number(())
        for name in names:
            words = _WORD.findall(name)
            key = folded(" ".join(words))
            if words and len(words) < _BITS and key not in self._names:
                self._take(key, none, [word.capitalize() for word in words[:1]], len(words))

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
        self._take(key, self._number(places), words, len(words))

    def _number(self, places: tuple[Place, ...]) -> int:
        number = self._ids.get(places)
        if number is None:
            number = self._ids[places] = len(self._places)
            self._places.append(places)
        return number

    def _take(self, key: str, number: int, words: list[str], size: int) -> None:
        self._names[key] = number << _BITS | _case(words)
        first = key.partition(" ")[0]
        self._lengths[first] = self._lengths.get(first, 0) | 1 << size


def read_gazetteer(path: str | Path) -> Gazetteer:
    """Read a table of places.

    path  lines of name, kind, code, city and region with tabs between; or a dump of Wikidata
          (`.json`, `.json.gz` or `.json.bz2`), which is read once and its landmarks kept in the
          cache; or such landmarks as an export of Wikidata (`.jsonl`)

    Raises InputError that names file and line where a line has not the columns.
    """
    digest = hashlib.blake2b(digest_size=6)
    path = places_at(path)
    if path.name.endswith((".jsonl", ".jsonl.gz")):
        gazetteer = Gazetteer(_export(path, digest))
    else:
        with opened(path) as handle:
            gazetteer = Gazetteer(_rows(raw_lines(handle, path), path, digest))
    gazetteer.digest = digest.hexdigest()
    return gazetteer


def _export(path: Path, digest: hashlib.blake2b) -> Iterator[tuple[str, Place]]:
    for number, record in read_records(path):
        digest.update(json.dumps(record, sort_keys=True).encode("utf-8", "replace"))
        yield from _exported(record, f"{path}:{number}")


def _exported(record: Mapping[str, Any], at: str) -> Iterator[tuple[str, Place]]:
    """Yield the name of a landmark and its other names of several words."""
    if record.get("dropped_because"):
        return
    name, country = str(record.get("itemLabel", "")), str(record.get("countryLabel", ""))
    code = str(record.get("code") or CODES.get(folded(country), ""))
    if not name and not country:
        raise InputError(f"{at}: not a place of Wikidata. Expected itemLabel and countryLabel.")
    kinds = record.get("instanceOf") or ""
    kind = str(kinds[0] if isinstance(kinds, list) else kinds)
    if len(code) == 2 and not _MACHINE_MADE.match(name):
        place = Place(
            kind, code.upper(), str(record.get("city", "")), str(record.get("region", ""))
        )
        others = [each for each in record.get("aliases") or () if " " in str(each)]
        for each in (name, *others):
            yield str(each), place


_MACHINE_MADE = re.compile(r"$|[QL]\d+$|https?:")


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
