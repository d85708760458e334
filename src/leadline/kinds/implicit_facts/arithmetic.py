"""Tuple sets of prices: a base price, a multiplier, and the price that follows."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from leadline.errors import InputError

BOUNDS = {"multispeaker": (50, 2050), "unispeaker": (50, 3050)}
"""Lowest and highest price in dollars for forums and for chats."""

LARGEST_RATIO = 3
MOST_ATTEMPTS = 1_000
MOST_RESTARTS = 1_000

Algorithm = Literal["tens", "printed"]


@dataclass(frozen=True)
class PriceTuple:
    """((base, ratio, direction), target): the target price follows from the other three.

    ratio      the larger price divided by the smaller, at most two decimals, below 3
    direction  of the target as seen from the base
    """

    base: int
    ratio: Fraction
    direction: Literal["Lower", "Higher"]
    target: int


def draw_prices(
    style: str, size: int, rng: random.Random, algorithm: Algorithm = "tens"
) -> list[PriceTuple]:
    """Return a tuple set, targets ascending, evenly spread, all prices distinct.

    style      "multispeaker" or "unispeaker": which bounds
    algorithm  "tens" rounds the grid to multiples of 10 and raises a target that finds no base
               by 10, so that every price is a multiple of 10; "printed" raises by 1, as the
               listing in the paper has it, although its text asks for multiples of 10

    Raises InputError when the size does not fit the bounds.
    Source: ImpliRet, appendix A.1, algorithm 1.
    """
    lower, upper = BOUNDS[style]
    step = (upper - lower) // size if size > 0 else 0
    raise_by = 10 if algorithm == "tens" else 1
    if step < 2 * raise_by:
        most = (upper - lower) // (2 * raise_by)
        raise InputError(f"A set of prices for {style} takes 1 to {most} tuples, got {size}.")
    grid = [lower + i * step for i in range(size + 1)]
    if algorithm == "tens":
        grid = [10 * round(point / 10) for point in grid]
    for _ in range(MOST_RESTARTS):
        tuples = _attempt(grid, (lower, upper), raise_by, rng)
        if tuples is not None:
            return tuples
    raise InputError(f"Found no {size} prices for {style}. Ask for fewer tuples.")


def fits(base: int, target: int) -> bool:
    """Tell whether the ratio of the prices is above 1, below 3 and has at most two decimals."""
    larger, smaller = max(base, target), min(base, target)
    return smaller < larger < LARGEST_RATIO * smaller and larger * 100 % smaller == 0


def _attempt(
    grid: list[int], bounds: tuple[int, int], raise_by: int, rng: random.Random
) -> list[PriceTuple] | None:
    used: set[int] = set()
    tuples: list[PriceTuple] = []
    for point, following in pairwise(grid):
        target = point
        while (base := _base(target, used, bounds, rng)) is None:
            target += raise_by
            if target >= following:
                return None
        used |= {base, target}
        ratio = Fraction(max(base, target), min(base, target))
        tuples.append(PriceTuple(base, ratio, "Lower" if target < base else "Higher", target))
    return tuples


def _base(target: int, used: set[int], bounds: tuple[int, int], rng: random.Random) -> int | None:
    if target in used:
        return None
    lowest, highest = -(-bounds[0] // 10), bounds[1] // 10
    for _ in range(MOST_ATTEMPTS):
        base = 10 * rng.randint(lowest, highest)
        if base not in used and fits(base, target):
            return base
    return None
