"""Clock times in a text, in digits and words: `half past six in the evening`, `3 p.m.`, `noon`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from leadline_facts.read.times.written_dates import TIME_PATTERN, read_clock
from leadline_facts.words import patterns

_HOURS = [
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    "twelve",
]
_HOUR = rf"(?:{'|'.join(sorted(_HOURS, key=len, reverse=True))}|1[0-2]|[1-9])"
_FIXED = {"noon": 720, "midday": 720, "midnight": 0}
_PAST = {"half": 30, "quarter": 15, "twenty-five": 25, "twenty": 20, "ten": 10, "five": 5}
_P = patterns("clock_times", time_pattern=TIME_PATTERN, hour=_HOUR)
_CLOCK = re.compile(_P["clock"])
_NEAR = re.compile(_P["near"])
_LATE = (
    "afternoon", "evening", "tonight", "dinner", "supper", "dusk", "lunch", "sunset", "nightfall",
    "bedtime", "tea", "matin",
)  # fmt: skip
_EARLY = ("morning", "breakfast", "dawn", "daybreak", "sunrise", "hours")
_NOON = 720


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock time.

    start, end  of the expression in the text
    minute      minutes since midnight; on a twelve-hour dial where the half of the day is unknown
    is_certain  whether the half of the day is known
    is_worded   whether the text leaves the 24-hour value to be worked out
    """

    start: int
    end: int
    minute: int
    is_certain: bool
    is_worded: bool


def find_clocks(lower: str, start: int, end: int) -> Iterator[Clock]:
    """Yield the clock times of a sentence in lower case.

    The half of the day comes from am or pm, from a part of the day beside the time, or from the
    one part of the day that the sentence speaks of.
    """
    closed = start
    for match in _CLOCK.finditer(lower, start, end):
        clock = _read(match)
        if clock is None:
            continue
        if clock.is_worded and not clock.is_certain:
            clock = _in_near_part(lower, clock, closed, start, end)
        closed = clock.end
        yield clock


def _in_near_part(lower: str, clock: Clock, closed: int, start: int, end: int) -> Clock:
    """Settle `lunch at one and dinner at seven` by the word before each, else by the only one.

    closed  end of the time before this one in the sentence lower[start:end]
    """
    before = [found.group() for found in _NEAR.finditer(lower, closed, clock.start)]
    if before:
        return _in_part(clock, before[-1])
    parts = {found.group() for found in _NEAR.finditer(lower, start, end)}
    return _in_part(clock, parts.pop()) if len(parts) == 1 else clock


def _read(match: re.Match[str]) -> Clock | None:
    if match["hour_f"] and not match["lead"]:
        return None
    span = (match.end("lead") if match["lead"] else match.start(), match.end())
    if match["fixed"]:
        return Clock(*span, _FIXED[match["fixed"]], True, False)
    if match["digits"]:
        found = read_clock(match["digits"])
        if found is None:
            return None
        minute, certain = found
        clock = Clock(*span, minute, certain, False)
        if match["part_a"] and not certain:
            return _in_part(clock, match["part_a"])
        # a plain `4:30` is read on the 24-hour clock, as it is written
        return clock if certain else Clock(*span, minute, True, False)
    if match["dotted"]:
        hour, _, minutes = match["dotted"].partition(".")
        return _in_part(Clock(*span, int(hour) * 60 + int(minutes), False, True), match["part_d"])
    if match["past"]:
        return _sided(span, match["past"], match["side"], match["hour_b"], match["part_b"])
    if match["mil"]:
        return Clock(*span, int(match["mil"][:2]) * 60 + int(match["mil"][2:]), True, True)
    hour = match["hour_c"] or match["hour_e"] or match["hour_f"]
    part = match["part_c"] or match["part_e"]
    minute = _hour(hour) * 60 + (30 if match["half"] else 0)
    clock = Clock(*span, minute, False, True)
    return _in_part(clock, part) if part else clock


def _sided(span: tuple[int, int], past: str, side: str, hour: str, part: str | None) -> Clock:
    """Return the time of `ten past four`, with the part of the day where one is told."""
    away = int(past) if past.isdigit() else _PAST[past.replace(" ", "-")]
    sign = 1 if side in ("past", "after") else -1
    if hour in _FIXED:
        return Clock(*span, (_FIXED[hour] + sign * away) % 1440, True, True)
    clock = Clock(*span, (_hour(hour) * 60 + sign * away) % 720, False, True)
    return _in_part(clock, part) if part else clock


def _in_part(clock: Clock, part: str) -> Clock:
    """Settle the half of the day by a part of the day; twelve at night is midnight."""
    words = part.replace(".", "").strip()
    minute = clock.minute % 720
    if words in ("am", "pm"):
        minute += 720 if words == "pm" else 0
    elif any(word in words for word in _LATE):
        minute += 720
    elif any(word in words for word in _EARLY):
        pass
    elif words.endswith("night"):
        minute += 720 if minute >= 5 * 60 else 0
    else:
        return clock
    return Clock(clock.start, clock.end, minute, True, clock.is_worded or True)


def _hour(word: str) -> int:
    return int(word) if word.isdigit() else _HOURS.index(word) + 1
