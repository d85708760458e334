"""Words about times that name none, and times counted from what the words name."""

from __future__ import annotations

import pytest

from derived import derived_times


@pytest.mark.parametrize(
    "text",
    [
        "Posted 3 March 2024. I read 'Yesterday's Tiffin' on one train journey.",
        "16 May 2023. The company last night declined to say when the ban would end.",
        "8 Nov 2017: a bloke at the stop says they shut for good on Monday.",
        "Fri 17 Jan 2020. He'd be a wagon, in ten years or in a hundred.",
        "6 May 2023. This novel promises the day after tomorrow and delivers the week before last.",
        "22 Aug 2021. He claims to have finished it yesterday.",
        "2 December 2019. It's always Friday afternoon when the boiler goes.",
        "23 March 2021. In the old days the fair began on the first Saturday of the month.",
        "11 May 2020. The album Seven Days Later is out now.",
        "16 January 2020. We might go away on Friday.",
        "12 June 2021. The grass is cut on the first and third Tuesday of every month.",
        "21 Mar 2020. It feels like Thursday.",
        "26 Nov 2020. The petition asks that the market be moved to Sunday.",
        "11 May 2021. Is it weds or thurs that they collect paper?",
        "11 May 2021. The choir meets on the first Tuesday of the month.",
        "11 May 2021. Glass is collected every second Thursday.",
        "11 May 2021. Rehearsals: last Wednesday of each month.",
        "11 May 2021. In a shop like ours every day is Black Friday.",
        "11 May 2021. They showed 28 Days Later after the quiz.",
        "11 May 2021. A flood like this comes once in a hundred years.",
    ],
)
def test_days_that_nobody_vouches_for_give_nothing(text: str) -> None:
    assert derived_times(text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # past: they were handed in
        ("2 May 2022. They were handed in after the due date of 31 March.", "2022-03-31"),
        # 29 January + 30 days
        ("2 May 2022. The water is turned on two days after this meeting.", "2022-05-04"),
        # 18 September 2023 is a Monday; the Friday of the week after is the 29th
        # 10 May 2022 is a Tuesday
        (
            "3 May 2022. It opens on 10 May and ends on the Saturday of that week.",
            "2022-05-14",
        ),
    ],
)
def test_a_day_is_counted_from_what_is_named(text: str, value: str) -> None:
    assert ("date", value) in derived_times(text)


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("11 May 2021. Guided tours at 11:00 and 14:30.", None),
        ("11 May 2021. He won at chess after six and a half hours, in the evening.", None),
        ("11 May 2021. The road was closed between 11:00 and 14:30.", 210),
    ],
)
def test_two_times_are_a_stretch_only_between_them(text: str, minutes: int | None) -> None:
    lengths = [value for kind, value in derived_times(text) if kind in ("duration", "time")]
    assert lengths == ([{"amount": minutes, "unit": "minute"}] if minutes else [])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # the last Thursday of May 2021
        ("11 May 2021. Next meeting: last Thursday of the month.", "2021-05-27"),
        ("11 May 2021. We will meet on the last Thursday of the month.", "2021-05-27"),
        # the Friday after Tuesday, 11 May 2021
        ("11 May 2021. Training starts on Friday, 06:30-08:30.", "2021-05-14"),
    ],
)
def test_a_day_beside_a_habit_is_still_read(text: str, value: str) -> None:
    assert ("date", value) in derived_times(text)


def test_days_on_which_something_is_open_are_no_dates() -> None:
    told = derived_times("11 May 2021. Swimming Monday to Friday 06:30-08:30.")
    assert not {"date", "date_range"} & {kind for kind, _ in told}


@pytest.mark.parametrize(
    "text",
    [
        # one of two, whatever the other is
        "11 May 2021. The poll is on Friday or it is put off.",
        "11 May 2021 Ann: dinner thurs?\nBea: or not at all",
        # a question that is answered by no
        "11 May 2021 Ann: barbecue on Saturday?\n11 May 2021 Bea: no, my back is bad",
        # nothing is settled
        "11 May 2021. Friday is doubtful, I will tell you.",
        "11 May 2021. Mr Penn proposes Friday. It is not yet decided.",
        # habits
        "11 May 2021. Cards are on Thursdays. Rehearsals: Tuesday, seven o'clock sharp.",
        # names
        "11 May 2021. The new typist is a Miss Friday.",
        "11 May 2021. Trading at the Sunday Street branch goes well.",
    ],
)
def test_days_that_are_open_or_habits_or_names_give_nothing(text: str) -> None:
    assert [each for each in derived_times(text) if each[0] == "date"] == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # 16 days ahead, though the verb is past; a year earlier it would be 349 days back
        ("14 March 2025. Lunch is listed, 30 March, and all tables taken.", "2025-03-30"),
        # what the verb says counts where both are near: 8 days back, 20 ahead
        ("13 May 2021. The mower came back on the 5th.", "2021-05-05"),
        # the month spoken of is two back: 20 August is 9 days ahead, 20 June 52 back
        ("11 August 2008. They said no in July. The council decides on the 20th.", "2008-08-20"),
        # no tense: 6 March is 8 days ahead, 6 February 20 back
        ("26 February 2021. Rent: the 6th.", "2021-03-06"),
    ],
)
def test_the_nearest_day_is_meant_unless_the_tense_says_otherwise(text: str, value: str) -> None:
    assert ("date", value) in derived_times(text)
