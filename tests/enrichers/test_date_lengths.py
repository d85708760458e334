"""Lengths of time between two dates of a text."""

from __future__ import annotations

import pytest

from derived import times
from leadline.enrichers.temporal import temporal_facts


@pytest.mark.parametrize(
    ("text", "amount", "unit"),
    [
        ("The mill opened in 1931 and closed in 1986.", 55, "year"),
        ("She reigned from 1837 to 1901.", 64, "year"),
        ("He was mayor from 2003 until 2011.", 8, "year"),
        ("Work began in March 2018 and was finished in May 2020.", 26, "month"),
        # November 26 days left, December 31, 1980 has 366, January 20: 443
        (
            "The hostages were taken on 4 November 1979 and freed on 20 January 1981.",
            443,
            "day",
        ),
        # 2023 has no 29 February
        ("She fell ill on 28 February 2023 and was back at work on 6 March.", 6, "day"),
        ("Reported missing on 9 May 2020, the dog was found on 30 May.", 21, "day"),
        # 29 June days after the 1st, 19 of July
        ("Invoice dated 1 June 2021, paid on 19 July 2021.", 48, "day"),
        # told end first
        ("They were freed on 9 May 1945, having been interned on 1 May 1945.", 8, "day"),
        # both ends count
        ("Entries opened on 3 June 2019 and closed on 14 June, both days included.", 12, "day"),
        # over two sentences
        ("The parcel was shipped on 12 January 2022. It arrived on 26 January.", 14, "day"),
    ],
)
def test_a_start_and_an_end_give_the_time_between(text: str, amount: int, unit: str) -> None:
    assert {"amount": amount, "unit": unit} in times(text, "duration")


@pytest.mark.parametrize(
    "text",
    [
        "The 1837 and 1901 editions differ.",
        "Room 1901 is next to room 1837.",
        "It was built in 1911 or 1921.",
        "Meet me on 3 May 2021 or, if it rains, on 10 May 2021.",
        "Born on 3 May 1950, he was not interested in 1968.",
        "He was born on 4 May 1921 and died on 2 March 1999.",
    ],
)
def test_two_dates_that_bound_nothing_give_no_length(text: str) -> None:
    assert times(text, "duration") == []


def test_a_date_without_year_lies_near_the_event_told_before_it() -> None:
    facts = temporal_facts("Reported missing on 9 May 2020, the dog was found on 30 May.")
    assert "2020-05-30" in [fact.value for fact in facts]
