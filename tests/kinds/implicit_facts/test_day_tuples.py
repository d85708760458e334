"""Tuple sets of dates and schedules."""

from __future__ import annotations

import random
from collections import Counter
from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline.errors import InputError
from leadline.kinds.implicit_facts.temporal import (
    WINDOW,
    ActivityTuple,
    draw_dates,
    draw_schedule,
)

seeds = st.integers(0, 10_000)
START = date(2021, 4, 12)


def schedule(seed: int) -> list[ActivityTuple]:
    return draw_schedule(START, random.Random(seed))


@given(st.integers(1, 60), seeds)
@settings(max_examples=80, deadline=None)
def test_dates_of_a_thread_lie_two_to_seven_days_apart_in_the_window(size: int, seed: int) -> None:
    drawn = draw_dates(size, random.Random(seed))
    targets = [each.target for each in drawn]
    assert len(drawn) == size
    assert all(2 <= (later - earlier).days <= 7 for earlier, later in pairwise(targets))
    assert WINDOW[0] <= targets[0]
    assert targets[-1] <= WINDOW[1] - timedelta(days=14)


@given(seeds)
@settings(max_examples=60, deadline=None)
def test_a_message_is_written_on_the_next_target(seed: int) -> None:
    drawn = draw_dates(30, random.Random(seed))
    for each, following in pairwise(drawn):
        assert each.message == following.target
    assert all(each.message - timedelta(days=each.offset) == each.target for each in drawn)
    assert all(2 <= each.offset <= 7 for each in drawn[:-1])
    assert 1 <= drawn[-1].offset <= 7


def test_more_dates_than_the_window_holds_are_refused() -> None:
    # 2024 has 366 days: 365 - 14 = 351 from the first to the last, so 175 gaps of 2, 176 dates.
    assert len(draw_dates(176, random.Random(0))) == 176
    with pytest.raises(InputError, match="1 to 176 dates, got 177"):
        draw_dates(177, random.Random(0))


@given(seeds)
@settings(max_examples=60, deadline=None)
def test_no_two_activities_take_the_same_hour(seed: int) -> None:
    taken = Counter(
        (day, hour)
        for each in schedule(seed)
        for day in each.days
        for hour in range(each.start, each.end)
    )
    assert max(taken.values()) == 1


@given(seeds)
@settings(max_examples=60, deadline=None)
def test_a_schedule_has_two_blocks_of_fifteen_activities(seed: int) -> None:
    drawn = schedule(seed)
    middle = START + timedelta(days=14)
    for block in (drawn[:15], drawn[15:]):
        shapes = Counter((each.pattern, len(each.days)) for each in block)
        assert shapes == {
            ("consecutive", 3): 2, ("consecutive", 4): 1,
            ("separate", 2): 2, ("separate", 3): 1, ("single", 1): 9,
        }  # fmt: skip
    assert all(START <= day < middle for each in drawn[:15] for day in each.days)
    assert all(
        middle <= day < middle + timedelta(days=14) for each in drawn[15:] for day in each.days
    )


@given(seeds)
@settings(max_examples=60, deadline=None)
def test_days_of_an_activity_are_in_a_row_or_apart(seed: int) -> None:
    for each in schedule(seed):
        gaps = [(later - earlier).days for earlier, later in pairwise(each.days)]
        if each.pattern == "consecutive":
            assert set(gaps) == {1}
        else:
            assert all(gap >= 2 for gap in gaps)


@given(seeds)
@settings(max_examples=60, deadline=None)
def test_slots_take_two_to_four_hours_between_seven_and_nineteen(seed: int) -> None:
    for each in schedule(seed):
        assert 2 <= each.end - each.start <= 4
        assert 7 <= each.start < each.end <= 19


@given(seeds)
@settings(max_examples=60, deadline=None)
def test_the_question_names_an_hour_inside_the_slot(seed: int) -> None:
    for each in schedule(seed):
        assert each.asked.date() in each.days
        assert each.start < each.asked.hour < each.end
        assert each.asked.minute == 0


@given(seeds)
@settings(max_examples=60, deadline=None)
def test_a_message_comes_at_the_asked_time_of_another_activity(seed: int) -> None:
    drawn = schedule(seed)
    for each in drawn:
        others = {other.asked for other in drawn if other is not each}
        assert each.message in others
        assert each.message.date() != each.asked.date()


@given(seeds)
@settings(max_examples=60, deadline=None)
def test_exactly_one_activity_holds_the_asked_time(seed: int) -> None:
    drawn = schedule(seed)
    for each in drawn:
        holders = [
            other
            for other in drawn
            if each.asked.date() in other.days and other.start <= each.asked.hour < other.end
        ]
        assert holders == [each]


def test_differences_count_from_the_message_to_each_day() -> None:
    # 12, 13 and 14 April seen from 16 April.
    activity = ActivityTuple(
        "consecutive", (date(2021, 4, 12), date(2021, 4, 13), date(2021, 4, 14)), 9, 11,
        asked=schedule(0)[0].asked, message=schedule(0)[0].asked.replace(2021, 4, 16),
    )  # fmt: skip
    assert activity.differences == (-4, -3, -2)
