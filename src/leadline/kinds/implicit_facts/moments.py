"""Days as seen from another day, and hours of a day, in words."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise

from leadline.kinds.implicit_facts.amounts import in_words

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_TIMES = {2: "twice", 3: "three times"}


def long_date(day: date) -> str:
    """Return "April 26, 2021"."""
    return f"{_MONTHS[day.month - 1]} {day.day}, {day.year}"


def date_pattern(day: date) -> str:
    """Return a pattern for every usual way to write the date, with and without its year."""
    month = _MONTHS[day.month - 1]
    name = rf"(?:{month}|{month[:3]}\.?)"
    number = rf"{day.day}(?:st|nd|rd|th)?"
    return (
        rf"{day.year}-0?{day.month}-0?{day.day}(?!\d)|\b{name} (?:the )?{number}\b|"
        rf"\b(?:the )?{number} (?:of )?{name}\b|"
        rf"(?<![\d/.])0?{day.month}/0?{day.day}(?!\d)|(?<![\d/.])0?{day.day}[/.]0?{day.month}(?!\d)"
    )


def relative_day(days: int, anchor: date, rng: random.Random) -> str:
    """Return a day in words as seen from the anchor; every wording has one reading.

    days  from the anchor; negative in the past
    """
    count = abs(days)
    near = {0: ["today"], -1: ["yesterday"], 1: ["tomorrow"]}.get(days)
    if near:
        return near[0]
    number = rng.choice([in_words(count), in_words(count), str(count)])
    if days < 0:
        ways = [f"{number} days ago", f"{number} days ago", f"{number} days back"]
    else:
        ways = [f"in {number} days", f"{number} days from now", f"in {number} days' time"]
    ways += {-2: ["the day before yesterday"] * 2, 2: ["the day after tomorrow"] * 2}.get(days, [])
    if count % 7 == 0:
        ways += _in_weeks(days // 7)
    if count == 8:
        ways.append("a week ago yesterday" if days < 0 else "a week from tomorrow")
    return rng.choice([*ways, *_by_weekday(days, anchor)])


def repeated_days(differences: Sequence[int], anchor: date, rng: random.Random) -> str:
    """Return several days in words: consecutive ones as a run, others one by one.

    differences  days from the anchor, ascending, at least two
    """
    if all(later - earlier == 1 for earlier, later in pairwise(differences)):
        return _run(differences, anchor, rng)
    return _list(differences, anchor, rng)


def hours(start: int, end: int, rng: random.Random) -> str:
    """Return a stretch of full hours in words, without naming an hour inside it."""
    length = in_words(end - start)
    begin = rng.choice([_on_the_clock(start), _with_daytime(start)])
    ways = [
        f"from {begin} until {length} hours later",
        f"from {begin}, for {length} hours",
        f"starting at {begin} and lasting {length} hours",
        f"from {_on_the_clock(start)} to {_on_the_clock(end)}",
        f"between {_with_daytime(start)} and {_with_daytime(end)}",
        f"for {length} hours from {begin}",
    ]
    if 12 not in (start, end) and _daytime(start) == _daytime(end):
        ways += [f"from {_hour_word(start)} to {_hour_word(end)} in the {_daytime(end)}"] * 2
    return rng.choice(ways)


def _in_weeks(weeks: int) -> list[str]:
    count = in_words(abs(weeks))
    if weeks == -1:
        return ["a week ago", "exactly a week ago"]
    if weeks == 1:
        return ["a week from today", "in exactly a week"]
    if weeks < 0:
        return [f"{count} weeks ago", *(["a fortnight ago"] if weeks == -2 else [])]
    return [f"in exactly {count} weeks", *(["a fortnight from today"] if weeks == 2 else [])]


def _by_weekday(days: int, anchor: date) -> list[str]:
    """Name the day by its week where it lies in the one before or after the anchor's."""
    day = anchor + timedelta(days=days)
    this_monday = anchor - timedelta(days=anchor.weekday())
    weeks = (day - timedelta(days=day.weekday()) - this_monday).days // 7
    which = {-1: "last week", 1: "next week"}.get(weeks)
    return [f"on {_WEEKDAYS[day.weekday()]} of {which}"] if which else []


def _run(differences: Sequence[int], anchor: date, rng: random.Random) -> str:
    count = in_words(len(differences))
    first, last = (relative_day(each, anchor, rng) for each in (differences[0], differences[-1]))
    return rng.choice(
        [
            f"{count} days in a row, starting {first}",
            f"{count} days running, the first of them {first}",
            f"on {count} consecutive days, beginning {first}",
            f"for {count} days in a row, the last of them {last}",
            f"{count} days running, ending {last}",
            f"on {count} successive days, the first one {first}",
        ]
    )


def _list(differences: Sequence[int], anchor: date, rng: random.Random) -> str:
    single = [relative_day(each, anchor, rng) for each in differences]
    listed = ", ".join(single[:-1]) + f" and {rng.choice(['again ', ''])}{single[-1]}"
    gaps = [f"{in_words(later - earlier)} days after that" for earlier, later in
            pairwise(differences)]  # fmt: skip
    chained = f"first {single[0]}, then {' and once more '.join(gaps)}"
    ways = [listed, listed, chained, f"{_TIMES[len(single)]}, {listed}"]
    words = [in_words(abs(each)) for each in differences]
    bare = ", ".join(words[:-1]) + f" and {words[-1]}"
    if all(each < -1 for each in differences):
        ways += [f"{bare} days ago"] * 2
    if all(each > 1 for each in differences):
        ways += [f"in {bare} days", f"{bare} days from now"]
    return rng.choice(ways)


def _hour_word(hour: int) -> str:
    return "noon" if hour == 12 else in_words((hour - 1) % 12 + 1)


def _on_the_clock(hour: int) -> str:
    if hour == 12:
        return "noon"
    return f"{(hour - 1) % 12 + 1} {'a.m.' if hour < 12 else 'p.m.'}"


def _with_daytime(hour: int) -> str:
    if hour == 12:
        return "noon"
    return f"{_hour_word(hour)} in the {_daytime(hour)}"


def _daytime(hour: int) -> str:
    return "morning" if hour < 12 else "afternoon" if hour < 18 else "evening"
