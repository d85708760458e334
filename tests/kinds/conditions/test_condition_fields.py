"""Tests of conditions on the fields of records."""

import random
from collections import Counter
from itertools import pairwise

import pytest

from leadline.kinds.conditions import by_rules
from leadline.kinds.conditions.by_rules import find_conditions
from leadline.kinds.conditions.edits import apply_edits, fields_of, stock_of
from leadline.types import Document

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


def test_fields_stand_as_lines_before_the_text():
    shown = fields_of(CORPUS, NAMES).shown(CORPUS["2"])
    assert shown.text == (
        "Director: Eva Lund 2\nCountries: Kenya\nGenres: Drama 2, Crime 2\n"
        "A clerk is looking for letter 2."
    )


def _conditions(corpus, id, names):
    fields = fields_of(corpus, names)
    shown = fields.shown(corpus[id])
    found = find_conditions(
        shown.title, shown.text, fields.statements(corpus[id]), stock_of([], 0, fields.values),
        Counter(), held=frozenset(fields.held(corpus[id])), most=10, rng=random.Random(1),
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


def test_a_field_of_few_values_is_not_asked_for():
    corpus = {n: Document(n, "Text.", "", {"tone": "sad", "theme": f"loss {n}"}) for n in "abcde"}
    assert fields_of(corpus, ("tone", "theme")).names == ("theme",)


def test_without_names_fields_are_those_whose_values_documents_share():
    corpus = {
        str(n): Document(str(n), "Text.", "", {"genre": f"genre {n % 4}", "key": f"key {n}"})
        for n in range(8)
    }
    assert fields_of(corpus).names == ("genre",)  # each of 8 keys names one document


@pytest.mark.parametrize("style", ["list", "prose"])
def test_ladders_of_records_break_one_more_field_at_every_step(style):
    built = by_rules.build(CORPUS, limit=5, fields=NAMES)
    whole = [q for q in built.queries if q.facets["style"] == style and q.facets["k"] == "3"]
    assert len(whole) == 5
    for query in whole:
        steps = sorted(built.qrels[query.id], key=built.qrels[query.id].get)
        texts = [built.corpus[id].text.split("\n") for id in steps]
        for worse, better in pairwise(texts):
            assert sum(a != b for a, b in zip(worse, better, strict=True)) == 1


def test_a_range_is_exchanged_for_one_that_shares_nothing_with_it() -> None:
    from leadline.kinds.conditions.edits import overlap

    assert overlap("3-7", "3-5")
    assert not overlap("6-8", "3-5")
    assert not overlap("Fantasy", "3-5")
