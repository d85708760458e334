"""Tuple sets of landmarks and countries, and the tables that landmarks come from."""

from __future__ import annotations

import csv
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from leadline.data.jsonl import read_records
from leadline.data.wikidata import is_dump
from leadline.data.wikidata_places import places_of_dump
from leadline.errors import InputError

COSINE_LIMIT = 0.25
"""A name as close as this to the name of its country gives the country away."""

Countries = Mapping[str, Sequence[str]]
"""ISO 3166-1 alpha-2 code -> names and adjectives of the country, the short name first."""

_CLASSES = {
    "museum": re.compile(r"museum|galler"),
    "university": re.compile(r"universit|college|institut"),
    "church": re.compile(r"church|cathedral|chapel|basilica|abbey|monastery"),
    "venue": re.compile(r"venue|theat|cinema|stadium|arena|hall|cent(?:er|re)|zoo|club|auditorium"),
    "landmark": re.compile(r"landmark|library|monument|tower|palace|temple|bridge|garden|park"),
}
_FIELDS = {
    "name": ("itemLabel", "name", "label", "landmark"),
    "country": ("countryLabel", "country", "country_code", "code"),
    "kind": ("instanceOf", "instanceOfLabel", "kind", "type"),
    "score": ("score", "cosine"),
}
_LOCATIONS = ("adminEntityLabel", "cityLabel", "locationLabel", "streetNameLabel",
              "region", "city", "location", "street")  # fmt: skip
_MACHINE_MADE = re.compile(r"[QL]\d+$|https?:|\d{4,}")
_GENERIC_TOKENS = {"the", "of", "and", "saint", "st", "san", "de", "la", "new", "park", "city"}
_ARTICLE_STARTS = (
    "Museum", "Church", "University", "Cathedral", "Chapel", "Palace", "National ", "Royal ",
    "Temple", "House of", "Temple of", "Amphitheatre", "Hill of", "Basilica", "Abbey", "Gallery",
)  # fmt: skip
_ARTICLE_ENDS = (
    "Museum", "Gallery", "Theatre", "Theater", "Cinema", "Observatory", "Center", "Centre",
    "Institute", "Auditorium", "Towers", "Fountain", "Gate", "Library", "Storehouse", "Gardens",
    "Memorial", "Dam", "Palace", "Tower", "Bastion", "Army", "Mosque", "Pagoda", "Monastery",
    "Treasury", "Shrine", "Mermaid", "Mine", "Caves", "Arena",
)  # fmt: skip


@dataclass(frozen=True)
class Place:
    """A landmark in one country.

    code   of the country, ISO 3166-1 alpha-2
    clues  words that would give its country away: names, adjectives, region, city, street
    """

    name: str
    code: str
    country: str
    clues: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """The places of a table that can be used, and how many were not, by reason."""

    places: tuple[Place, ...]
    dropped: Mapping[str, int]


def read_places(path: str | Path | None, countries: Countries) -> Table:
    """Return the places of a table, without those that are ambiguous or give the country away.

    path  `.jsonl[.gz]` or `.csv`/`.tsv` with a header whose fields are named as in an export of
          Wikidata (itemLabel, countryLabel, instanceOf, adminEntityLabel, ...); the `.json` of
          a SPARQL endpoint; a dump of Wikidata (`.json`, `.json.gz` or `.json.bz2`), which is
          read once and its places kept in the cache; or `.tsv` without a header: name, kind,
          country code. None is our own table of well-known places.

    A place is dropped when its name is missing, machine-made, given twice in several countries,
    shares a word with its region, city, location or street, names a country, or is too close to
    its country's name (`score`, a cosine, where the table has one); when a column of a
    classifier calls it generic or revealing; when its country is unknown; and when its kind is
    none or several of museum, university, church, venue and landmark.

    Raises InputError when the table cannot be read or no place is left.
    Source: ImpliRet, appendix A.2; its web check is left to the user.
    """
    codes = {name.casefold(): code for code, names in countries.items() for name in names}
    dropped: Counter[str] = Counter()
    found: dict[str, Place] = {}
    elsewhere: set[str] = set()
    for row in _rows(path):
        place, reason = _checked(row, codes, countries)
        if place is None:
            dropped[reason] += row["count"] if "dropped_because" in row and "count" in row else 1
            continue
        earlier = found.setdefault(place.name.casefold(), place)
        if earlier.code != place.code:
            elsewhere.add(place.name.casefold())
        elif earlier is not place:
            dropped["given twice"] += 1
    dropped["in several countries"] += len(elsewhere)
    places = tuple(place for key, place in found.items() if key not in elsewhere)
    if not places:
        reasons = ", ".join(f"{count} {reason}" for reason, count in dropped.most_common())
        raise InputError(f"{path}: no usable place ({reasons or 'the table is empty'}).")
    return Table(places, {reason: count for reason, count in sorted(dropped.items()) if count})


def draw_places(places: Sequence[Place], size: int, rng: random.Random) -> list[Place]:
    """Return a tuple set: distinct countries, one landmark of each.

    Raises InputError when the places lie in fewer countries.
    Source: ImpliRet, appendix A.2.
    """
    by_country: dict[str, list[Place]] = {}
    for place in places:
        by_country.setdefault(place.code, []).append(place)
    if size > len(by_country):
        raise InputError(
            f"The places lie in {len(by_country)} countries, too few for sets of {size}. "
            "Ask for fewer --tuples or give a larger --places table."
        )
    return [rng.choice(by_country[code]) for code in rng.sample(sorted(by_country), size)]


