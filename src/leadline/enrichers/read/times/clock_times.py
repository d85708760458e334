"""Clock times in a text, in digits and words: `half past six in the evening`, `3 p.m.`, `noon`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from leadline.enrichers.read.times.written_dates import TIME_PATTERN, read_clock
from leadline.enrichers.words import patterns

_HOURS = [
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    "twelve",
]
_HOUR = rf"(?:{'|'.join(sorted(_HOURS, key=len, reverse=True))}|1[0-2]|[1-9])"
_FIXED = {"noon": 720, "midday": 720, "midnight": 0}
_UNDER_THIRTY = [
    *_HOURS, "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    "twenty", *(f"twenty-{word}" for word in _HOURS[:9]),
]  # fmt: skip
_PAST = {"half": 30, "quarter": 15} | {word: 1 + at for at, word in enumerate(_UNDER_THIRTY)}
_MINUTE = "|".join(word.replace("-", r"[\s-]") for word in sorted(_UNDER_THIRTY, key=len)[::-1])
_MINUTES_WORDED = {
    "ten": 10, "fifteen": 15, "twenty": 20, "twenty-five": 25, "thirty": 30, "thirty-five": 35,
    "forty": 40, "forty-five": 45, "fifty": 50, "fifty-five": 55, "oh five": 5, "o'five": 5,
}  # fmt: skip
_WORDED = "|".join(word.replace("-", r"[\s-]") for word in sorted(_MINUTES_WORDED, key=len)[::-1])
_TO_24 = [*_HOURS, "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
          "nineteen", "twenty", "twenty-one", "twenty-two", "twenty-three"]  # fmt: skip
_MILITARY = "|".join(word.replace("-", r"[\s-]") for word in sorted(_TO_24, key=len)[::-1])
_P = patterns(
    "clock_times",
    time_pattern=TIME_PATTERN,
    hour=_HOUR,
    hours="|".join(_HOURS),
    nine="|".join(_HOURS[:9]),
    minute=_MINUTE,
    worded=_WORDED,
    military=_MILITARY,
)
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
    closed, last = start, None
    for match in _CLOCK.finditer(lower, start, end):
        clock = _read(match)
        if clock is None:
            continue
        if not clock.is_certain:
            if clock.is_worded:
                clock = _in_near_part(lower, clock, closed, start, end)
            if clock.is_worded and last and not clock.is_certain and last.minute >= _NOON:
                clock = in_half_after(clock, last)
        closed, last = clock.end, clock if clock.is_certain else last
        yield clock


def _in_near_part(lower: str, clock: Clock, closed: int, start: int, end: int) -> Clock:
    """Settle `lunch at one and dinner at seven` by the word before each, else by the only one.

    closed  end of the time before this one in the sentence lower[start:end]
    """
    before = [found.group() for found in _NEAR.finditer(lower, closed, clock.start)]
    if before:
        return _in_part(clock, before[-1])
    parts = {found.group() for found in _NEAR.finditer(lower, start, end)}
    if parts == {"night"} and 4 * 60 <= clock.minute % _NOON < 8 * 60:
        return clock  # `from eleven at night to six`
    return _in_part(clock, parts.pop()) if len(parts) == 1 else clock


def in_half_of(clock: Clock, other: Clock) -> Clock:
    """Return a clock time in the half of the day that makes it the nearest one before another."""
    if clock.is_certain or not other.is_certain:
        return clock
    later = clock.minute % 720 + 720
    minute = later if later < other.minute else clock.minute % 720
    return Clock(clock.start, clock.end, minute, True, True)


def in_half_after(clock: Clock, other: Clock) -> Clock:
    """Return a clock time in the half of the day that makes it the first one after another."""
    if clock.is_certain or not other.is_certain:
        return clock
    early = clock.minute % 720
    late = early + _NOON
    # past midnight where both halves of the day lie before the other time
    minute = early if early > other.minute or late <= other.minute else late
    return Clock(clock.start, clock.end, minute, True, True)


def _read(match: re.Match[str]) -> Clock | None:
    if match["hour_f"] and not match["lead"]:
        return None
    span = (match.end("lead") if match["lead"] else match.start(), match.end())
    if match["fixed"]:
        return Clock(*span, _FIXED[match["fixed"]], True, True)
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
        minute = int(hour) * 60 + int(minutes)
        return _in_part(Clock(*span, minute, False, True), match["part_d"])
    if match["past"]:
        return _sided(span, match["past"], match["side"], match["hour_b"], match["part_b"])
    if match["past2"]:
        side = match["side2"] or match["side3"]
        return _sided(span, match["past2"], side, match["hour_g"], match["part_g"])
    if match["hour_i"]:
        return _sided(span, "quarter", "to", match["hour_i"], match["part_i"])
    if match["hour_h"]:
        return _sided(span, "half", "past", match["hour_h"], match["part_h"])
    if match["hour_w"]:
        minutes = _MINUTES_WORDED[re.sub(r"\s(?=five)(?<!oh\s)", "-", match["min_w"])]
        clock = Clock(*span, (_hour(match["hour_w"]) * 60 + minutes) % 720, False, True)
        return _in_part(clock, match["part_w"])
    if match["mil"]:
        return Clock(*span, int(match["mil"][:2]) * 60 + int(match["mil"][2:]), True, True)
    if word := match["mil_w"] or match["mil_x"]:
        return Clock(*span, (1 + _TO_24.index(word.replace(" ", "-"))) * 60, True, True)
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
