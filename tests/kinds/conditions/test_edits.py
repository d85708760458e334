"""Edits that make a statement untrue, statements that none is made of, and fields of records."""

import random
from collections import Counter

import pytest

from leadline.kinds.conditions.by_rules import find_conditions
from leadline.kinds.conditions.edits import (
    Values,
    apply_edits,
    edits_of,
    exchanged,
    fields_of,
    harvest_values,
    stock_of,
)
from leadline.text.dates import find_dates
from leadline.text.quantities import figure_of, find_quantities
from leadline.text.statements import Statement
from leadline.types import Document
from tables import each_row

_POOL = [
    Statement(0, 0, each)
    for each in (
        "useRouter is a hook.", "useParams is a hook.", "The limit was 40 requests in 1962.",
        "The limit was 55 requests in 1971.",
    )
]  # fmt: skip
STOCK = stock_of(_POOL, 0)


def edits(sentence: str, shape: str = "sentence") -> dict[str, tuple[str, str]]:
    """Return kind -> what becomes what, for each kind of edit of a sentence."""
    statement = Statement(0, len(sentence), sentence, shape)
    found = edits_of(sentence, statement, STOCK, random.Random(0))
    return {each.kind: (each.before, each.after) for each in found}


@each_row
def test_opposites_and_negations(sentence, kind, before, after) -> None:
    assert edits(sentence).get(kind) == (None if before is None else (before, after))


@each_row
def test_a_value_that_another_would_not_contradict_stays(sentence: str) -> None:
    assert "number" not in edits(sentence)


def test_a_near_value_takes_the_place_of_a_number_a_version_and_a_date() -> None:
    before, after = edits("Queues hold 40 requests each.")["number"]
    assert before == "40" and after != "40" and 26 <= int(after) <= 55  # at most 35 % away
    assert edits("The flag was added in v4.2.1 by a user.")["number"][0] == "v4.2.1"
    before, after = edits("The bridge was closed in 1962 by the mayor.")["date"]
    assert before == "1962" and 0 < abs(int(after) - 1962) <= 10


def test_an_identifier_becomes_another_of_the_corpus() -> None:
    assert edits("Call useRouter in a client component.")["name"] == ("useRouter", "useParams")


@each_row
def test_a_place_becomes_another_of_its_kind_in_its_case(sentence: str, written: str) -> None:
    before, after = edits(sentence).get("name", ("", ""))
    assert before == written
    assert after.istitle() == written.istitle()


def others(text: str, pools: Values | None = None) -> list[str]:
    """Return what may take the place of the first value of a text, over ten seeds."""
    value = next(iter((*find_dates(text, 0, len(text)), *find_quantities(text, 0, len(text)))))
    drawn = [exchanged(value, text, pools or {}, random.Random(seed)) for seed in range(10)]
    return [each for found in drawn for each in found]


def test_a_figure_changes_by_about_a_third_at_most() -> None:
    texts = [f"The wing weighs {n} kg." for n in range(10, 100, 7)]
    found = others("The tail weighs 50 kg.", harvest_values(texts))
    assert found
    assert all(32 <= figure_of(each.split()[0]) <= 68 for each in found)


def test_a_day_stays_in_its_month() -> None:
    found = others("It began on May 13th.", harvest_values(["It ended on March 5th."]))
    assert found
    assert all(each.startswith("May ") and each != "May 13th" for each in found)
    assert not any(each.endswith(("1th", "2th")) and each[-4] != "1" for each in found)


@pytest.mark.parametrize("text", ["It has a 24-hour clock.", "It is so in January and February."])
def test_what_is_fixed_or_one_of_several_stays(text: str) -> None:
    assert others(text) == []


PLACES = ("Norway", "Chile", "Kenya", "Laos", "the Moon", "Nepal")


def _film(number):
    facets = {
        "director": f"Eva Lund {number}",
        "countries": PLACES[number],
        "genres": f"Drama {number}, Crime {number}",
    }
    return Document(
        str(number), f"A clerk is looking for letter {number}.", f"Film {number}", facets
    )


CORPUS = {str(n): _film(n) for n in range(5)}
NAMES = ("director", "countries", "genres")


def _conditions(corpus, id, names):
    fields = fields_of(corpus, names)
    shown = fields.shown(corpus[id])
    found = find_conditions(
        shown.title, shown.text, fields.statements(corpus[id]), stock_of([], 0, fields.values),
        Counter(), held=fields.held(corpus[id]), most=10, rng=random.Random(1),
    )  # fmt: skip
    return shown, found


def test_a_value_is_asked_for_as_a_searcher_would_and_broken_by_another_of_its_field():
    film, found = _conditions(CORPUS, "2", NAMES)
    said = {
        "it was directed by Eva Lund 2", "it comes from Kenya", "it is filed under Drama 2",
        "it is filed under Crime 2",
    }  # fmt: skip
    assert len(found) == 3  # one value of each field, and one stays for the controls
    assert {each.text for each in found} < said
    for each in found:
        assert film.text[each.edit.start : each.edit.end] == each.edit.before
        assert each.edit.after not in film.text
        after_control = apply_edits(film.text, each.controls[:1])
        assert all(other.edit.before in after_control for other in found)


def test_a_country_takes_its_article():
    corpus = {
        n: Document(n, "Text.", "", {"country": place, "language": f"Tongue {n}"})
        for n, place in zip("abcde", ("Netherlands", *PLACES[:4]), strict=True)
    }
    stated = [each.text for each in fields_of(corpus, ("country",)).statements(corpus["a"])]
    assert stated == ["it comes from the Netherlands"]


def test_a_field_without_a_wording_is_quoted_as_it_stands():
    corpus = {n: Document(n, "Text.", "", {"free_of": f"thing {n}"}) for n in "abcde"}
    fields = fields_of(corpus, ("free_of",))
    assert [each.text for each in fields.statements(corpus["a"])] == ["Free of: thing a"]
    assert fields.shown(corpus["a"]).text.startswith("Free of: thing a\n")


def test_without_names_fields_are_those_whose_values_documents_share():
    corpus = {
        str(n): Document(str(n), "Text.", "", {"genre": f"genre {n % 4}", "key": f"key {n}"})
        for n in range(8)
    }
    assert fields_of(corpus).names == ("genre",)  # each of 8 keys names one document


def test_a_range_is_exchanged_for_one_that_shares_nothing_with_it() -> None:
    from leadline.kinds.conditions.edits import overlap

    assert overlap("3-7", "3-5")
    assert not overlap("6-8", "3-5")
    assert not overlap("Fantasy", "3-5")
