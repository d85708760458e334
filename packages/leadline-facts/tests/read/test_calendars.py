"""The civil calendar against dates from a printed one."""

from __future__ import annotations

from datetime import date

from leadline_facts.read.times import calendars


def test_months_are_added_to_the_last_day_of_a_shorter_month() -> None:
    assert calendars.add_months(date(2023, 1, 31), 1) == date(2023, 2, 28)
    assert calendars.add_months(date(2023, 1, 15), -2) == date(2022, 11, 15)


def test_a_weekday_is_strictly_before_or_after() -> None:
    monday = date(2024, 7, 1)
    assert calendars.weekday_after(monday, calendars.MONDAY) == date(2024, 7, 8)
    assert calendars.weekday_before(monday, calendars.MONDAY) == date(2024, 6, 24)
    assert calendars.weekday_before(monday, calendars.SUNDAY) == date(2024, 6, 30)


def test_counted_weekdays_from_both_ends_of_a_month() -> None:
    assert calendars.nth_weekday(2023, 12, calendars.SATURDAY, 1) == date(2023, 12, 2)
    assert calendars.nth_weekday(2024, 6, calendars.FRIDAY, -1) == date(2024, 6, 28)
    assert calendars.nth_weekday(2024, 6, calendars.FRIDAY, 5) is None


def test_names_are_read_in_any_length_and_case() -> None:
    assert calendars.month_number("Sept") == 9
    assert calendars.weekday_number("THURS") == calendars.THURSDAY


def test_a_quarter_and_a_week_have_both_their_ends() -> None:
    day = date(2024, 7, 17)
    assert calendars.period_of("week", day) == (date(2024, 7, 15), date(2024, 7, 21))
    assert calendars.period_of("weekend", day) == (date(2024, 7, 20), date(2024, 7, 21))
    assert calendars.period_of("month", day) == (date(2024, 7, 1), date(2024, 7, 31))
    assert calendars.period_of("year", day) == (date(2024, 1, 1), date(2024, 12, 31))
    december = calendars.period_of("quarter", date(2024, 12, 31))
    assert december == (date(2024, 10, 1), date(2024, 12, 31))


def test_a_year_is_full_on_its_day_only() -> None:
    assert calendars.years_between(date(1990, 3, 10), date(2024, 3, 9)) == 33
    assert calendars.years_between(date(1990, 3, 10), date(2024, 3, 10)) == 34
