"""Tuple sets of days: dates of a forum thread, and the four-week schedule of a speaker."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Literal

from leadline.errors import InputError

WINDOW = (date(2024, 1, 1), date(2024, 12, 31))
SHORTEST_GAP, LONGEST_GAP, TAIL = 2, 7, 14
"""Days between the dates of a thread, and from the last of them to the end of the window."""

BLOCK = 14
DAY_STARTS, DAY_ENDS = 7, 19
SHORTEST_SLOT, LONGEST_SLOT = 2, 4
CONSECUTIVE, SEPARATE, SINGLE = (3, 3, 4), (2, 2, 3), 9
"""Days of the activities in a block of 14 days."""

SCHEDULE_SIZE = 2 * (len(CONSECUTIVE) + len(SEPARATE) + SINGLE)
_MOST_TRIES = 1_000

Pattern = Literal["consecutive", "separate", "single"]


@dataclass(frozen=True)
class DateTuple:
    """((message, offset), target): something was done `offset` days before the message."""

    message: date
    offset: int
    target: date


@dataclass(frozen=True)
class ActivityTuple:
    """((message, differences), days): an activity with the same hours on each of its days.

    start, end  full hours, 2 to 4 apart, between 7 and 19
    asked       a day of it and an hour strictly inside: what the question names
    message     the asked time of another activity: when the conversation begins
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


def draw_dates(size: int, rng: random.Random) -> list[DateTuple]:
    """Return the tuples of a thread, targets ascending with gaps of 2 to 7 days.

    The message of one is written on the target day of the next; the last one 1 to 7 days after
    its own. The last target lies at least 14 days before the end of the window.

    Raises InputError when so many dates do not fit the window.
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
            *activity, time_asked,
            rng.choice([each for each in asked if each.date() != time_asked.date()]),
        )
        for activity, time_asked in zip(activities, asked, strict=True)
    ]  # fmt: skip


_Placed = tuple[Pattern, tuple[int, ...], tuple[int, int]]


def _block(rng: random.Random) -> list[_Placed]:
    """Place the 15 activities of a block; begin again when one finds no room."""
    while True:
        free = [[True] * DAY_ENDS for _ in range(BLOCK)]
        placed: list[_Placed] = []
        wanted: list[tuple[Pattern, int]] = [
            *(("consecutive", count) for count in CONSECUTIVE),
            *(("separate", count) for count in SEPARATE),
            *(("single", 1) for _ in range(SINGLE)),
        ]
        for pattern, count in wanted:
            found = _place(pattern, count, free, rng)
            if found is None:
                break
            placed.append(found)
        else:
            return placed


def _place(
    pattern: Pattern, count: int, free: list[list[bool]], rng: random.Random
) -> _Placed | None:
    for _ in range(_MOST_TRIES):
        length = rng.randint(SHORTEST_SLOT, LONGEST_SLOT)
        start = rng.randint(DAY_STARTS, DAY_ENDS - length)
        days = _days(pattern, count, rng)
        hours = range(start, start + length)
        if all(free[day][hour] for day in days for hour in hours):
            for day in days:
                for hour in hours:
                    free[day][hour] = False
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
