import json
from pathlib import Path

import pytest

from leadline.errors import InputError
from leadline.types import Document, Fact, Query
from leadline_facts.places import build
from leadline_facts.read.places.gazetteer import read_gazetteer
from tables import each_row

TABLE = """\
Tower of Gantry\tlandmark\tFR
Saint Odo church, Lesser Wyre\tchurch building\tPL
Gantry\ttown\tGB
Mill Arena\tstadium\tUS
Mill Arena\tstadium\tCA
The Rook House\tmuseum\tIE
Lockhaven\tcity\tDE
Weir Hall\tconcert hall\tAT\tGraz\tStyria
Nice\tcity\tFR
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "places.tsv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def facts(table: Path, text: str) -> list[Fact]:
    ((_, found),) = build(table=str(table)).facts([Document("d", text)])
    return list(found)


def derived(table: Path, text: str) -> list[tuple[str, str]]:
    return [
        (fact.kind, fact.value.get("code") or fact.value["name"])
        for fact in facts(table, text)
        if fact.role == "derived"
    ]


def test_the_longest_name_is_taken(table: Path) -> None:
    assert derived(table, "We met below the Tower of Gantry.") == [("country", "FR")]


def test_a_name_does_not_run_over_the_end_of_a_sentence(table: Path) -> None:
    assert derived(table, "She bought a Mill. Arena tickets were gone.") == []


def test_a_single_word_needs_a_word_of_place_before_it(table: Path) -> None:
    assert derived(table, "Nice work, Gantry is my cat.") == []
    assert derived(table, "We stayed in Nice.") == [("country", "FR")]


def test_a_table_with_city_and_region_gives_all_levels(table: Path) -> None:
    assert derived(table, "She sang at Weir Hall.") == [
        ("city", "Graz"), ("region", "Styria"), ("country", "AT"),
    ]  # fmt: skip


def test_a_name_of_several_countries_gives_alternatives(table: Path) -> None:
    roles = {fact.role for fact in facts(table, "The final was at Mill Arena.")}
    assert roles == {"alternative"}


@each_row
def test_a_place_that_is_denied_imagined_wished_for_or_a_title_gives_nothing(
    table: Path, text: str
) -> None:
    assert derived(table, text) == []


def test_a_place_is_about_who_speaks(table: Path) -> None:
    text = "2024-01-02 09:00, Ana: hello\n2024-01-02 09:01, Ben: back from the Tower of Gantry!"
    assert [fact.about for fact in facts(table, text)] == ["Ben"]


def test_evidence_is_the_name_in_the_text(table: Path) -> None:
    text = "Lunch at the Rook House."
    (fact,) = facts(table, text)
    assert [text[start:end] for start, end in fact.spans] == ["Rook House"]
    assert fact.derivation == "Rook House is a museum in Ireland"


@each_row
def test_a_query_asks_for_a_country(table: Path, query: str, code: str) -> None:
    ((constraint,),) = build(table=str(table)).constraints([Query("q", query)])
    assert constraint.value["code"] == code


@pytest.mark.parametrize("query", ["tell us in us", "turkey recipes", "put in china", "to chad"])
def test_a_word_that_may_be_no_country_asks_for_none(table: Path, query: str) -> None:
    assert build(table=str(table)).constraints([Query("q", query)]) == [()]


def test_a_line_without_a_country_code_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.tsv"
    path.write_text("A\tmuseum\tFR\nB\tmuseum\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"bad\.tsv:2: not a place"):
        read_gazetteer(path)


def test_an_export_of_wikidata_is_a_table(tmp_path: Path) -> None:
    path = tmp_path / "places.jsonl"
    rows = [
        {"itemLabel": "Weir Hall", "countryLabel": "Austria", "aliases": ["Old Weir", "WH"],
         "instanceOf": ["venue"], "city": "Graz", "region": "Styria"},
        {"itemLabel": "Q12", "countryLabel": "Peru"},
        {"itemLabel": "Two Halls", "dropped_because": "in several countries"},
    ]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    at_graz = [("city", "Graz"), ("region", "Styria"), ("country", "AT")]
    assert derived(path, "She sang at Weir Hall.") == at_graz
    assert derived(path, "She sang at the Old Weir.") == at_graz
    assert derived(path, "She sang at WH, near Two Halls and Q12.") == []


def test_a_line_of_an_export_without_a_place_is_named(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text('{"text": "hello"}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"other\.jsonl:1: not a place of Wikidata"):
        read_gazetteer(path)


def test_a_dump_of_wikidata_is_a_table(tmp_path: Path) -> None:
    def line(number: int, label: str, **claims: object) -> str:
        statements = {
            name: [{"rank": "normal", "mainsnak": {"datavalue": {"value": value}}}]
            for name, value in claims.items()
        }
        labels = {"en": {"value": label}}
        return json.dumps({"id": f"Q{number}", "labels": labels, "claims": statements})

    lines = [
        line(40, "Austria", P297="AT"),
        line(13298, "Graz", P31={"numeric-id": 515}),
        line(9, "Weir Rooms", P31={"numeric-id": 33506}, P17={"numeric-id": 40},
             P131={"numeric-id": 13298}),
    ]  # fmt: skip
    path = tmp_path / "dump.json"
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
    assert derived(path, "She sang at the Weir Rooms.") == [("city", "Graz"), ("country", "AT")]
