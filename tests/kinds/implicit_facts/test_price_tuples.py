"""Tuple sets of prices."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline.errors import InputError
from leadline.kinds.implicit_facts.arithmetic import BOUNDS, PriceTuple, draw_prices, fits

styles = st.sampled_from(sorted(BOUNDS))
seeds = st.integers(0, 10_000)
sizes = st.integers(1, 40)


def prices(drawn: list[PriceTuple]) -> list[int]:
    return [each.base for each in drawn] + [each.target for each in drawn]


@pytest.mark.parametrize("algorithm", ["tens", "printed"])
@given(styles, sizes, seeds)
@settings(max_examples=40, deadline=None)
def test_all_prices_of_a_set_are_distinct_and_in_bounds(
    algorithm: str, style: str, size: int, seed: int
) -> None:
    drawn = draw_prices(style, size, random.Random(seed), algorithm)  # type: ignore[arg-type]
    lower, upper = BOUNDS[style]
    assert len(drawn) == size
    assert len(set(prices(drawn))) == 2 * size
    assert all(lower <= price <= upper for price in prices(drawn))


@given(styles, sizes, seeds)
@settings(max_examples=40, deadline=None)
def test_the_target_follows_exactly_from_the_base(style: str, size: int, seed: int) -> None:
    for each in draw_prices(style, size, random.Random(seed)):
        assert 1 < each.ratio < 3
        assert (each.ratio * 100).denominator == 1
        lower = each.direction == "Lower"
        assert each.target == (each.base / each.ratio if lower else each.base * each.ratio)
        assert lower == (each.target < each.base)


@given(styles, sizes, seeds)
@settings(max_examples=40, deadline=None)
def test_targets_are_evenly_spread_tens(style: str, size: int, seed: int) -> None:
    drawn = draw_prices(style, size, random.Random(seed))
    lower, upper = BOUNDS[style]
    step = (upper - lower) // size
    assert all(price % 10 == 0 for price in prices(drawn))
    for i, each in enumerate(drawn):  # every cell of the grid, rounded to tens, holds one target
        assert lower + i * step - 5 <= each.target < lower + (i + 1) * step + 5
    assert all(one.target < other.target for one, other in pairwise(drawn))


@given(styles, seeds)
@settings(max_examples=30, deadline=None)
def test_the_printed_algorithm_keeps_to_the_grid(style: str, seed: int) -> None:
    lower, upper = BOUNDS[style]
    step = (upper - lower) // 30
    for i, each in enumerate(draw_prices(style, 30, random.Random(seed), "printed")):
        assert lower + i * step <= each.target < lower + (i + 1) * step
        assert each.base % 10 == 0


def test_the_printed_algorithm_has_prices_that_are_no_tens() -> None:
    # Forum grid: 50, 50 + 66, 50 + 132, ...: 116 is no multiple of 10.
    drawn = draw_prices("multispeaker", 30, random.Random(1), "printed")
    assert any(each.target % 10 for each in drawn)


@pytest.mark.parametrize(
    ("base", "target", "fit"),
    [
        (2000, 1600, True),  # 1.25
        (100, 299, True),  # 2.99
        (100, 300, False),  # 3 is not below 3
        (500, 500, False),  # 1 says nothing
        (300, 400, False),  # 1.333...
        (1600, 1250, True),  # 1.28
        (800, 690, False),  # 1.1594...
    ],
)
def test_a_ratio_has_two_decimals_and_is_below_three(base: int, target: int, fit: bool) -> None:
    assert fits(base, target) is fit


def test_a_set_that_the_bounds_cannot_hold_is_refused() -> None:
    with pytest.raises(InputError, match="1 to 100 tuples, got 101"):
        draw_prices("multispeaker", 101, random.Random(0))
    with pytest.raises(InputError, match="got 0"):
        draw_prices("multispeaker", 0, random.Random(0))


def test_ratios_are_exact_fractions() -> None:
    [first, *_] = draw_prices("unispeaker", 30, random.Random(3))
    assert isinstance(first.ratio, Fraction)
