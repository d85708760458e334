"""Tuple sets of the invented pools: a price that follows from another one, days from other days.

Source: ImpliRet, appendix A.1 and A.3.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal

from leadline.errors import InputError

BOUNDS = {"multispeaker": (50, 2050), "unispeaker": (50, 3050)}
"""Lowest and highest price in dollars for forums and for chats."""
LARGEST_RATIO = 3
_MOST_TRIES = 1_000

WINDOW = (date(2024, 1, 1), date(2024, 12, 31))
SHORTEST_GAP, LONGEST_GAP, TAIL = 2, 7, 14
"""Days between the dates of a thread, and from the last of them to the end of the window."""
BLOCK = 14
DAY_STARTS, DAY_ENDS = 7, 19
SHORTEST_SLOT, LONGEST_SLOT = 2, 4
CONSECUTIVE, SEPARATE, SINGLE = (3, 3, 4), (2, 2, 3), 9
"""Days of the activities in a block of 14 days."""
SCHEDULE_SIZE = 2 * (len(CONSECUTIVE) + len(SEPARATE) + SINGLE)

Algorithm = Literal["tens", "printed"]
Pattern = Literal["consecutive", "separate", "single"]


@dataclass(frozen=True)
class PriceTuple:
    """((base, ratio, direction), target): the target price follows from the other three."""

    base: int
    target: int

    @property
    def ratio(self) -> Fraction:
        """The larger price divided by the smaller: at most two decimals, below 3."""
        return Fraction(max(self.base, self.target), min(self.base, self.target))

    @property
    def direction(self) -> Literal["Lower", "Higher"]:
        """Where the target lies as seen from the base."""
        return "Lower" if self.target < self.base else "Higher"

    @property
    def sides(self) -> dict[str, str]:
        """Which of the cheaper ("low") and the dearer thing is the base, and which was bought."""
        low_is_bought = self.direction == "Lower"
        return {"base": "high", "got": "low"} if low_is_bought else {"base": "low", "got": "high"}

    def hint(self, base: str, got: str) -> str:
        """Return the tuple in words."""
        return (
            f"price_1: {base}, {self.base} ** ratio: {float(self.ratio):g}, "
            f"{self.direction.lower()} ** bought: {got}, {self.target}"
        )

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        told = {"base": self.base, "ratio": float(self.ratio), "direction": self.direction}
        return {**told, "target": self.target}


@dataclass(frozen=True)
class DateTuple:
    """((message, offset), target): something was done `offset` days before the message."""

    message: date
    offset: int
    target: date

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        message, target = self.message.isoformat(), self.target.isoformat()
        return {"message": message, "offset": self.offset, "target": target}


@dataclass(frozen=True)
class ActivityTuple:
    """((message, differences), days): an activity with the same hours on each of its days.

    Attributes:
        start, end: full hours, 2 to 4 apart, between 7 and 19
        asked: a day of it and an hour strictly inside: what the question names
        message: the asked time of another activity: when the conversation begins
    """

    pattern: Pattern
    days: tuple[date, ...]
    start: int
    end: int
    asked: datetime
    message: datetime

    @property
    def differences(self) -> tuple[int, ...]:
        """Days from the message to each day of the activity; negative in the past."""
        return tuple((day - self.message.date()).days for day in self.days)

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "pattern": self.pattern,
            "days": [day.isoformat() for day in self.days],
            "hours": [self.start, self.end],
            "asked": self.asked.isoformat(timespec="minutes"),
            "message": self.message.isoformat(timespec="minutes"),
            "differences": list(self.differences),
        }


def draw_prices(
    style: str, size: int, rng: random.Random, algorithm: Algorithm = "tens"
) -> list[PriceTuple]:
    """Return a tuple set, targets ascending, evenly spread, all prices distinct.

    style  "multispeaker" or "unispeaker": which bounds
    algorithm  "tens" rounds the grid to multiples of 10 and raises a target that finds no base
        by 10, so that every price is a multiple of 10; "printed" raises by 1, as the listing
        in the paper has it, although its text asks for multiples of 10

    Raises InputError if the size does not fit the bounds.
    Source: ImpliRet, appendix A.1, algorithm 1.
    """
    lower, upper = BOUNDS[style]
    raise_by = 10 if algorithm == "tens" else 1
    most = (upper - lower) // (2 * raise_by)
    if not 1 <= size <= most:
        raise InputError(f"A set of prices for {style} takes 1 to {most} tuples, got {size}.")
    grid = [lower + i * ((upper - lower) // size) for i in range(size + 1)]
    if algorithm == "tens":
        grid = [10 * round(point / 10) for point in grid]
    for _ in range(_MOST_TRIES):
        if tuples := _prices(grid, (lower, upper), raise_by, rng):
            return tuples
    raise InputError(f"Found no {size} prices for {style}. Ask for fewer tuples.")


def _prices(
    grid: list[int], bounds: tuple[int, int], raise_by: int, rng: random.Random
) -> list[PriceTuple]:
    """Return a tuple for each step of the grid; none if a step has no target with a base."""
    used: set[int] = set()
    tuples: list[PriceTuple] = []
    for target, following in pairwise(grid):
        while (base := _base(target, used, bounds, rng)) is None:
            target += raise_by
            if target >= following:
                return []
        used |= {base, target}
        tuples.append(PriceTuple(base, target))
    return tuples


def _base(target: int, used: set[int], bounds: tuple[int, int], rng: random.Random) -> int | None:
    if target in used:
        return None
    lowest, highest = -(-bounds[0] // 10), bounds[1] // 10
    for _ in range(_MOST_TRIES):
        base = 10 * rng.randint(lowest, highest)
        if base not in used and fits(base, target):
            return base
    return None


def fits(base: int, target: int) -> bool:
    """Tell whether the ratio of the prices is above 1, below 3 and has at most two decimals."""
    larger, smaller = max(base, target), min(base, target)
    return smaller < larger < LARGEST_RATIO * smaller and larger * 100 % smaller == 0


def draw_dates(size: int, rng: random.Random) -> list[DateTuple]:
    """Return the tuples of a thread, targets ascending with gaps of 2 to 7 days.

    The message of one is written on the target day of the next; the last one 1 to 7 days after
    its own. The last target lies at least 14 days before the end of the window.

    Raises InputError if so many dates do not fit the window.
    Source: ImpliRet, appendix A.3.1, algorithm 2, for any number of tuples.
    """
    first, last = WINDOW
    room = (last - first).days - TAIL
    most = room // SHORTEST_GAP + 1
    if not 1 <= size <= most:
        raise InputError(f"A thread takes 1 to {most} dates, got {size}.")
    gaps = [rng.randint(SHORTEST_GAP, LONGEST_GAP) for _ in range(size - 1)]
    while sum(gaps) > room:
        i = rng.randrange(len(gaps))
        gaps[i] = max(SHORTEST_GAP, gaps[i] - 1)
    day = first + timedelta(days=rng.randint(0, room - sum(gaps)))
    tuples = []
    for offset in [*gaps, rng.randint(1, LONGEST_GAP)]:
        following = day + timedelta(days=offset)
        tuples.append(DateTuple(following, offset, day))
        day = following
    return tuples


def draw_schedule(start: date, rng: random.Random) -> list[ActivityTuple]:
    """Return the 30 activities of four weeks, none at the same time as another.

    The message is never written on the day that the question asks for: its stamp would give the
    date away.

    Source: ImpliRet, appendix A.3.2, algorithm 3.
    """
    blocks = [_block(rng) for _ in range(2)]
    activities = [
        (pattern, tuple(start + timedelta(days=day + BLOCK * i) for day in days), *hours)
        for i, block in enumerate(blocks)
        for pattern, days, hours in block
    ]
    asked = [
        datetime.combine(rng.choice(days), time(rng.randrange(first + 1, end)))
        for _, days, first, end in activities
    ]
    return [
        ActivityTuple(
            *each, at, rng.choice([other for other in asked if other.date() != at.date()])
        )
        for each, at in zip(activities, asked, strict=True)
    ]


_Placed = tuple[Pattern, tuple[int, ...], tuple[int, int]]


def _block(rng: random.Random) -> list[_Placed]:
    """Place the 15 activities of a block; begin again when one finds no room."""
    wanted: list[tuple[Pattern, int]] = [
        *(("consecutive", count) for count in CONSECUTIVE),
        *(("separate", count) for count in SEPARATE),
        *(("single", 1) for _ in range(SINGLE)),
    ]
    while True:
        taken: set[tuple[int, int]] = set()
        placed: list[_Placed] = []
        for pattern, count in wanted:
            found = _place(pattern, count, taken, rng)
            if found is None:
                break
            placed.append(found)
        else:
            return placed


def _place(
    pattern: Pattern, count: int, taken: set[tuple[int, int]], rng: random.Random
) -> _Placed | None:
    for _ in range(_MOST_TRIES):
        length = rng.randint(SHORTEST_SLOT, LONGEST_SLOT)
        start = rng.randint(DAY_STARTS, DAY_ENDS - length)
        days = _days(pattern, count, rng)
        hours = {(day, hour) for day in days for hour in range(start, start + length)}
        if not hours & taken:
            taken |= hours
            return pattern, days, (start, start + length)
    return None


def _days(pattern: Pattern, count: int, rng: random.Random) -> tuple[int, ...]:
    """Return days of a block: in a row, or no two of them in a row."""
    if pattern == "consecutive":
        first = rng.randint(0, BLOCK - count)
        return tuple(range(first, first + count))
    # Choosing from a shorter block and spreading by one day each leaves a day between any two.
    chosen = sorted(rng.sample(range(BLOCK - count + 1), count))
    return tuple(day + i for i, day in enumerate(chosen))