def with_the(name: str) -> str:
    """Return the name of a place, with "the" where English usually has it."""
    if re.match(r"(?i)the\b", name):
        return f"the {name[4:]}"
    if "’s " in name or "'s " in name or re.match(r"St\b|Saint\b|San\b|Le |La |El |Al-", name):
        return name
    if name.startswith(_ARTICLE_STARTS) or name.endswith(_ARTICLE_ENDS):
        return f"the {name}"
    return name


def country_in_sentence(country: str) -> str:
    """Return "the Netherlands" for Netherlands."""
    plural = re.search(r"United |Netherlands$|Philippines$| Islands$|Republic|Bahamas|Maldives",
                       country)  # fmt: skip
    return f"the {country}" if plural else country


_LONGEST_NAME = 100


def _checked(
    row: Mapping[str, Any], codes: Mapping[str, str], countries: Countries
) -> tuple[Place | None, str]:
    if row.get("beyond"):
        return None, "of another kind"
    if row.get("dropped_because"):
        return None, str(row["dropped_because"])
    name, code = _field(row, "name"), _code(row, codes, countries)
    if not name or _MACHINE_MADE.match(name):
        return None, "without a name"
    if len(name) > _LONGEST_NAME or not name.isprintable() or set(name) & set("<>{}$:"):
        return None, "without a plain name"  # it goes into prompts as it stands
    if not code:
        return None, "in an unknown country"
    locations = [each for key in _LOCATIONS for each in _several(row.get(key))]
    names = countries[code]
    if _tokens(name) & {token for each in locations for token in _tokens(each)}:
        return None, "named like its surroundings"
    clues = tuple(dict.fromkeys(each for each in [*names, *locations] if len(each) > 1))
    if any(re.search(rf"(?<!\w){re.escape(each)}(?!\w)", name) for each in clues):
        return None, "named like its country"
    if _too_close(row) or _called_revealing(row):
        return None, "judged generic or revealing"
    if not _of_one_class(_field(row, "kind")):
        return None, "of another kind"
    return Place(name, code, names[0], clues), ""


def _code(row: Mapping[str, Any], codes: Mapping[str, str], countries: Countries) -> str:
    for label in (str(row.get("code") or ""), _field(row, "country")):
        if label.upper() in countries or label.casefold() in codes:
            return label.upper() if label.upper() in countries else codes[label.casefold()]
    return ""


def _field(row: Mapping[str, Any], what: str) -> str:
    for key in _FIELDS[what]:
        value = row.get(key)
        if value:
            return ", ".join(map(str, value)) if isinstance(value, list) else str(value).strip()
    return ""


def _several(value: object) -> list[str]:
    return [str(each) for each in (value if isinstance(value, list) else [value]) if each]


def _tokens(name: str) -> set[str]:
    return set(re.findall(r"\w+", name.casefold())) - _GENERIC_TOKENS


def _too_close(row: Mapping[str, Any]) -> bool:
    try:
        return float(_field(row, "score") or 0) >= COSINE_LIMIT
    except ValueError:
        return False


def _called_revealing(row: Mapping[str, Any]) -> bool:
    generic = str(row.get("LLM_GS_Clf") or "Specific").casefold()
    hint = str(row.get("LLM_Hint_Clf") or "No Hint").casefold()
    return generic != "specific" or hint != "no hint"


def _of_one_class(kind: str) -> bool:
    if not kind:
        return True
    kinds = [each for each in re.split(r",\s*", kind.casefold()) if each]
    if any(re.search(r"ship|exhibition|online|organi[sz]ation|former|destroyed", k) for k in kinds):
        return False
    return len({_class_of(each) for each in kinds} - {""}) == 1


def _class_of(kind: str) -> str:
    return next((name for name, pattern in _CLASSES.items() if pattern.search(kind)), "")


def _rows(path: str | Path | None) -> Iterator[Mapping[str, Any]]:
    if path is None:
        text = (files(__package__) / "words" / "landmarks.tsv").read_text(encoding="utf-8")
        yield from _plain_rows([line for line in text.splitlines() if not line.startswith("#")])
        return
    path = Path(path)
    if not path.is_file():
        raise InputError(f"There is no table of places {path}.")
    if is_dump(path):
        path = places_of_dump(path)
    if path.name.endswith((".jsonl", ".jsonl.gz")):
        yield from (record for _, record in read_records(path))
        return
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8. Save the table as UTF-8.") from error
    if path.suffix == ".json":
        yield from _sparql_rows(text, path)
        return
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    try:
        yield from _table_rows(lines, path)
    except csv.Error as error:
        raise InputError(f"{path}: no table of places ({error}).") from error


def _table_rows(lines: Sequence[str], path: Path) -> Iterator[Mapping[str, Any]]:
    delimiter = "," if path.suffix == ".csv" else "\t"
    header = next(csv.reader(lines[:1], delimiter=delimiter), [])
    if set(header) & set(_FIELDS["name"]):
        yield from csv.DictReader(lines, delimiter=delimiter)
    elif delimiter == "\t":
        yield from _plain_rows(lines)
    else:
        raise InputError(
            f"{path}:1: no column {' or '.join(_FIELDS['name'])} (found: {', '.join(header)})."
        )


def _plain_rows(lines: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    for line in lines:
        name, kind, code = (*line.split("\t"), "", "")[:3]
        yield {"name": name, "kind": kind, "code": code}


def _sparql_rows(text: str, path: Path) -> Iterator[Mapping[str, Any]]:
    try:
        bindings = json.loads(text)["results"]["bindings"]
        rows = [{key: cell["value"] for key, cell in row.items()} for row in bindings]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"{path} is not the JSON of a SPARQL endpoint (results, bindings, value)."
        ) from error
    yield from rows
