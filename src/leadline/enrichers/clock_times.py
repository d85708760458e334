"""Clock times in a text, in digits and words: `half past six in the evening`, `3 p.m.`, `noon`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from leadline.enrichers.written_dates import TIME_PATTERN, read_clock

_HOURS = [
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    "twelve",
]
_HOUR = rf"(?:{'|'.join(sorted(_HOURS, key=len, reverse=True))}|1[0-2]|[1-9])"
_FIXED = {"noon": 720, "midday": 720, "midnight": 0}
_PAST = {"half": 30, "quarter": 15, "twenty-five": 25, "twenty": 20, "ten": 10, "five": 5}
_PART = (
    r"(?:\s(?:sharp|on\sthe\sdot|prompt(?:ly)?))?"
    r",?\s(?P<{0}>(?:in|early\sin|late\sin)\sthe\s(?:\w+\s)?(?:morning|afternoon|evening)|at\snight"
    r"|(?:this|that|tomorrow|yesterday|the\sfollowing|the\snext|same|(?:on\s)?\w+day)\s"
    r"(?:morning|afternoon|evening|night)|tonight|last\snight|a\.?m\b\.?|p\.?m\b\.?)"
)
_LEAD = r"(?:at|by|until|till|from|before|after|to|between)\s"
_CLOCK = re.compile(
    r"(?<![\w.,:/$£€-])(?=\d|half|quarter|twenty|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve|noon|mid|an?\s(?:half|quarter)|at\b|by\b|until\b|till\b|from\b|before\b|after\b"
    rf"|to\b|between\b)(?P<lead>{_LEAD})?(?:"
    rf"(?P<digits>{TIME_PATTERN})(?:{_PART.format('part_a')})?"
    rf"|(?P<dotted>(?:1[0-2]|[1-9])\.[0-5]\d){_PART.format('part_d')}"
    rf"|(?:an?\s)?(?P<past>half|quarter|twenty[\s-]five|twenty|ten|five)(?:\sminutes)?\s"
    rf"(?P<side>past|to|after|before)\s(?P<hour_b>{_HOUR}|noon|midday|midnight)\b(?!\s\w+s\b|%)"
    rf"(?:{_PART.format('part_b')})?"
    rf"|(?P<hour_c>{_HOUR})\so['’]?\s?clock(?:{_PART.format('part_c')})?"
    r"|(?:12\s)?(?P<fixed>noon|midday|midnight)\b(?!\s(?:oil|sun|mass|snack|blue))"
    rf"|(?P<hour_e>{_HOUR}){_PART.format('part_e')}"
    rf"|(?<=[a-z]\s)(?P<half>half\s)?(?P<hour_f>{_HOUR})"
    r"(?=\s?(?:[,.;:!?)]|$|(?:on|and|to|until|till|for|today|tomorrow|tonight|sharp|but|because|so|then"
    r"|every|yesterday)\b)(?![.,]\d))"
    r")"
)
_NEAR = re.compile(
    r"\b(?:morning|afternoon|evening|tonight|night|breakfast|lunch\w*|dinner|supper|dawn|dusk)\b"
)
_LATE = ("afternoon", "evening", "tonight", "dinner", "supper", "dusk", "lunch")
_EARLY = ("morning", "breakfast", "dawn")


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
    for match in _CLOCK.finditer(lower, start, end):
        clock = _read(match)
        if clock is None:
            continue
        if not clock.is_certain:
            parts = {found.group() for found in _NEAR.finditer(lower, start, end)}
            if len(parts) == 1 and clock.is_worded:
                clock = _in_part(clock, parts.pop())
        yield clock


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
    minute = early if early > other.minute else early + 720
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
        hour, part = match["hour_b"], match["part_b"]
        away = _PAST[match["past"].replace(" ", "-")]
        sign = 1 if match["side"] in ("past", "after") else -1
        if hour in _FIXED:
            return Clock(*span, (_FIXED[hour] + sign * away) % 1440, True, True)
        clock = Clock(*span, (_hour(hour) * 60 + sign * away) % 720, False, True)
        return _in_part(clock, part) if part else clock
    hour = match["hour_c"] or match["hour_e"] or match["hour_f"]
    part = match["part_c"] or match["part_e"]
    minute = _hour(hour) * 60 + (30 if match["half"] else 0)
    clock = Clock(*span, minute, False, True)
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
