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
        # and on from it
        # 9.30 and 135 minutes
        # half of four hours after eight
    ],
)
def test_a_length_leads_from_a_time_to_another(text: str, time: str) -> None:
    assert time in times(text, "time")


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
