"""The rules over a small atlas of ours; the one of the packages is in test_atlas."""

import pytest

from leadline.types import Document
from leadline_facts import places
from leadline_facts.read.places.atlas import Atlas, Spot
from tables import each_row

LONDON = Spot("city", "London", "GB", "England", 9e9)
LONDON_ONTARIO = Spot("city", "London", "CA", "Ontario", 4e7)
TORONTO = Spot("city", "Toronto", "CA", "Ontario", 3e9)
SEOUL = Spot("airport", "Seoul", "KR", "", 2e9)
ATLAS = Atlas(
    "1",
    {
        "london": [LONDON, LONDON_ONTARIO],
        "toronto": [TORONTO],
        "ontario": [Spot("region", "Ontario", "CA", "Ontario", 9e9)],
        "reading": [
            Spot("city", "Reading", "US", "Pennsylvania", 1.2e6),
            Spot("city", "Reading", "GB", "England", 1e6),
        ],
        "nice": [Spot("city", "Nice", "FR", "", 1.6e7)],
        "saigon": [Spot("city", "Ho Chi Minh City", "VN", "", 1e9)],
        "florence": [Spot("city", "Florence", "IT", "Tuscany", 1.5e7)],
        "prague": [Spot("city", "Prague", "CZ", "", 9e8)],
        "new york": [
            Spot("region", "New York", "US", "New York", 1.2e9),
            Spot("city", "New York City", "US", "New York", 9e8),
        ],
        "incheon airport": [SEOUL],
    },
    {"ICN": SEOUL, "SAP": Spot("airport", "La Mesa", "HN", "", 3e6)},
    {"PA": "Pennsylvania"},
)


@pytest.fixture(autouse=True)
def _small_atlas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "world", lambda: ATLAS)


def derived(text: str, table: str = "") -> list[str]:
    ((_, found),) = places.build(table=table).facts([Document("d", text)])
    return [
        each.value.get("code") or each.value["name"] for each in found if each.role == "derived"
    ]


def test_a_named_city_is_stated_and_its_region_and_country_follow() -> None:
    ((_, found),) = places.build().facts([Document("d", "We live in London now.")])
    assert [(each.role, each.kind) for each in found] == [
        ("stated", "city"), ("derived", "region"), ("derived", "country"),
    ]  # fmt: skip
    assert found[2].derivation == "London is a city in United Kingdom"


@each_row
def test_words_of_place_and_travel_make_a_name_a_place(text: str) -> None:
    assert derived(text) == ["CZ"]


@each_row
def test_a_name_that_is_another_thing_or_where_nobody_is_gives_nothing(text: str) -> None:
    assert derived(text) == []


def test_a_name_of_several_places_is_open_where_none_is_much_better_known() -> None:
    # Reading: 1.2 of 2.2 million is in the United States, less than nine tenths.
    assert derived("We live in Reading.") == []


def test_a_region_or_country_behind_a_name_decides() -> None:
    assert derived("We live in Reading, PA.") == ["Pennsylvania", "US"]
    assert derived("We live in Reading, England.") == []  # this atlas has no region of that name
    assert derived("We live in London, Ontario.") == ["Ontario", "CA", "CA"]


def test_a_name_of_city_and_state_is_the_city_in_the_state() -> None:
    ((_, found),) = places.build().facts([Document("d", "She lives in New York.")])
    assert (found[0].role, found[0].kind) == ("stated", "city")
    assert derived("She lives in New York.") == ["New York", "US"]


def test_the_code_of_an_airport_counts_where_somebody_flies() -> None:
    assert derived("We land at ICN at noon.") == ["Seoul", "KR"]
    assert derived("I am at ICN. My flight is late.") == ["Seoul", "KR"]
    assert derived("She works at SAP.") == []
    assert derived("ETS - SAP BLOOD") == []
    assert derived("Grafts: LIMA to SAP, off the plane of the artery.") == []
    assert derived("See you at Incheon Airport.") == ["Seoul", "KR"]
