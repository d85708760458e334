"""Which half of the day a time without am or pm lies in, by what happens then and before."""

from __future__ import annotations

import re
from collections.abc import Sequence

from leadline.enrichers.read.times.clock_times import Clock, in_half_after
from leadline.enrichers.words import patterns

_DAY, _NOON = 1440, 720
_SOON = 300
"""Minutes. `The support was on at 19:50, the band at five past nine`."""
_FAR, _ABOUT, _LEAD = 300, 150, 60
"""Characters back to the time before, around a time for words of the night, back to an act."""
_WAKING = 420
"""Minutes after noon until which people are up and about rather than in the other half."""
_P = patterns("clock_halves")
_EARLY = re.compile(_P["early"])
_ACTS = re.compile(_P["acts"])


def told_on(
    lower: str, clocks: Sequence[Clock], last: tuple[int, tuple[int, int]] | None
) -> list[Clock]:
    """Settle the times of a sentence that it leaves open.

    last  minute and span of the time told before the sentence

    A time soon after the one told before lies in its half of the day; shops close late and people
    rise early. From noon to before seven people are up and about rather than in the other half,
    where nothing speaks of night or morning. All others stay open.
    """
    found: list[Clock] = []
    for clock in clocks:
        if clock.is_worded and not clock.is_certain:
            clock = _after(lower, clock, last) or _by_act(lower, clock) or _by_day(lower, clock)
        found.append(clock)
        if clock.is_certain:
            last = clock.minute, (clock.start, clock.end)
    return found


def _after(lower: str, clock: Clock, last: tuple[int, tuple[int, int]] | None) -> Clock | None:
    if last is None or not 0 <= clock.start - last[1][1] < _FAR:
        return None
    if re.search(r"\n|\b(?:every|usual|next|tomorrow)\b", lower[last[1][1] : clock.start]):
        return None
    told = Clock(*last[1], last[0] % _DAY, True, True)
    settled = in_half_after(clock, told)
    return settled if 0 < settled.minute - told.minute <= _SOON else None


def _by_act(lower: str, clock: Clock) -> Clock | None:
    start = max(lower.rfind(mark, 0, clock.start) for mark in (". ", "\n", "; ", "! ", "? "))
    acts = list(_ACTS.finditer(lower, max(start, clock.start - _LEAD, 0), clock.start))
    minute = clock.minute % _NOON
    if not acts or (acts[-1]["rises"] and not 3 * 60 <= minute < 11 * 60):
        return None
    late = acts[-1]["closes"] or (acts[-1]["to_bed"] and minute >= 6 * 60)
    late = late or (acts[-1]["opens"] and minute < 6 * 60)
    return Clock(clock.start, clock.end, minute + _NOON * bool(late), True, True)


def _by_day(lower: str, clock: Clock) -> Clock:
    near = (max(0, clock.start - _ABOUT), clock.end + _ABOUT)
    if clock.minute % _NOON >= _WAKING or _EARLY.search(lower, *near):
        return clock
    return Clock(clock.start, clock.end, clock.minute % _NOON + _NOON, True, True)
