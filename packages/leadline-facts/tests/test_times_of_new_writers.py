"""Constructions of writers met late. 13 March 2024 is a Wednesday."""

from __future__ import annotations

import pytest

from derived import SAID, told


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        # how long something takes, told after when it begins
        (SAID + "We clock on at ten in the evening and work eight hours straight.", "time 06:00"),
        (SAID + "Bread in at 6:20 am, bakes for an hour and three-quarters.", "time 08:05"),
        (SAID + "She came at ten to midnight. Her twin took twenty minutes more.", "time 00:10"),
        # moved by so much from when it was
        # the half of the day
        (SAID + "The school bell goes at quarter past three.", "time 15:15"),
        (SAID + "The plumber has an appointment with you, at half past two.", "time 14:30"),
    ],
)
def test_clock_times_of_new_wordings(text: str, facts: str) -> None:
    assert facts in told(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (SAID + "The clock over the bank has stopped at ten to two.", "time"),
        (SAID + "They did not start at five past nine in the evening.", "time"),
        (SAID + "How long is the walk? Nobody knows, some three hours.", "time"),
        (SAID + "Most of us left after two hours.", "time"),
        (SAID + "The prices went up half an hour of pay.", "time"),
        (SAID + "Come at ten.", "time"),
    ],
)
def test_look_alikes_imply_no_time(text: str, kind: str) -> None:
    assert not any(each.startswith(kind) for each in told(text))
