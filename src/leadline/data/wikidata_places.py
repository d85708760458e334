"""Landmarks from a dump of Wikidata: of one kind, with country, surroundings and other names."""

from __future__ import annotations

import gzip
import hashlib
import json
import tempfile
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from leadline import progress
from leadline.data.cache import cache_folder
from leadline.data.lines import checked_file
from leadline.data.sealing import is_whole_file, seal_file
from leadline.data.wikidata import (
    Entity,
    aliases_of,
    entity_lines,
    items,
    label_of,
    number_of,
    parsed,
    text,
)
from leadline.data.writing import atomic_file, file_name
from leadline.errors import InputError

KINDS: Mapping[str, int] = {
    "museum": 33506,
    "university": 3918,
    "church building": 16970,
    "venue": 17350442,
    "landmark": 2319498,
}
"""Kind -> number of the item that an instance must be an instance of, directly or not."""

BEYOND: Mapping[str, int] = {
    "neighbourhood": 123705,
    "square": 174782,
    "street": 79007,
    "park": 22698,
    "river": 4022,
    "lake": 23397,
    "mountain": 8502,
    "island": 23442,
    "rapid transit": 5503,
    "legislature": 11204,
    "government agency": 327333,
    "attraction": 570116,
    "building": 811979,
}
"""Further kinds that tell a country too, for those known in several languages; the first counts."""

_LEAST_KNOWN = 5
_CITIES = (515, 3957)
_FIRST_LEVEL = 10864048
_INSTANCE, _SUBCLASS, _COUNTRY, _CODE = "P31", "P279", "P17", "P297"
_SURROUNDINGS = {"adminEntityLabel": "P131", "locationLabel": "P276", "streetNameLabel": "P669"}
_VERSION = 2


@dataclass
class _First:
    """What the first pass collects; 8 bytes for every statement that something is a subclass."""

    children: array[int] = field(default_factory=lambda: array("I"))
    parents: array[int] = field(default_factory=lambda: array("I"))
    countries: dict[int, tuple[str, str]] = field(default_factory=dict)
    entities: int = 0
    broken: int = 0
    broken_at: int = 0

    def below(self, *roots: int) -> set[int]:
        """Return the classes whose chain of superclasses holds one of the roots, them included."""
        found, before = set(roots), 0
        while len(found) > before:
            before = len(found)
            for child, parent in zip(self.children, self.parents, strict=True):
                if parent in found:
                    found.add(child)
        return found


def places_of_dump(path: str | Path) -> Path:
    """Return the file of the places that a dump holds, made when asked for the first time.

    It is JSON Lines with the fields of an export of Wikidata (itemQ, itemLabel, aliases,
    countryLabel, code, instanceOf, adminEntityLabel, locationLabel, streetNameLabel, and city and
    region where a direct location is one), and lies in the cache; a line with `dropped_because`
    says instead why a place, or how many lines, cannot be used. Places of kinds `BEYOND` that
    have articles in 5 wikis or more are marked `beyond`.

    Raises InputError when the dump cannot be read or holds no such place.
    """
    path = Path(path)
    made = cache_folder("wikidata") / file_name(f"{path.name}-{_fingerprint(path)}.jsonl")
    if not is_whole_file(made):
        with atomic_file(made) as out:
            for row in places(path):
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
        seal_file(made)
        progress.say(f"The places of {path.name} are kept in {made}.")
    return made


def places(path: str | Path, kinds: Mapping[str, int] = KINDS) -> Iterator[dict[str, Any]]:
    """Yield the places of a dump as rows, see `places_of_dump`, after two passes over it.

    kinds  kind -> number of an item. A place that is of two kinds, none of which is below the
           other, is dropped, and so is one in none or several countries

    Memory grows with the subclasses (8 bytes each) and the places that are kept, not with the
    dump; the instances with a country lie packed in a temporary file.

    Raises InputError when the dump cannot be read or holds no such place.
    """
    path = Path(path)
    with tempfile.TemporaryFile() as candidates, tempfile.TemporaryFile() as kept:
        with gzip.open(candidates, "wb", compresslevel=1) as out:
            first = _first_pass(path, out)
        candidates.seek(0)
        wanted: set[int] = set()
        with gzip.open(candidates) as rows:
            for row in _of_one_kind(rows, first, kinds):
                kept.write(json.dumps(row).encode() + b"\n")
                wanted.update(row["countries"], *row["where"].values())
        if not kept.tell():
            raise InputError(f"{path}: no {', '.join(kinds)} among {first.entities} entities.")
        kept.seek(0)
        labels = _labels(path, wanted, first)
        for line in kept:
            yield _row(json.loads(line), labels, first)
    if first.broken:
        reason = f"not an entity in JSON (the first on line {first.broken_at})"
        yield {"dropped_because": reason, "count": first.broken}


