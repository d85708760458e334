"""Find names of cities, regions and airports in a text, and decide which place is meant.

A name alone is not enough: Reading, Nice and Florence have other meanings. It counts if the words
around it say that somebody or something is, goes or comes there, and if the text says which place
it is, or one place is much better known than the others.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from leadline.text.countries import CODES, country, folded
from leadline.types import Fact, FactRole
from leadline_facts.read.places.atlas import Atlas, Spot, key_of
from leadline_facts.read.places.gazetteer import Mention
from leadline_facts.words import patterns

_P = patterns("cities")
_BEFORE = re.compile(_P["before"])
# What ends a text that _BEFORE matches: told at once, where matching takes its time.
_LAST_WORD = re.compile(_P["last_word"], re.IGNORECASE)
_SITE = re.compile(_P["site"])
_AT_SITE = re.compile(_P["at_site"])
_FLOWN = re.compile(_P["flown"])
_AT = re.compile(r"\b(?:at|from|to|into|via|in|near|reached|leaving|left|through) $")
_AIR_TRAVEL = re.compile(_P["air_travel"], re.IGNORECASE)


def is_there(text: str, mention: Mention, spots: Iterable[Spot]) -> bool:
    """Tell whether the words around a name say that something is at a place."""
    before = text[max(0, mention.start - 60) : mention.start]
    is_site = _AT_SITE.search(before) and _SITE.match(text, mention.end)
    is_led = _LAST_WORD.search(before[-14:]) and _BEFORE.search(before)
    return bool(is_site or is_led or any(spot.kind == "airport" for spot in spots))


def is_flown(text: str, start: int, airports: Container[str]) -> bool:
    """Tell whether the words before a code of three letters are of somebody who flies there.

    airports  codes there are; one that another leads to is flown to: `ORD to CDG`
    """
    before = text[max(0, start - 45) : start]
    if flown := _FLOWN.search(before):
        return flown["from"] is None or flown["from"] in airports
    return bool(_AT.search(before) and _AIR_TRAVEL.search(text))


SURE = 0.9
"""Share of the weight of a name that the country of a place must have for it to be meant."""

_WITHIN = re.compile(_P["within"])
_LISTED = re.compile(r"(?:,| and|, and|,? then| or) (?:in |to )?$")
_CLOSED = re.compile(r"[,.;)]|$")
_CODE = re.compile(r"\b[A-Z]{3}\b")


_Area: TypeAlias = tuple[str, str]  # country code, and region or nothing


@dataclass(frozen=True, slots=True)
class Located:
    """A mention of a place that is meant to be where something is.

    level  city or region; empty for an airport
    """

    mention: Mention
    spot: Spot
    level: str


def located(
    atlas: Atlas, text: str, mentions: Sequence[Mention], told: Mapping[str, int]
) -> Iterator[Located]:
    """Yield those mentions of names in the atlas that say where something is.

    told  code of a country -> how often the text tells of it
    """
    last = -1
    for mention in mentions:
        spots = atlas.named[key_of(text[mention.start : mention.end])]
        areas, end = _within(atlas, text, mention.end)
        within = _inside(spots, areas)
        if areas and not within and _CLOSED.match(text, end):
            continue  # a place of that name which the atlas does not know
        listed = last >= 0 and _LISTED.fullmatch(text, last, mention.start)
        if within or listed or is_there(text, mention, spots):
            last = mention.end
            if spot := _meant(within or spots, bool(within), told):
                yield Located(mention, spot, _level(spots, spot))


def airports(atlas: Atlas, text: str) -> Iterator[Located]:
    """Yield the codes of airports that somebody flies from or to."""
    for match in _CODE.finditer(text):
        spot = atlas.airports.get(match[0])
        if spot and is_flown(text, match.start(), atlas.airports):
            yield Located(Mention(*match.span(), (), 1), spot, "")


def facts(text: str, place: Located, speaker: str, provider: str) -> Iterator[Fact]:
    """Yield the facts of a place: where it lies, and itself as stated."""
    mention, spot, level = place.mention, place.spot, place.level
    name, span = text[mention.start : mention.end], ((mention.start, mention.end),)
    about = f"{name} is {'a' if level else 'an'} {level or 'airport'} {'in' if level else 'of'}"
    found: list[tuple[str, Any, FactRole, float, str]] = []
    if level:
        found.append((level, {"name": name}, "stated", 0.8, f"{name} is named"))
    if level != "region" and not key_of(spot.name).startswith(key_of(name)):
        why = f"{name} is {spot.name}" if level else f"{about} {spot.name}"
        found.append(("city", {"name": spot.name}, "derived", 0.8, why))
    if spot.region and level == "city":
        found.append(("region", {"name": spot.region}, "derived", 0.75, f"{about} {spot.region}"))
    value = country(spot.code)
    found.append(("country", value, "derived", 0.7, f"{about} {value['name']}"))
    for kind, value, role, confidence, why in found:
        yield Fact(kind, value, speaker, role, confidence, span, why, provider)


def asked(atlas: Atlas, text: str, mention: Mention) -> tuple[str, str] | None:
    """Return level and name of the place that a query asks for, None where it asks for none."""
    spots = atlas.named[key_of(text[mention.start : mention.end])]
    best = _best(spots)
    if best is None or best.kind == "airport" or not is_there(text, mention, spots):
        return None
    return _level(spots, best), text[mention.start : mention.end]


def _within(atlas: Atlas, text: str, end: int) -> tuple[list[_Area], int]:
    """Return the areas that a name behind another may say it is in, and where it ends.

    `Paris, Texas`, `Lyon, France`, `Atlanta, Georgia`: none where no such name follows.
    """
    match = _WITHIN.match(text, end) if text.startswith((",", " in "), end) else None
    words = match["name"].rstrip(".").split() if match else []
    for size in range(len(words), 0, -1):
        name = " ".join(words[:size])
        areas = [(code, "") for code in (CODES.get(folded(name)),) if code]
        areas += [("US", state) for state in (atlas.states.get(name),) if state]
        regions = (spot for spot in atlas.named.get(key_of(name), ()) if spot.kind == "region")
        areas += [(spot.code, spot.name) for spot in regions]
        areas += [("US", name)] if name in atlas.states.values() else []
        if areas and match:
            return areas, match.start("name") + len(name)
    return [], end


def _inside(spots: Iterable[Spot], areas: Sequence[_Area]) -> list[Spot]:
    return [
        spot
        for spot in spots
        if any(spot.code == code and region in ("", spot.region) for code, region in areas)
    ]


def _meant(spots: Sequence[Spot], is_told: bool, told: Mapping[str, int]) -> Spot | None:
    """Return the place of a name that a text means, None where that is open.

    is_told  whether the text says in which country or region it is
    told     code of a country -> how often the text tells of it
    """
    best = _best(spots)
    if is_told or best is None or _share(spots, best) >= SURE:
        return best
    fitting = [spot for spot in spots if told.get(spot.code)]
    return _best(fitting) if len({spot.code for spot in fitting}) == 1 else None


def _best(spots: Iterable[Spot]) -> Spot | None:
    return max(
        spots, key=lambda spot: (spot.weight, spot.kind == "city", spot.region), default=None
    )


def _share(spots: Sequence[Spot], best: Spot) -> float:
    """Return how much of the weight of a name lies in the country of its best place, 0 to 1."""
    whole = sum(spot.weight for spot in spots)
    return sum(spot.weight for spot in spots if spot.code == best.code) / whole if whole else 1.0


def _level(spots: Sequence[Spot], spot: Spot) -> str:
    """Return whether a name is that of a city or a region; empty for an airport.

    New York is both, and the city is in the state: who says that he is there is in both.
    """
    regions = {each.name for each in spots if each.kind == "region"}
    is_both = any(each.kind == "city" and each.region in regions for each in spots)
    return "" if spot.kind == "airport" else "city" if is_both else spot.kind
