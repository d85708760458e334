"""Times told by terms, states, closing hours and other events. 13 March 2024 is a Wednesday."""

from __future__ import annotations

import pytest

from derived import SAID, derived_times, told


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (SAID + "The parcel was posted on Monday and takes three days.", "date 2024-03-14"),
        (SAID + "Instead of the 20th we meet a week later.", "date 2024-03-27"),
        (SAID + "The bridge fell in 1960, only eight years after it was opened.", "year 1952"),
        (SAID + "Put the roast in at noon; it wants three and a half hours.", "time 15:30"),
        (SAID + "Back in a quarter of an hour.", "time 10:15"),
        (SAID + "The nursery shuts at half five.", "time 17:30"),
        (SAID + "Next Monday marks forty days since the flood.", "date 2024-02-07"),
        ("[12 May 2023, 21:15] Al: on the bus, 40 mins to go", "time 21:55"),
        ("Minutes, 4 October 2022. Date of next meeting: five weeks today.", "date 2022-11-08"),
        (
            "Take the bread out at ten to four in the afternoon and leave it half an hour.",
            "time 16:20",
        ),
        ("Evensong is at half past six, and the bells start half an hour before.", "time 18:30"),
        ("Evensong is at half past six, and the bells start half an hour before.", "time 18:00"),
    ],
)
def test_a_time_follows_from_further_wordings(text: str, facts: str) -> None:
    assert facts in told(text)


@pytest.mark.parametrize(
    "text",
    [
        SAID + "Tomorrow belongs to me, as the song goes.",
        SAID + "The date on the letter is smudged: the 3rd, or the 8th.",
        SAID + "Whether it is the Monday or the Tuesday nobody could tell me.",
        SAID + "My watch says ten to three but it stopped years ago.",
        SAID + "Her blood sugar levels were at 7 in three of five tests.",
        SAID + "The twins are about three weeks old.",
        SAID + "It comes with a choice of two of ten lessons.",
        SAID + "Tenancies need notice of two months from either side.",
        SAID + "You would pay within ten days of signing.",
        SAID + "The last Friday of every month is a holiday.",
        SAID + "He has been ten minutes late for years.",
    ],
)
def test_further_look_alikes_imply_nothing(text: str) -> None:
    assert derived_times(text) == []
