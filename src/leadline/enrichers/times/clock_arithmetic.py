"""Times reckoned from other times: arrivals, shifts, and the slots that activities take."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

from leadline.enrichers.read.times.clock_times import Clock, find_clocks, in_half_after, in_half_of
from leadline.enrichers.read.times.lengths import LENGTH_PATTERN, read_length
from leadline.enrichers.times.clock_halves import told_on
from leadline.enrichers.times.scenes import Span
from leadline.enrichers.words import patterns

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
    told  the times told so far, with the words that led up to each
    """

    last: tuple[int, Span] | None = None
    here: list[Clock] = field(default_factory=list)
    now: int | None = None
    stamp: Span = (0, 0)
    told: list[tuple[int, Span, str]] = field(default_factory=list)

    def move(self, minute: int, span: Span, lower: str) -> None:
        """Make a time the last one told."""
        self.last = (minute, span)
        self.told.append((minute, span, lower[max(0, span[0] - 30) : span[0]]))

    def named(self, words: str) -> tuple[int, Span] | None:
        """Return the time whose words share a stem with these, else the last one told."""
        stems = _stems(words)
        shared = (each for each in reversed(self.told) if stems & _stems(each[2]))
        return next(((minute, span) for minute, span, _ in shared), self.last)


def read_times(lower: str, start: int, end: int, dial: Dial) -> tuple[list[Moment], list[Slot]]:
    """Return the times and slots of a sentence in lower case, and move the dial on."""
    dial.here = []
    if not _TRIGGER.search(lower, start, end):
        return [], []
    clocks = told_on(lower, _settled(lower, list(find_clocks(lower, start, end))))
    clocks = dial.here = _settled(lower, clocks)
    slots = list(_slots(lower, end, clocks))
    reckoned = [slot for slot in slots if slot.is_reckoned]
    events: list[tuple[int, Clock | re.Match[str]]] = [(each.start, each) for each in clocks]
    events += [(each.start(), each) for each in _SHIFT.finditer(lower, start, end)]
    moments: list[Moment] = []
    for at, event in sorted(events, key=lambda pair: pair[0]):
        if isinstance(event, Clock):
            if event.is_certain:
                moments.append(_told(event))
                dial.move(event.minute, (event.start, event.end), lower)
        elif any(slot.span[0] <= at < slot.span[1] for slot in reckoned):
            continue
        elif found := _shifted(event, clocks, dial):
            moments.append(found)
            dial.move(found.minute, found.span, lower)
    for slot in reckoned:
        moments.append(Moment(slot.end, slot.span, "derived", 0.85))
        dial.move(slot.end, slot.span, lower)
    return moments, slots


_P = patterns("clock_arithmetic", length_pattern=LENGTH_PATTERN)
_TRIGGER = re.compile(_P["trigger"])
_SHIFT = re.compile(_P["shift"])
_TAKES = re.compile(_P["takes"])
_FAR = 250
"""Characters back to the time from which `for an hour` leads on, at most."""
_VAGUE = re.compile(_P["vague"])
_LINK = re.compile(r",?\s?(?:to|until|till|through|and|–|—|-)\s?")
_SPAN_LENGTH = re.compile(_P["span_length"])
_APPOSED = re.compile(r"\s?[,(–—-]\s?(?:just\s|exactly\s|some\s)?")
_THING = re.compile(_P["thing"])


def _settled(lower: str, clocks: list[Clock]) -> list[Clock]:
    """Give `from three to six in the afternoon` both its halves of the day."""
    for number in range(len(clocks) - 1):
        first, second = clocks[number], clocks[number + 1]
        if _LINK.fullmatch(lower[first.end : second.start]):
            first = _bare(lower, first, second)
            clocks[number] = in_half_of(first, second)
            clocks[number + 1] = in_half_after(second, first)
    return clocks


def _bare(lower: str, first: Clock, second: Clock) -> Clock:
    """Leave open which half of the day `3:00` is in, where `to 5:00 p.m.` follows."""
    bare = re.fullmatch(r"(?:1[0-2]|[1-9]):[0-5]\d", lower[first.start : first.end])
    if not bare or not re.search(r"\d\s?p\.?m", lower[second.start : second.end]):
        return first
    return Clock(first.start, first.end, first.minute % 720, False, True)


def _slots(lower: str, end: int, clocks: list[Clock]) -> Iterator[Slot]:
    for clock, after in zip_longest(clocks, clocks[1:]):
        if not clock.is_certain:
            continue
        if found := _SPAN_LENGTH.match(lower, clock.end, end):
            length = read_length(found["until"] or found["for"])
            if length and length.is_short:
                last = clock.minute + length.minutes
                yield Slot(clock.minute, last, (clock.start, found.end()), True)
        elif after and after.is_certain and _LINK.fullmatch(lower[clock.end : after.start]):
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
    after = text[match.end() : match.end() + 30] if way in ("before", "after") else ""
    last = dial.named(re.split(r"[,.;:!?]", after)[0])
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


def _stems(words: str) -> set[str]:
    return {word[:5] for word in re.findall(r"[a-z]{5,}", words)}
