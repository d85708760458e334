"""Tuple sets of prices, of dates and of a schedule."""

import random
from collections import Counter
from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline.errors import InputError
from leadline.kinds.implicit_facts.pools import (
    BOUNDS,
    WINDOW,
    draw_dates,
    draw_prices,
    draw_schedule,
    fits,
)
from tables import each_row

styles = st.sampled_from(sorted(BOUNDS))
seeds = st.integers(0, 10_000)
START = date(2021, 4, 12)


@given(styles, st.integers(1, 40), seeds)
@settings(max_examples=40, deadline=None)
def test_prices_of_a_set_are_distinct_in_bounds_and_evenly_spread(
    style: str, size: int, seed: int
) -> None:
    drawn = draw_prices(style, size, random.Random(seed))
    prices = [each.base for each in drawn] + [each.target for each in drawn]
    lower, upper = BOUNDS[style]
    step, slack = (upper - lower) // size, 5
    assert len(set(prices)) == 2 * size
    assert all(lower <= price <= upper for price in prices)
    assert all(one.target < other.target for one, other in pairwise(drawn))
    for i, each in enumerate(drawn):  # every cell of the grid holds one target
        assert lower + i * step - slack <= each.target < lower + (i + 1) * step + slack
        assert each.base % 10 == each.target % 10 == 0
        assert 1 < each.ratio < 3 and (each.ratio * 100).denominator == 1
        is_lower = each.direction == "Lower"
        assert each.target == (each.base / each.ratio if is_lower else each.base * each.ratio)


@each_row
def test_a_ratio_has_two_decimals_and_is_below_three(base: int, target: int, fit: bool) -> None:
    assert fits(base, target) is fit


def test_a_set_that_the_bounds_cannot_hold_is_refused() -> None:
    with pytest.raises(InputError, match="1 to 100 tuples, got 101"):
        draw_prices("multispeaker", 101, random.Random(0))
    # 2024 has 366 days: 365 - 14 = 351 from the first to the last, so 175 gaps of 2, 176 dates.
    assert len(draw_dates(176, random.Random(0))) == 176
    with pytest.raises(InputError, match="1 to 176 dates, got 177"):
        draw_dates(177, random.Random(0))


@given(st.integers(1, 60), seeds)
@settings(max_examples=80, deadline=None)
def test_each_message_of_a_thread_is_written_on_the_next_target(size: int, seed: int) -> None:
    drawn = draw_dates(size, random.Random(seed))
    assert len(drawn) == size
    assert WINDOW[0] <= drawn[0].target
    assert drawn[-1].target <= WINDOW[1] - timedelta(days=14)
    assert all(each.message == following.target for each, following in pairwise(drawn))
    assert all(each.message - timedelta(days=each.offset) == each.target for each in drawn)
    assert all(2 <= each.offset <= 7 for each in drawn[:-1]) and 1 <= drawn[-1].offset <= 7


@given(seeds)
@settings(max_examples=60, deadline=None)
def test_a_schedule_has_two_blocks_of_fifteen_activities_in_slots_of_their_own(seed: int) -> None:
    drawn = draw_schedule(START, random.Random(seed))
    middle = START + timedelta(days=14)
    for first, block in ((START, drawn[:15]), (middle, drawn[15:])):
        assert Counter((each.pattern, len(each.days)) for each in block) == {
            ("consecutive", 3): 2, ("consecutive", 4): 1,
            ("separate", 2): 2, ("separate", 3): 1, ("single", 1): 9,
        }  # fmt: skip
        last = first + timedelta(days=13)
        assert all(first <= day <= last for each in block for day in each.days)
    for each in drawn:
        gaps = {(later - earlier).days for earlier, later in pairwise(each.days)}
        assert gaps == {1} if each.pattern == "consecutive" else 1 not in gaps
        assert 2 <= each.end - each.start <= 4 and 7 <= each.start < each.end <= 19
    hours = [(day, h) for each in drawn for day in each.days for h in range(each.start, each.end)]
    assert len(set(hours)) == len(hours)


@given(seeds)
@settings(max_examples=60, deadline=None)
def test_a_question_names_an_hour_of_one_activity_and_its_message_that_of_another(
    seed: int,
) -> None:
    drawn = draw_schedule(START, random.Random(seed))
    for each in drawn:
        assert each.asked.date() in each.days
        assert each.start < each.asked.hour < each.end and each.asked.minute == 0
        assert each.message in {other.asked for other in drawn if other is not each}
        assert each.message.date() != each.asked.date()
