"""Tests of conditions on the fields of records."""

import random
from itertools import pairwise

import pytest

from leadline.synthesis.conditions import by_rules
from leadline.synthesis.conditions.edits import apply_edits
from leadline.synthesis.conditions.fields import fields_of
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


def test_a_value_is_asked_for_as_a_searcher_would_and_broken_by_another_of_its_field():
    fields = fields_of(CORPUS, NAMES)
    film = fields.shown(CORPUS["2"])
    found = fields.conditions(CORPUS["2"], [], most=10, rng=random.Random(1))
    assert [each.text for each in found] == [
        "it was directed by Eva Lund 2",
        "it comes from Kenya",
        "it is filed under Drama 2",
    ]
    for each in found:
        assert film.text[each.edit.start : each.edit.end] == each.edit.before
        assert each.edit.after not in film.text
        control = each.controls[0]
        assert control.before == "Crime 2"  # asked for by none
        assert each.edit.before in apply_edits(film.text, [control])


def test_a_country_takes_its_article():
    corpus = {
        n: Document(n, "Text.", "", {"country": place, "language": f"Tongue {n}"})
        for n, place in zip("abcde", ("Netherlands", *PLACES[:4]), strict=True)
    }
    fields = fields_of(corpus, ("country", "language"))
    found = fields.conditions(corpus["a"], [], most=10, rng=random.Random(1))
    assert [each.text for each in found] == ["it comes from the Netherlands"]


def test_a_field_of_few_values_gives_no_condition():
    corpus = {n: Document(n, "Text.", "", {"tone": "sad", "theme": f"loss {n}"}) for n in "abcde"}
    fields = fields_of(corpus, ("tone", "theme"))
    assert fields.conditions(corpus["a"], [], most=10, rng=random.Random(1)) == []


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
    from leadline.synthesis.conditions.fields import _overlap

    assert _overlap("3-7", "3-5")
    assert not _overlap("6-8", "3-5")
    assert not _overlap("Fantasy", "3-5")
