"""Dates and clock times in the ways in which people write them."""

from __future__ import annotations

from datetime import date

import pytest

from leadline_facts.read.times.written_dates import find_written_dates, read_clock


@pytest.mark.parametrize(
    "written",
    [
        "2024-10-06",
        "2024-10-6",
        "6 October 2024",
        "6th of October, 2024",
        "Sunday, October 6, 2024",
        "Oct 6th 2024",
        "06.10.2024",
        "Sun 10/6/2024",
        "6-Oct-2024",
        "the sixth of October 2024",
        "October the 6th 2024",
    ],
)
def test_a_full_date_is_read_in_every_format(written: str) -> None:
    (found,) = find_written_dates(f"Seen on {written}.")
    assert found.full() == date(2024, 10, 6)


def test_a_slashed_date_that_reads_either_way_is_left_out() -> None:
    assert list(find_written_dates("Held 10/09/2021.")) == []


def test_a_slashed_date_is_settled_by_the_words_beside_it() -> None:
    found = list(find_written_dates("Held 10/09/2021 (tenth of September)."))
    assert found[0].full() == date(2021, 9, 10)


def test_a_date_without_year_keeps_day_and_month() -> None:
    (found,) = find_written_dates("from 22 February on")
    assert (found.year, found.month, found.day) == (None, 2, 22)


@pytest.mark.parametrize("text", ["version 3.10.24.1", "section 4.2.1", "in may 5 people", "1/2"])
def test_numbers_that_are_no_dates_give_none(text: str) -> None:
    assert [each.full() for each in find_written_dates(text) if each.full()] == []


@pytest.mark.parametrize(
    ("written", "minutes", "certain"),
    [
        ("14:30", 870, True),
        ("9:15", 555, False),
        ("09:15", 555, True),
        ("3 p.m.", 900, True),
        ("12 AM", 0, True),
        ("4.30pm", 990, True),
    ],
)
def test_a_clock_time_tells_whether_its_half_of_the_day_is_certain(
    written: str, minutes: int, certain: bool
) -> None:
    assert read_clock(written) == (minutes, certain)
