import bz2
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from leadline.errors import InputError
from leadline_facts import wikidata
from leadline_facts.wikidata import is_dump, places, places_of_dump


def entity(number: int, label: str = "", **statements: Any) -> dict[str, Any]:
    claims: dict[str, Any] = {}
    for name, values in statements.items():
        for value in values if isinstance(values, list) else [values]:
            of = {"entity-type": "item", "numeric-id": value} if isinstance(value, int) else value
            claims.setdefault(name, []).append(
                {"rank": "normal", "mainsnak": {"snaktype": "value", "datavalue": {"value": of}}}
            )
    labels = {"en": {"language": "en", "value": label}} if label else []
    return {"type": "item", "id": f"Q{number}", "labels": labels, "aliases": [], "claims": claims}


MUSEUM, CHURCH, VENUE, CITY, STATE = 33506, 16970, 17350442, 515, 10864048
WORLD = [
    entity(17, "Japan", P31=6256, P297="JP"),
    entity(419, "Peru", P31=6256, P297="PE"),
    entity(207694, "art museum", P279=MUSEUM),
    entity(9000, "print room", P279=207694),
    entity(MUSEUM, "museum", P279=VENUE),
    entity(100, "Akita", P31=CITY, P17=17, P131=101),
    entity(101, "Akita Prefecture", P31=STATE, P17=17),
    # An instance two classes below museum: museum is itself below venue, so the kind is museum.
    {
        **entity(1, "Larch Print Room", P31=9000, P17=17, P131=[100, 101]),
        "aliases": {"en": [{"language": "en", "value": "The Larch Room"}]},
    },
    entity(2, "Odo Chapel", P31=CHURCH, P17=[17, 419]),
    entity(3, "Room and Chapel", P31=[MUSEUM, CHURCH], P17=419),
    entity(4, "", P31=CHURCH, P17=419),
    entity(5, "A River", P31=4022, P17=419),
]


@pytest.fixture
def dump(tmp_path: Path) -> Callable[..., Path]:
    def write(*lines: str, name: str = "dump.json") -> Path:
        content = "[\n" + ",\n".join([*map(json.dumps, WORLD), *lines]) + "\n]\n"
        pack = {"gz": gzip.compress, "bz2": bz2.compress}.get(name.split(".")[-1], bytes)
        path = tmp_path / name
        path.write_bytes(pack(content.encode()))
        return path

    return write


def test_a_place_has_kind_country_surroundings_and_other_names(dump: Callable[..., Path]) -> None:
    row = next(places(dump()))
    assert row == {
        "itemQ": "Q1",
        "itemLabel": "Larch Print Room",
        "countryLabel": "Japan",
        "code": "JP",
        "instanceOf": ["museum"],
        "aliases": ["The Larch Room"],
        "adminEntityLabel": ["Akita", "Akita Prefecture"],
        "locationLabel": [],
        "streetNameLabel": [],
        "city": "Akita",
        "region": "Akita Prefecture",
    }


def test_what_cannot_be_used_says_why(dump: Callable[..., Path]) -> None:
    why = {row["itemQ"]: row.get("dropped_because", "") for row in places(dump())}
    assert why == {"Q1": "", "Q2": "in several countries", "Q3": "of several kinds", "Q4": ""}


def test_a_further_kind_counts_where_several_wikis_know_it(dump: Callable[..., Path]) -> None:
    wikis = {f"w{number}": {} for number in range(5)}
    known = entity(6, "Odo Lane", P31=79007, P17=17) | {"sitelinks": wikis}
    hidden = entity(7, "Odo Alley", P31=79007, P17=17) | {"sitelinks": {"w1": {}}}
    museum = entity(8, "Odo Rooms", P31=[MUSEUM, 79007], P17=17) | {"sitelinks": wikis}
    rows = {row["itemQ"]: row for row in places(dump(*map(json.dumps, (known, hidden, museum))))}
    assert (rows["Q6"]["instanceOf"], rows["Q6"]["beyond"]) == (["street"], True)
    assert "Q7" not in rows
    assert (rows["Q8"]["instanceOf"], "beyond" in rows["Q8"]) == (["museum"], False)


@pytest.mark.parametrize("name", ["all.json", "all.json.gz", "all.json.bz2"])
def test_a_dump_is_read_packed_or_not(dump: Callable[..., Path], name: str) -> None:
    path = dump(name=name)
    assert is_dump(path)
    assert len(list(places(path))) == 4


def test_lines_that_are_no_entity_are_counted_with_the_first(dump: Callable[..., Path]) -> None:
    # 1 line "[", then 12 entities: the first bad line is the 14th.
    *_, last = places(dump('{"type":"item","id":"Q77","claims":{"P31":[],"P17"', "nonsense"))
    assert last == {"dropped_because": "not an entity in JSON (the first on line 14)", "count": 2}


def test_a_cut_off_dump_is_refused_and_nothing_is_kept(dump: Callable[..., Path]) -> None:
    path = dump(name="cut.json.gz")
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match=r"cut\.json\.gz is not a complete gzip file"):
        places_of_dump(path)
    kept = wikidata.cache_folder("wikidata")
    assert list(kept.iterdir()) == []


def test_places_of_a_dump_that_were_altered_since_are_read_again(dump: Callable[..., Path]) -> None:
    path = dump()
    made = places_of_dump(path)
    content = made.read_text("utf-8")
    made.write_text(content.replace("Larch", "Beech"), "utf-8")
    assert places_of_dump(path) == made
    assert made.read_text("utf-8") == content


def test_a_file_without_entities_is_no_dump(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text("[1, 2]")
    with pytest.raises(InputError, match=r"other\.json: no entity of Wikidata"):
        places_of_dump(path)
