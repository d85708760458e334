"""What takes the place of a number or a date is near it, so that the text around it still fits."""

from __future__ import annotations

import random

import pytest

from leadline.kinds.conditions.edits import Values, exchanged, harvest_values
from leadline.text.dates import find_dates
from leadline.text.quantities import figure_of, find_quantities


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


def test_of_a_small_count_the_next_one_is_near() -> None:
    assert set(others("It took 2 weeks.")) == {"3 weeks"}


def test_a_figure_of_the_corpus_is_as_round_as_the_one_it_replaces() -> None:
    found = others("It has 3,500 headings.", harvest_values(["It has 2,845 headings."]))
    assert "2,800" in found
    assert all(each.endswith("00") for each in found)


def test_a_date_moves_by_ten_years_at_most() -> None:
    texts = [f"It was founded in {year}." for year in range(1900, 2020, 3)]
    found = others("It was sold in 1960.", harvest_values(texts))
    assert found
    assert all(1950 <= int(each) <= 1970 for each in found)


def test_a_day_stays_in_its_month() -> None:
    found = others("It began on May 13th.", harvest_values(["It ended on March 5th."]))
    assert found
    assert all(each.startswith("May ") and each != "May 13th" for each in found)
    assert not any(each.endswith(("1th", "2th")) and each[-4] != "1" for each in found)


@pytest.mark.parametrize(
    ("text", "other", "fits"),
    [
        ("It was so in 1919/1920.", "It was so in 1917-1922.", False),
        ("It was so in 1919-1920.", "It was so in 1924-1925.", True),
    ],
)
def test_a_range_of_years_becomes_one_that_shares_none(text: str, other: str, fits: bool) -> None:
    assert bool(others(text, harvest_values([other]))) == fits


def test_a_score_keeps_its_scale() -> None:
    found = others("a score 50/56 was seen", harvest_values(["a score 30/30", "a score 42/50"]))
    assert set(found) == {"42/56"}


def test_a_range_moves_to_one_near_it() -> None:
    found = others("It was 101 to 102 degrees.", harvest_values(["It was 45 to 60 degrees."]))
    assert set(found) == {"103 to 104 degrees"}
    assert others("It took 12 to 28 months.", harvest_values(["It took 44 to 60 months."])) == []


@pytest.mark.parametrize("text", ["It has a 24-hour clock.", "It is so in January and February."])
def test_what_is_fixed_or_one_of_several_stays(text: str) -> None:
    assert others(text) == []
