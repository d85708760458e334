"""Quarters of a financial year that the text defines, and stretches between days of a month."""

from __future__ import annotations

import pytest

from derived import times


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        (
            "The fiscal year is April to March. Sales fell in the second quarter of 2019/20.",
            "2019-07-01",
            "2019-09-30",
        ),
        (
            "Our year starts on 1 October. In the first half of 2018-19 we lost money.",
            "2018-10-01",
            "2019-03-31",
        ),
        # a year that ends in January begins in February: its fourth quarter is November on
        (
            "The accounting year ends on 31 January. In Q4 of 2015/16 the roof fell in.",
            "2015-11-01",
            "2016-01-31",
        ),
        # March 2021 lies in the year from July 2020
        (
            "12 March 2021\nOur financial year runs from 1 July. Sales rose in the second quarter.",
            "2020-10-01",
            "2020-12-31",
        ),
        ("In Q3 2024 sales fell.", "2024-07-01", "2024-09-30"),
        ("Fri 12 March 2021\nHe was off sick from the 1st to the 5th.", "2021-03-01", "2021-03-05"),
        (
            "Fri 12 March 2021\nThe sale is on between the 20th and the 27th.",
            "2021-03-20",
            "2021-03-27",
        ),
    ],
)
def test_a_stretch_has_its_first_and_last_day(text: str, first: str, last: str) -> None:
    assert [first, last] in times(text, "date_range")


def test_a_match_has_quarters_too() -> None:
    text = "12 March 2021\nOur financial year runs from 1 July. They scored before half-time."
    assert times(text, "date_range") == []
