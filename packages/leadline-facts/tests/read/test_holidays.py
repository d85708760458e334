"""Holidays against dates from printed calendars."""

from __future__ import annotations

import re
from datetime import date

import pytest

from leadline_facts.read.times import holidays


@pytest.mark.parametrize(
    ("year", "month", "day"),
    [(1961, 4, 2), (2000, 4, 23), (2008, 3, 23), (2019, 4, 21), (2024, 3, 31), (2038, 4, 25)],
)
def test_easter_is_the_western_one(year: int, month: int, day: int) -> None:
    assert holidays.easter(year) == date(year, month, day)


@pytest.mark.parametrize(
    ("name", "year", "country", "expected"),
    [
        ("Thanksgiving", 2021, "", date(2021, 11, 25)),
        ("Thanksgiving", 2021, "CA", date(2021, 10, 11)),
        ("Black Friday", 2023, "", date(2023, 11, 24)),
        ("Labor Day", 2025, "US", date(2025, 9, 1)),
        ("Labour Day", 2025, "DE", date(2025, 5, 1)),
        ("Mother's Day", 2024, "", date(2024, 5, 12)),
        ("Mother’s Day", 2024, "GB", date(2024, 3, 10)),
        ("Ash Wednesday", 2022, "", date(2022, 3, 2)),
        ("Whit Monday", 2023, "", date(2023, 5, 29)),
        ("Good Friday", 2024, "", date(2024, 3, 29)),
        ("Pancake Day", 2024, "", date(2024, 2, 13)),
        ("first Sunday of Advent", 2023, "", date(2023, 12, 3)),
        ("Martin Luther King Day", 2024, "", date(2024, 1, 15)),
        ("August bank holiday", 2024, "", date(2024, 8, 26)),
        ("St. Patrick's Day", 2024, "", date(2024, 3, 17)),
        ("Twelfth Night", 2022, "", date(2022, 1, 6)),
    ],
)
def test_holiday_falls_where_the_printed_calendar_has_it(
    name: str, year: int, country: str, expected: date
) -> None:
    assert holidays.holiday_date(name, year, country) == expected


def test_leap_day_falls_in_leap_years_only() -> None:
    assert holidays.holiday_date("Leap Day", 2023) is None
    assert holidays.holiday_date("Leap Day", 2024) == date(2024, 2, 29)


def test_every_name_of_the_pattern_is_a_holiday() -> None:
    for name in holidays.HOLIDAY_NAMES:
        assert re.fullmatch(holidays.HOLIDAY_PATTERN, name, re.IGNORECASE), name
        assert holidays.holiday_date(name, 2024) is not None, name


def test_a_holiday_written_without_its_apostrophe_is_the_same_day() -> None:
    assert holidays.holiday_date("paddys day", 2020) == date(2020, 3, 17)
    assert holidays.holiday_date("martin luther king day", 2021) == date(2021, 1, 18)
