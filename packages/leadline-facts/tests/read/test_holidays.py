"""Holidays against dates from printed calendars."""

import re
from datetime import date

from leadline_facts.read.times import holidays


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
