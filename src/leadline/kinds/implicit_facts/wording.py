"""Amounts, days and hours in words, and patterns that find them however written."""

from __future__ import annotations

import random
import re
from calendar import day_name, month_name
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise

from leadline.text.tokens import tokens
from leadline.text.words import NUMBER_WORDS

_SPOKEN = {number: word for word, number in NUMBER_WORDS.items()} | {0: "zero", 1: "one"}
_NUMBER_WORD = "|".join([*_SPOKEN.values(), "hundred", "thousand"])
_ORDINALS = {
    1: "first", 2: "second", 3: "third", 5: "fifth", 8: "eighth", 9: "ninth", 12: "twelfth",
    20: "twentieth", 30: "thirtieth",
}  # fmt: skip


def in_words(number: int) -> str:
    """Return a number from 0 to 999,999 in words: "one thousand four hundred and fifty"."""
    if number in _SPOKEN:
        return _SPOKEN[number]
    if number < 100:
        return f"{_SPOKEN[number - number % 10]}-{_SPOKEN[number % 10]}"
    size, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    head, rest = divmod(number, size)
    link = " and " if 0 < rest < 100 else " "
    return f"{in_words(head)} {name}" + (link + in_words(rest) if rest else "")


def in_hundreds(number: int) -> str:
    """Return a number in words counted in hundreds: "fourteen hundred and fifty"."""
    head, rest = divmod(number, 100)
    return f"{in_words(head)} hundred" + (f" and {in_words(rest)}" if rest else "")


def price_pattern(amount: int) -> str:
    """Return a pattern for every way to write the amount, but not as a part of another number."""
    digits = f"{amount // 1000},?{amount % 1000:03d}" if amount >= 1000 else str(amount)
    figures = rf"(?<![\d.,]){digits}(?![\d%]|[.,]\d|\s*(?:percent|times)\b)"
    spoken = {in_words(amount), in_hundreds(amount)} if amount >= 1000 else {in_words(amount)}
    alone = "|".join(re.escape(each) for each in sorted(spoken))
    word = (
        rf"(?<![\w-])(?<!hundred )(?<!thousand )(?<!hundred and )(?<!thousand and )(?:{alone})"
        rf"(?![\w-]|\s+(?:and\s+)?(?:{_NUMBER_WORD}|percent|times)\b)"
    )
    return rf"{figures}|(?i:{word})"


def long_date(day: date) -> str:
    """Return "April 26, 2021"."""
    return f"{month_name[day.month]} {day.day}, {day.year}"


def date_pattern(day: date) -> str:
    """Return a pattern for every usual way to write the date, with and without its year."""
    month = month_name[day.month]
    name = rf"(?:{month}|{month[:3]}\.?)"
    number = rf"{day.day}(?:st|nd|rd|th)?"
    return (
        rf"{day.year}-0?{day.month}-0?{day.day}(?!\d)|\b{name} (?:the )?{number}\b|"
        rf"\b(?:the )?{number} (?:of )?{name}\b|"
        rf"(?<![\d/.])0?{day.month}/0?{day.day}(?!\d)|(?<![\d/.])0?{day.day}[/.]0?{day.month}(?!\d)"
    )


def spoken_day(day: date) -> str:
    """Return a pattern for a date in words, or for the day of the month alone."""
    ones, month = day.day % 10, month_name[day.month]
    word = _ORDINALS.get(day.day) or f"{in_words(day.day)}th"
    if day.day > 20 and ones:
        word = f"{in_words(day.day - ones)}-{_ORDINALS.get(ones) or f'{in_words(ones)}th'}"
    return (
        rf"\b(?:{month}|{month[:3]}) (?:the )?{word}\b|\b{word} (?:of )?(?:{month}|{month[:3]})\b|"
        rf"(?<!\w)(?:on|by|since) the {day.day}(?:st|nd|rd|th)\b"
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
    """Return days in words: consecutive ones as a run, others one by one.

    differences  days from the anchor, ascending
    """
    if len(differences) == 1:
        return relative_day(differences[0], anchor, rng)
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
    return [f"on {day_name[day.weekday()]} of {which}"] if which else []


def _run(differences: Sequence[int], anchor: date, rng: random.Random) -> str:
    count = in_words(len(differences))
    first, last = (relative_day(each, anchor, rng) for each in (differences[0], differences[-1]))
    return rng.choice(
        [
            f"{count} days in a row, starting {first}",
            f"{count} days running, the first of them {first}",
            f"on {count} consecutive days, beginning {first}",
            f"for {count} days in a row, the last of them {last}",
        ]
    )


def _list(differences: Sequence[int], anchor: date, rng: random.Random) -> str:
    single = [relative_day(each, anchor, rng) for each in differences]
    gaps = [f"{in_words(later - earlier)} days after that" for earlier, later in
            pairwise(differences)]  # fmt: skip
    return rng.choice(
        [
            ", ".join(single[:-1]) + f" and {rng.choice(['again ', ''])}{single[-1]}",
            f"first {single[0]}, then {' and once more '.join(gaps)}",
        ]
    )


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


def pattern_of(kind: str, value: str) -> re.Pattern[str]:
    """Return what finds a value written out in a text: a date also without its year.

    An amount is found by its number alone, whatever it counts there.
    """
    if kind == "date":
        pattern = date_pattern(date.fromisoformat(value))
    elif kind == "amount":
        pattern = _amount_pattern(float(value.replace(",", "")))
    else:
        pattern = r"\b" + r"\W+".join(map(re.escape, tokens(value))) + r"\b"
    return re.compile(pattern, re.IGNORECASE)


def _amount_pattern(amount: float) -> str:
    if amount == int(amount) and 0 <= amount < 1_000_000:
        return price_pattern(int(amount)).replace(r"|\s*(?:percent|times)\b", "").replace("%]", "]")
    whole, _, rest = f"{amount:.4f}".rstrip("0").partition(".")
    digits = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", ",?", whole)
    return rf"(?<![\d.,]){digits}[.,]{rest}0?(?!\d)" if rest else rf"(?<![\d.,]){digits}(?!\d)"
