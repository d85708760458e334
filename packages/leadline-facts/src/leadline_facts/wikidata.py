"""Read landmarks of some kinds from a dump of Wikidata, with country, surroundings and aliases."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import tempfile
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import IO, Any, TypeAlias

from leadline import progress
from leadline.data.cache import cache_folder
from leadline.data.digests import is_whole, seal
from leadline.data.lines import checked_file, opened, raw_lines
from leadline.data.writing import atomic_file, file_name
from leadline.errors import InputError
from leadline_facts.words import rows

KINDS, BEYOND = (
    {kind: int(number) for each, kind, number in rows("wikidata_kinds") if each == which}
    for which in ("asked", "beyond")
)
"""Kind -> number of the item that an instance must be an instance of, directly or not. Those beyond
tell a country too, where they are known in several languages; the first counts."""

_LEAST_KNOWN = 5
_CITIES = (515, 3957)
_FIRST_LEVEL = 10864048
_INSTANCE, _SUBCLASS, _COUNTRY, _CODE = "P31", "P279", "P17", "P297"
_SURROUNDINGS = {"adminEntityLabel": "P131", "locationLabel": "P276", "streetNameLabel": "P669"}
_VERSION = 2
_ID = re.compile(rb'.{0,40}?"id":"Q(\d{1,10})"')
_NUMBER = re.compile(r"[0-9]{1,10}")
_LANGUAGES = ("en", "mul", "en-gb")
_BLOCK = 10_000

Entity: TypeAlias = Mapping[str, Any]


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


def is_dump(path: str | Path) -> bool:
    """Tell whether a file is an array in JSON, plain or packed, as a dump of Wikidata is."""
    path = Path(path)
    if not path.name.endswith((".json", ".json.gz", ".json.bz2")) or not path.is_file():
        return False
    with opened(path) as handle:
        return handle.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")


def places_at(path: str | Path) -> Path:
    """Return the file of the places of a dump, and any other file as it is."""
    return places_of_dump(path) if is_dump(path) else Path(path)


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
    if not is_whole(made):
        with atomic_file(made) as out:
            for row in places(path):
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
        seal(made)
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
    for number, line in _entity_lines(path, "Classes and places"):
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
    for _, line in _entity_lines(path, "Names of regions and cities"):
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


def _entity_lines(path: Path, label: str) -> Iterator[tuple[int, bytes]]:
    """Yield number and bytes of each line that should hold an entity, without its comma."""
    with opened(path) as handle:
        lines = raw_lines(handle, path)
        blocks = iter(lambda: list(islice(lines, _BLOCK)), [])
        for block in progress.track(blocks, f"{label} ({_BLOCK:,} entities)"):
            for number, _, line in block:
                line = line.strip(b" \t\r\n,")
                if line not in (b"", b"[", b"]", b"[]"):
                    yield number, line


def parsed(line: bytes) -> Entity | None:
    """Return the entity of a line, None where the line holds none."""
    try:
        entity = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return entity if isinstance(entity, dict) and isinstance(entity.get("id"), str) else None


def number_of(line: bytes) -> int | None:
    """Return the number of an item as its line names it early on, None where it does not."""
    match = _ID.match(line)
    return int(match[1]) if match else None


def label_of(entity: Entity) -> str:
    """Return the English label, or the one for all languages; empty where there is neither."""
    return next((each for each in _texts(entity, "labels") if each), "")


def aliases_of(entity: Entity) -> list[str]:
    """Return the other English names."""
    return list(dict.fromkeys(_texts(entity, "aliases")))


def items(entity: Entity, of: str) -> list[int]:
    """Return the numbers of the items in the best statements of a property, as `wdt:` has them.

    Those are the preferred ones, where there are any, else the normal ones.
    """
    found: dict[int, None] = {}
    for value in _values(entity, of):
        if isinstance(value, dict):
            number = value.get("numeric-id") or str(value.get("id", "")).removeprefix("Q")
            if _NUMBER.fullmatch(str(number)) and int(number) < 1 << 32:
                found[int(number)] = None
    return list(found)


def text(entity: Entity, of: str) -> str:
    """Return the text of the first of the best statements of a property, empty without one."""
    return next((value for value in _values(entity, of) if isinstance(value, str)), "")


def _values(entity: Entity, of: str) -> list[Any]:
    claims = entity.get("claims")
    statements = claims.get(of) if isinstance(claims, dict) else None
    by_rank: dict[str, list[Any]] = {}
    for statement in statements if isinstance(statements, list) else ():
        try:
            value = statement["mainsnak"]["datavalue"]["value"]
        except (KeyError, TypeError):  # some value, or no value
            continue
        by_rank.setdefault(str(statement.get("rank", "normal")), []).append(value)
    return by_rank.get("preferred") or by_rank.get("normal") or []


def _texts(entity: Entity, what: str) -> Iterator[str]:
    given = entity.get(what)
    by_language = given if isinstance(given, dict) else {}
    for language in _LANGUAGES:
        found = by_language.get(language, ())
        for each in found if isinstance(found, list | tuple) else (found,):
            value = each.get("value") if isinstance(each, dict) else None
            if isinstance(value, str):
                yield " ".join(value.split())
