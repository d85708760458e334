"""Which names in a text are cities, regions and airports of the atlas, and which of them is meant.

A name alone is little: Reading, Nice and Florence are other things too. It counts where the words
around it say that somebody or something is, goes or comes there, and where one place of the name is
so much better known than the others that it must be meant, or the text says which.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import cos, hypot, radians
from typing import TypeAlias

from leadline.enrichers.geography.atlas import Atlas, Spot, key_of
from leadline.enrichers.geography.city_cues import LARGE, is_flown, is_there
from leadline.enrichers.geography.countries import CODES, country
from leadline.enrichers.geography.gazetteer import Mention
from leadline.enrichers.words import patterns
from leadline.facts.values import folded
from leadline.types import Fact

SURE = 0.9
"""Share of the weight of a name that the country of a place must have for it to be meant."""

_NEAR = 200.0  # km
_SETTLED = frozenset(("US", "CA", "AU", "NZ", "ZA"))
_P = patterns("cities")
_WITHIN = re.compile(_P["within"])
_LISTED = re.compile(r"(?:,| and|, and|,? then| or) (?:in |to )?$")
_CLOSED = re.compile(r"[,.;)]|$")
_CODE = re.compile(r"\b[A-Z]{3}\b")


_Area: TypeAlias = tuple[str, str]  # country code, and region or nothing


@dataclass(frozen=True, slots=True)
class Located:
    """A mention of a place that is meant to be where something is; `spot` None where it is open.

    level  city or region, empty where both bear the name
    """

    mention: Mention
    spot: Spot | None
    level: str


def located(
    atlas: Atlas, text: str, mentions: Sequence[Mention], told: Mapping[str, int]
) -> Iterator[Located]:
    """Yield those mentions of names in the atlas that say where something is.

    told  code of a country -> how often the text tells of it
    """
    names = [atlas.named[key_of(text[each.start : each.end])] for each in mentions]
    anchors = [
        (mention, best)
        for mention, spots in zip(mentions, names, strict=True)
        if (best := _best(spots)) and _share(spots, best) > SURE
    ]
    last = -1
    for mention, spots in zip(mentions, names, strict=True):
        areas, end = _within(atlas, text, mention.end)
        within = _inside(spots, areas)
        if areas and not within and _CLOSED.match(text, end):
            continue  # a place of that name which the atlas does not know
        listed = last >= 0 and _LISTED.fullmatch(text, last, mention.start)
        if within or listed or is_there(text, mention, spots):
            last = mention.end
            spot = _meant(mention, spots, within, anchors, told)
            yield Located(mention, spot, _level(spots, spot) if spot else "")


def airports(atlas: Atlas, text: str) -> Iterator[Located]:
    """Yield the codes of airports that somebody flies from or to."""
    for match in _CODE.finditer(text):
        spot = atlas.airports.get(match[0])
        if spot and is_flown(text, match.start(), atlas.airports):
            yield Located(Mention(*match.span(), (), 1), spot, "")


def facts(text: str, place: Located, speaker: str, provider: str) -> Iterator[Fact]:
    """Yield the facts of a place: where it lies, and itself as stated."""
    mention, spot = place.mention, place.spot
    name, span = text[mention.start : mention.end], ((mention.start, mention.end),)
    if spot is None:
        if place.level:
            yield Fact(place.level, {"name": name}, speaker, "stated", 0.5, span,
                       f"{name} is named", provider)  # fmt: skip
        return
    if spot.kind == "airport":
        about = f"{name} is an airport of"
        yield Fact("city", {"name": spot.name}, speaker, "derived", 0.85, span,
                   f"{about} {spot.name}", provider)  # fmt: skip
    elif place.level:
        about = f"{name} is a {place.level} in"
        own = key_of(spot.name).startswith(key_of(name)) or place.level == "region"
        yield Fact(place.level, {"name": name}, speaker, "stated", 0.8, span,
                   f"{name} is named", provider)  # fmt: skip
        if not own:
            yield Fact("city", {"name": spot.name}, speaker, "derived", 0.8, span,
                       f"{name} is {spot.name}", provider)  # fmt: skip
    else:
        about = f"{name} is in"
    if spot.region and place.level == "city":
        yield Fact("region", {"name": spot.region}, speaker, "derived", 0.75, span,
                   f"{about} {spot.region}", provider)  # fmt: skip
    value = country(spot.code)
    yield Fact("country", value, speaker, "derived", 0.7, span, f"{about} {value['name']}",
               provider)  # fmt: skip


def asked(atlas: Atlas, text: str, mention: Mention) -> tuple[str, str] | None:
    """Return level and name of the place that a query asks for, None where it asks for none."""
    spots = atlas.named[key_of(text[mention.start : mention.end])]
    best = _best(spots)
    if best is None or best.kind == "airport" or not is_there(text, mention, spots):
        return None
    return _level(spots, best) or "city", text[mention.start : mention.end]


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


def _meant(
    mention: Mention,
    spots: Sequence[Spot],
    within: Sequence[Spot],
    anchors: Sequence[tuple[Mention, Spot]],
    told: Mapping[str, int],
) -> Spot | None:
    """Return the place of a name that a text means, None where that is open."""
    if within:
        return _best(within)
    best = _best(spots)
    if best is None:
        return None
    near = {
        spot.code: spot
        for spot in sorted(spots, key=lambda spot: spot.weight)
        for other, anchor in anchors
        if other is not mention and anchor.name != spot.name and _apart(spot, anchor) < _NEAR
    }
    if _share(spots, best) >= SURE:
        # Beside Toronto, London may be that of Ontario; and beside Wales, Cornwall is no Canadian
        # town: settlers took names along, some of which no city at home bears.
        others = {*near}
        if best.code in _SETTLED and best.weight < LARGE:
            others |= {*told, *(anchor.code for each, anchor in anchors if each is not mention)}
        fits = best.code in others or not others
        return best if fits else None
    if len(near) == 1:
        return next(iter(near.values()))
    fitting = [spot for spot in spots if told.get(spot.code)]
    if fitting and len({spot.code for spot in fitting}) == 1 and not near:
        return _best(fitting)
    return None


def _best(spots: Iterable[Spot]) -> Spot | None:
    return max(
        spots, key=lambda spot: (spot.weight, spot.kind == "city", spot.region), default=None
    )


def _share(spots: Sequence[Spot], best: Spot) -> float:
    """Return how much of the weight of a name lies in the country of its best place, 0 to 1."""
    whole = sum(spot.weight for spot in spots)
    return sum(spot.weight for spot in spots if spot.code == best.code) / whole if whole else 1.0


def _level(spots: Sequence[Spot], spot: Spot) -> str:
    """Return whether a name is that of a city or a region; empty where both are likely."""
    if spot.kind == "airport":
        return ""
    here = [each for each in spots if each.code == spot.code and each.kind != "airport"]
    whole = sum(each.weight for each in here)
    for level in ("city", "region"):
        some = [each for each in here if each.kind == level]
        if sum(each.weight for each in some) >= SURE * whole:
            return level
    regions = {each.name for each in here if each.kind == "region"}
    cities = [each for each in here if each.kind == "city" and each.region in regions]
    # New York is both, and the city is in the state: who says that he is there is in both.
    return "city" if cities and _best(cities) is _best(e for e in here if e.kind == "city") else ""


def _apart(one: Spot, other: Spot) -> float:
    """Return the distance in km, well enough for some hundred of them."""
    north = one.latitude - other.latitude
    east = (one.longitude - other.longitude) * cos(radians(one.latitude))
    return 111.2 * hypot(north, east)