def _first_pass(path: Path, out: gzip.GzipFile) -> _First:
    first = _First()
    for number, line in entity_lines(path, "Classes and places"):
        placed = b'"P31"' in line and b'"P17"' in line
        if not (placed or b'"P279"' in line or b'"P297"' in line):
            # Most of the dump: that a line is whole is told by its ends.
            entity: Entity | None = {} if line[:1] == b"{" and line[-1:] == b"}" else None
        else:
            entity = parsed(line)
        if entity is None:
            first.broken += 1
            first.broken_at = first.broken_at or number
            continue
        first.entities += 1
        item = str(entity.get("id", ""))
        if not _is_item(item):
            continue
        for parent in items(entity, _SUBCLASS):
            first.children.append(int(item[1:]))
            first.parents.append(parent)
        if code := text(entity, _CODE):
            first.countries[int(item[1:])] = code, label_of(entity)
        if placed and (classes := items(entity, _INSTANCE)):
            row = _candidate(entity, classes)
            out.write(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
    if not first.entities:
        raise InputError(
            f"{path}: no entity of Wikidata on any line. Expected the JSON dump, one a line."
        )
    return first


def _is_item(name: str) -> bool:
    return name[:1] == "Q" and name[1:].isdecimal() and len(name) <= 10


def _candidate(entity: Entity, classes: list[int]) -> dict[str, Any]:
    links = entity.get("sitelinks")
    return {
        "id": entity["id"],
        "label": label_of(entity),
        "aliases": aliases_of(entity),
        "classes": classes,
        "countries": items(entity, _COUNTRY),
        "articles": len(links) if isinstance(links, dict | list) else 0,
        "where": {name: items(entity, of) for name, of in _SURROUNDINGS.items()},
    }


def _of_one_kind(
    rows: gzip.GzipFile, first: _First, kinds: Mapping[str, int]
) -> Iterator[dict[str, Any]]:
    """Yield the rows that are of a kind, with `dropped_because` where they are of several."""
    below = {kind: first.below(root) for kind, root in kinds.items()}
    above = {
        kind: {other for other in kinds if other != kind and root in below[other]}
        for kind, root in kinds.items()
    }
    further = {kind: first.below(root) for kind, root in BEYOND.items()}
    for line in rows:
        row = json.loads(line)
        found = {kind for kind in kinds if not below[kind].isdisjoint(row["classes"])}
        found -= {other for kind in found for other in above[kind]}
        if found:
            yield row | {"kinds": sorted(found)}
        elif row["articles"] >= _LEAST_KNOWN:
            for kind, classes in further.items():
                if not classes.isdisjoint(row["classes"]):
                    yield row | {"kinds": [kind], "beyond": True}
                    break


@dataclass(frozen=True)
class _Label:
    text: str
    level: str = ""


def _labels(path: Path, wanted: set[int], first: _First) -> dict[int, _Label]:
    """Return the labels of countries and surroundings, from a second pass."""
    cities, regions = first.below(*_CITIES), first.below(_FIRST_LEVEL)
    found = {}
    for _, line in entity_lines(path, "Names of regions and cities"):
        number = number_of(line)
        if number is not None and number not in wanted:
            continue
        entity = parsed(line)
        if entity is None or not _is_item(entity["id"]):
            continue
        number = int(entity["id"][1:])
        if number in wanted:
            classes = items(entity, _INSTANCE)
            level = "city" if not cities.isdisjoint(classes) else ""
            level = level or ("region" if not regions.isdisjoint(classes) else "")
            found[number] = _Label(label_of(entity), level)
    return found


def _row(kept: dict[str, Any], labels: Mapping[int, _Label], first: _First) -> dict[str, Any]:
    row: dict[str, Any] = {"itemQ": kept["id"], "itemLabel": kept["label"]}
    if kept.get("beyond"):
        row["beyond"] = True
    if len(kept["kinds"]) > 1:
        return {**row, "dropped_because": "of several kinds"}
    if len(kept["countries"]) != 1:
        return {**row, "dropped_because": "in several countries" if kept["countries"] else
                "in an unknown country"}  # fmt: skip
    (country,) = kept["countries"]
    code, name = first.countries.get(country, ("", ""))
    row |= {"countryLabel": name or _label(labels, country), "code": code}
    row |= {"instanceOf": kept["kinds"], "aliases": kept["aliases"]}
    for field_name, numbers in kept["where"].items():
        row[field_name] = [name for each in numbers if (name := _label(labels, each))]
    for level in ("city", "region"):
        named = {
            labels[each].text
            for numbers in kept["where"].values()
            for each in numbers
            if each in labels and labels[each].level == level
        }
        row[level] = named.pop() if len(named) == 1 else ""
    return row


def _label(labels: Mapping[int, _Label], number: int) -> str:
    return labels[number].text if number in labels else ""


def _fingerprint(path: Path) -> str:
    """Return 16 hex digits of a dump's beginning, end, size and time, and of this reader."""
    try:
        told = checked_file(path)
        with path.open("rb") as handle:
            ends = _ends(handle, told.st_size)
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error.strerror or error}.") from error
    content = f"{_VERSION} {told.st_size} {told.st_mtime_ns} ".encode() + ends
    return hashlib.blake2b(content, digest_size=8).hexdigest()


def _ends(handle: IO[bytes], size: int) -> bytes:
    start = handle.read(1 << 16)
    handle.seek(max(0, size - (1 << 16)))
    return start + handle.read()
