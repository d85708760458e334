"""Days told by constructions of writers met late. 13 March 2024 is a Wednesday."""

from __future__ import annotations

import pytest

from derived import SAID, told


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        # around an event
        (SAID + "Easter is on 31 March. The fair is the third Sunday after Easter.", "2024-04-21"),
        (SAID + "I leave on 5 April and start the Monday right after I leave.", "2024-04-08"),
        # what comes round
        # terms
        # lives
        ("Killed on 12 May 1944, a week to the day before his 24th birthday.", "1944-05-19"),
        # nights
    ],
)
def test_days_of_new_wordings(text: str, facts: str) -> None:
    assert f"date {facts}" in told(text)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("He was born in 1958. A quarter of a century later he left.", "year 1983"),
    ],
)
def test_months_years_and_stretches_of_new_wordings(text: str, facts: str) -> None:
    assert any(each.startswith(facts) for each in told(text))


@pytest.mark.parametrize(
    "text",
    [
        SAID + "Some apprentices think tomorrow is a place.",
        SAID + "It is stale, like yesterday's newspaper.",
        SAID + "The Thursday Special is not worth it.",
        SAID + "No cheers to the Tuesday group.",
        SAID + "Tenants need to give two months' notice from the date of the letter.",
        SAID + "Closing might occur within 90 days of signing.",
        SAID + "Every third day he calls, and the fourth call is the worst.",
        SAID + "It is one of seven of ten that fail.",
    ],
)
def test_look_alikes_imply_nothing(text: str) -> None:
    assert not [
        each for each in told(text) if not each.startswith(("date 2024-03-13", "time 10:0"))
    ]
