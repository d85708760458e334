"""Times computed from other times: arrivals, shifts, and slots of activities."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

from leadline_facts.propose.times.scenes import Span
from leadline_facts.read.times.clock_times import Clock, find_clocks
from leadline_facts.read.times.lengths import LENGTH_PATTERN, read_length
from leadline_facts.words import patterns

_NOON = 720
_ABOUT = 150
"""Characters around a time for words of the night."""
_WAKING = 420
"""Minutes after noon until which people are up and about rather than in the other half."""
_P = patterns("clock_arithmetic", length_pattern=LENGTH_PATTERN)
_EARLY = re.compile(_P["early"])


def _by_day(lower: str, clock: Clock) -> Clock:
    """Settle a time that a sentence leaves open.

    From noon to before seven people are up and about rather than in the other half, where nothing
    speaks of night or morning. All others stay open.
    """
    near = (max(0, clock.start - _ABOUT), clock.end + _ABOUT)
    if not clock.is_worded or clock.is_certain:
        return clock
    if clock.minute % _NOON >= _WAKING or _EARLY.search(lower, *near):
        return clock
    return Clock(clock.start, clock.end, clock.minute % _NOON + _NOON, True, True)


DAY = 1440


@dataclass(frozen=True, slots=True)
class Moment:
    """A time of day that a sentence tells.

    minute   since midnight of the day it counts from; 1440 and more lie on the next
    base     span of the time it was reckoned from, None for a time told as such
    """

    minute: int
    span: Span
    role: str
    confidence: float
    base: Span | None = None


@dataclass(frozen=True, slots=True)
class Slot:
    """From when until when something lasts, in minutes since midnight of the first day."""

    start: int
    end: int
    span: Span
    is_reckoned: bool


@dataclass(slots=True)
class Dial:
    """The times told, the last of which `an hour later` counts from, and that of the message.

    here  times told in the sentence at hand
    """

    last: tuple[int, Span] | None = None
    here: list[Clock] = field(default_factory=list)
    now: int | None = None
    stamp: Span = (0, 0)


def read_times(lower: str, start: int, end: int, dial: Dial) -> tuple[list[Moment], list[Slot]]:
    """Return the times and slots of a sentence in lower case, and move the dial on."""
    dial.here = []
    if not _TRIGGER.search(lower, start, end):
        return [], []
    clocks = dial.here = [_by_day(lower, each) for each in find_clocks(lower, start, end)]
    slots = list(_slots(lower, end, clocks))
    reckoned = [slot for slot in slots if slot.is_reckoned]
    events: list[tuple[int, Clock | re.Match[str]]] = [(each.start, each) for each in clocks]
    events += [(each.start(), each) for each in _SHIFT.finditer(lower, start, end)]
    moments: list[Moment] = []
    for at, event in sorted(events, key=lambda pair: pair[0]):
        if isinstance(event, Clock):
            if event.is_certain:
                moments.append(_told(event))
                dial.last = (event.minute, (event.start, event.end))
        elif any(slot.span[0] <= at < slot.span[1] for slot in reckoned):
            continue
        elif found := _shifted(event, clocks, dial):
            moments.append(found)
            dial.last = (found.minute, found.span)
    for slot in reckoned:
        moments.append(Moment(slot.end, slot.span, "derived", 0.85))
        dial.last = (slot.end, slot.span)
    return moments, slots


_TRIGGER = re.compile(_P["trigger"])
_SHIFT = re.compile(_P["shift"])
_TAKES = re.compile(_P["takes"])
_FAR = 250
"""Characters back to the time from which `for an hour` leads on, at most."""
_VAGUE = re.compile(_P["vague"])
_LINK = re.compile(r",?\s?(?:to|until|till|through|–|—|-)\s?")
_AND = re.compile(r"\s?(?:and|to|–|-)\s?")
_SPAN_LENGTH = re.compile(_P["span_length"])
_APPOSED = re.compile(r"\s?[,(–—-]\s?(?:just\s|exactly\s|some\s)?")
_THING = re.compile(_P["thing"])


def _slots(lower: str, end: int, clocks: list[Clock]) -> Iterator[Slot]:
    for clock, after in zip_longest(clocks, clocks[1:]):
        if not clock.is_certain:
            continue
        link = _AND if lower.endswith("between ", 0, clock.start) else _LINK
        if found := _SPAN_LENGTH.match(lower, clock.end, end):
            length = read_length(found["until"] or found["for"])
            if length and length.is_short:
                last = clock.minute + length.minutes
                yield Slot(clock.minute, last, (clock.start, found.end()), True)
        elif after and after.is_certain and link.fullmatch(lower[clock.end : after.start]):
            last = after.minute if after.minute > clock.minute else after.minute + DAY
            yield Slot(clock.minute, last, (clock.start, after.end), False)


def _told(clock: Clock) -> Moment:
    role = "derived" if clock.is_worded else "stated"
    return Moment(clock.minute, (clock.start, clock.end), role, 0.9 if clock.is_worded else 1.0)


def _shifted(match: re.Match[str], clocks: list[Clock], dial: Dial) -> Moment | None:
    """Return the time that a length leads to, from a time of the sentence or the last one told."""
    length, text = read_length(match["length"]), match.string
    before = text[max(0, match.start() - 30) : match.start()]
    if length is None or not length.is_short or _VAGUE.search(before):
        return None
    way, minutes, span = match["way"], length.minutes, match.span()
    if way in ("before", "after", "past", "to") and not match["that"]:
        sign = -1 if way in ("before", "to") else 1
        beside = next((each for each in clocks if _governs(match, each)), None)
        if beside and beside.is_certain:
            start = DAY if beside.minute == 0 and sign < 0 else beside.minute
            return Moment(start + sign * minutes, span, "derived", 0.9, (beside.start, beside.end))
        if ended := _ended_at(match, clocks):
            base = (ended.start, ended.end)
            return Moment(ended.minute - sign * minutes, span, "derived", 0.75, base)
    if way in ("ago", "from now", "to go") or (not way and (match["within"] or match["s_time"])):
        if dial.now is None:
            return None
        sign = -1 if way == "ago" else 1
        return Moment(dial.now + sign * minutes, span, "derived", 0.7, dial.stamp)
    last = dial.last
    if last and not match["that"] and match.start() - last[1][1] > _FAR:
        return None
    if last is None and way in ("after", "before") and dial.now is not None:
        last = (dial.now, dial.stamp)
    if last is None or (way is None and (match["within"] or not _TAKES.search(before))):
        return None
    # what is earlier on my clock than on yours is later on yours
    sign = -1 if (way in ("earlier", "before")) != bool(match["zone"]) else 1
    return Moment(last[0] + sign * minutes, span, "derived", 0.8 if way else 0.75, last[1])


def _governs(match: re.Match[str], clock: Clock) -> bool:
    """Tell whether `45 minutes before` leads to a time: `before noon`."""
    return 0 <= clock.start - match.end() <= 12


def _ended_at(match: re.Match[str], clocks: list[Clock]) -> Clock | None:
    """Return the time of `home at 18:00, an hour after the call`, which counts from the call."""
    before = [each for each in clocks if each.is_certain and each.end <= match.start()]
    if not before or not _THING.match(match.string, match.end()):
        return None
    return before[-1] if _APPOSED.fullmatch(match.string, before[-1].end, match.start()) else None
