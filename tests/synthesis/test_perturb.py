"""Edits that break exactly one fact, on sentences whose edits are worked out by hand."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.synthesis.perturb import Edit, apply_edits, find_edits
from leadline.synthesis.pools import Pools, harvest
from leadline.synthesis.tokens import normalised
from leadline.types import Document


def edits_of(text: str, others: tuple[str, ...] = ()) -> list[Edit]:
    """Return the edits of a whole text, with values to exchange from other texts."""
    corpus = {str(i): Document(str(i), other) for i, other in enumerate((text, *others))}
    document = f" {normalised(text)} "
    return find_edits(text, 0, len(text), harvest(corpus), document, random.Random(0))


def afters(text: str, others: tuple[str, ...] = (), kind: str = "") -> list[str]:
    return [apply_edits(text, [e]) for e in edits_of(text, others) if kind in ("", e.kind)]


def test_a_percentage_becomes_another_of_the_corpus() -> None:
    assert afters("Some 51% of readers agreed.", ("In all, 38% of borrowers paid.",)) == [
        "Some 38% of readers agreed."
    ]


def test_a_quantity_keeps_its_unit_and_is_exchanged_within_it() -> None:
    others = ("A mass of 6.1 cm was found. It took 9.3 minutes.",)
    assert afters("A cyst of 4.7 cm was drained.", others, "number") == [
        "A cyst of 6.1 cm was drained."
    ]


def test_a_lower_bound_becomes_a_smaller_one() -> None:
    # "over 50 miles" holds of 80 miles as well; only 30 breaks it.
    others = ("They drove 80 miles.", "They drove 30 miles.")
    assert afters("The ridge runs over 50 miles north.", others) == [
        "The ridge runs over 30 miles north."
    ]


def test_an_upper_bound_becomes_a_larger_one() -> None:
    others = ("They drove 80 miles.", "They drove 30 miles.")
    assert afters("The ridge runs less than 50 miles north.", others) == [
        "The ridge runs less than 80 miles north."
    ]


def test_a_range_becomes_one_that_does_not_touch_it() -> None:
    # 10 to 15 is 5 wide; moved by twice its width it is 20 to 25.
    assert afters("Rest for 10 to 15 days.") == ["Rest for 20 to 25 days."]


def test_an_article_changes_with_the_figure_after_it() -> None:
    others = ("This is a 43-year-old man.",)
    assert afters("Seen today: an 81-year-old woman.", others, "number") == [
        "Seen today: a 43-year-old woman."
    ]


def test_a_year_becomes_a_near_year_of_the_corpus() -> None:
    others = ("Closed in 1975.", "Sacked in 1632.")
    assert afters("The library opened in 1968.", others, "date") == ["The library opened in 1975."]


def test_a_date_is_exchanged_for_one_of_its_format() -> None:
    others = ("Discharged on 12/22/2008.", "Closed on May 3, 2009.")
    assert afters("Admitted on 06/12/2008.", others) == ["Admitted on 12/22/2008."]


def test_a_country_is_exchanged_for_one_that_takes_an_article_too() -> None:
    others = ("libraries in the netherlands", "libraries in france")
    assert afters("he studied libraries in the uk .", others) == [
        "he studied libraries in the netherlands ."
    ]


def test_a_name_is_exchanged_for_one_in_the_same_place_of_a_sentence() -> None:
    others = ("We set a Wang needle here.", "Then the Foley catheter came out.")
    assert afters("We placed a Veress needle there.", others) == ["We placed a Wang needle there."]


def test_a_word_becomes_its_opposite() -> None:
    assert afters("the drag increases with speed .", kind="antonym") == [
        "the drag decreases with speed ."
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Both the upper and the lower surface were coated.",
        "He left the office early that day in June.",
        "She gave first aid on site.",
        "The figures above are theirs.",
        "Congestive heart failure was ruled out.",
    ],
)
def test_an_opposite_that_means_nothing_is_not_used(text: str) -> None:
    words = {e.before for e in edits_of(text) if e.kind == "antonym"}
    assert words <= {"early"}


@pytest.mark.parametrize(
    "text",
    [
        "See figure 3 for this.",
        "He has type 2 diabetes.",
        "The disc at L4 bulges.",
        "One visit was enough.",
        "Oriented x 3 at rest.",
    ],
)
def test_references_and_labels_are_no_quantities(text: str) -> None:
    assert [e for e in edits_of(text) if e.kind == "number"] == []


def test_a_fact_stated_twice_is_not_edited() -> None:
    assert edits_of("It weighs 45 kg. At home it weighs 45 kg.") == []


def test_edits_apply_from_left_to_right_whatever_their_order() -> None:
    edits = [Edit("number", 4, 5, "b", "BB"), Edit("number", 0, 1, "a", "")]
    assert apply_edits("a + b", edits) == " + BB"


@given(st.text(alphabet="ab 12.,%-/:()'is not the an A'\n\x00é東", max_size=200))
def test_every_edit_lies_in_the_text_and_changes_its_words(text: str) -> None:
    pools = Pools()
    document = f" {normalised(text)} "
    for edit in find_edits(text, 0, len(text), pools, document, random.Random(1)):
        assert text[edit.start : edit.end] == edit.before
        assert normalised(edit.before) != normalised(edit.after)
