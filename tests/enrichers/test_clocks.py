"""Times of day in words, times reckoned from others, and lengths between them."""

from __future__ import annotations

import pytest

from derived import times


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Breakfast is at eight, lunch at one and dinner at seven.", ["08:00", "13:00", "19:00"]),
        ("The alarm went at twenty-five to seven this morning.", ["06:35"]),
        ("High tide was at a quarter past two in the small hours.", ["02:15"]),
        ("Doors 7.30pm, band on at quarter past eight.", ["19:30", "20:15"]),
        ("The matinee is at two and the evening show at half past seven.", ["14:00", "19:30"]),
    ],
)
def test_words_beside_a_time_tell_the_half_of_the_day(text: str, expected: list[str]) -> None:
    assert times(text, "time") == expected


@pytest.mark.parametrize(
    ("text", "time"),
    [
        # the length leads back from the time told
        ("The ambulance came at 18:25, twenty minutes after the call.", "18:05"),
        ("The flood reached the bridge at 04:30, two hours after the dam gave way.", "02:30"),
        ("By 13:30 they had been walking for six hours.", "07:30"),
        ("At 17:15 the crew had been on duty for eleven hours.", "06:15"),
        ("We landed at 14:05 after a flight of 3 hours 35 minutes.", "10:30"),
        ("After three hours in the queue we got in at 14:30.", "11:30"),
        # and on from it
        ("Two hours into the 19:00 show, the fire alarm went.", "21:00"),
        ("The interval came 50 minutes into the performance, which began at 19:30.", "20:20"),
        # 9.30 and 135 minutes
        ("The exam begins at 9.30 a.m. and candidates have two and a quarter hours.", "11:45"),
        # half of four hours after eight
        ("Halfway through the four-hour crossing, which began at 08:00, it stopped.", "10:00"),
        ("The ferry leaves at 08:00 and takes four hours. Lunch is halfway.", "10:00"),
    ],
)
def test_a_length_leads_from_a_time_to_another(text: str, time: str) -> None:
    assert time in times(text, "time")


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("The winner crossed the line at 12:47, having started at 09:30.", 197),
        ("The power went at 18:40 and came back at 21:05.", 145),
        ("In at 08:45, out at 17:15 with an hour's lunch.", 450),
        ("Clocked in 06:00, clocked out 14:30, half an hour for lunch.", 480),
        ("Out of bed at 5.15 am, at my desk by 6 am.", 45),
        ("They set off at ten at night and arrived at twenty past six the next morning.", 500),
    ],
)
def test_two_times_that_bound_something_give_its_length(text: str, minutes: int) -> None:
    assert {"amount": minutes, "unit": "minute"} in times(text, "duration")


@pytest.mark.parametrize(
    "text",
    [
        "The score was 6-3, 7-5.",
        "Come between two and four people at a time.",
        "She scored ten to one against.",
        "Half past caring, that's what I am.",
        "About an hour later, more or less, somebody knocked.",
        "It's five to one he won't come.",
        "We met halfway, as one does.",
        "If you came at six in the morning you would see nobody.",
    ],
)
def test_what_only_looks_like_a_time_gives_nothing(text: str) -> None:
    assert times(text, "time") == []
