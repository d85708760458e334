"""Which half of the day a time without am or pm lies in, by what happens then and before."""

from __future__ import annotations

import re
from collections.abc import Sequence

from leadline.enrichers.read.times.clock_times import Clock
from leadline.enrichers.words import patterns

_NOON = 720
_ABOUT, _LEAD = 150, 60
"""Characters around a time for words of the night, and back to an act."""
_WAKING = 420
"""Minutes after noon until which people are up and about rather than in the other half."""
_P = patterns("clock_halves")
_EARLY = re.compile(_P["early"])
_ACTS = re.compile(_P["acts"])


def told_on(lower: str, clocks: Sequence[Clock]) -> list[Clock]:
    """Settle the times of a sentence that it leaves open.

    Shops close late and people rise early. From noon to before seven people are up and about
    rather than in the other half, where nothing speaks of night or morning. All others stay open.
    """
    found: list[Clock] = []
    for clock in clocks:
        if clock.is_worded and not clock.is_certain:
            clock = _by_act(lower, clock) or _by_day(lower, clock)
        found.append(clock)
    return found


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
