"""Times told plainly, beside words that only look like doubts. 13 March 2024 is a Wednesday."""

from __future__ import annotations

import pytest

from derived import implied

SAID = "2024-03-13 23:40, Ann: "


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        (SAID + "Post is slow so just in case: the wedding is this Friday.", "date 2024-03-15"),
        (SAID + "In case you missed it, the hall opens tomorrow.", "date 2024-03-14"),
        (SAID + "It lifts a week from tomorrow, assuming Bill can count.", "date 2024-03-21"),
        (SAID + "If I know us, we eat leftovers through to Sunday.", "date 2024-03-17"),
        (SAID + "If memory serves, we met ten days ago.", "date 2024-03-03"),
        (SAID + "I could do Saturday if that's any help.", "date 2024-03-16"),
        (SAID + "Rent is due on the 28th of the current month.", "date 2024-03-28"),
        (SAID + "The loaf comes out in exactly 40 minutes.", "time 00:20"),
        (SAID + "The loaf comes out in exactly 40 minutes.", "date 2024-03-14"),
    ],
)
def test_reads_times_told_plainly(text: str, fact: str) -> None:
    assert fact in implied(text)


@pytest.mark.parametrize(
    "text",
    [
        SAID + "Take the key just in case he comes on Friday.",
        SAID + "Assuming we win, the final is on Saturday.",
        SAID + "If I know the date, I leave on Saturday.",
        SAID + "I could come on Friday if you paid me.",
        SAID + "It comes out in about 40 minutes.",
    ],
)
def test_leaves_what_hangs_on_a_condition(text: str) -> None:
    assert not {each for each in implied(text) if each.startswith("date")}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        (SAID + "It is open next month.", "month 2024-04"),
        (SAID + "The instalment due at Christmas was not paid.", "date 2023-12-25"),
        (SAID + "The sum due at Christmas is large.", "date 2024-12-25"),
    ],
)
def test_reads_what_periods_and_records_bound(text: str, fact: str) -> None:
    assert fact in implied(text)


@pytest.mark.parametrize(
    "text",
    [
        SAID + "The van is full. Ninety today, a hundred on order.",
        SAID + "Twenty-nine again today!",
        SAID + "Friday is just a rumour.",
        "Room 1: 12 Jan 2021. Lease 2: 30 Mar 2021.",
    ],
)
def test_reads_nothing_from_games_sayings_and_other_labels(text: str) -> None:
    assert not implied(text) - {"time 23:40"}
