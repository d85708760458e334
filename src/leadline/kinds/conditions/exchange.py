"""Another value of the same kind in place of a fact, so that the fact no longer holds."""

from __future__ import annotations

import math
import random
import re
from typing import TypeVar

from leadline.kinds.pools import Pools
from leadline.text.dates import day_of, month_of, on_day, share_years, shifted, year_of
from leadline.text.quantities import NUMERAL, figure_of, spelled_like
from leadline.text.values import Value
from leadline.text.words import MONTHS, NUMBER_WORDS, WEEKDAYS

T = TypeVar("T")

_BOUND_BEFORE = re.compile(
    r"(?:over|than|at least|at most|above|exceed(?:s|ed|ing)?|m(?:in|ax)imum of|[<>]=?|beyond|"
    r"upwards? of|in excess of|under|below|up to|within|only|until)\s?$",
    re.IGNORECASE,
)
_BOUND_AFTER = re.compile(
    r"\s?(?:or|and) (?:more|less|fewer|greater|over|under|old|young|above|below)", re.IGNORECASE
)
_TIME_BOUND = re.compile(
    r"(?:since|until|till|before|after|prior to|by)\s(?:\w+\s){0,3}$", re.IGNORECASE
)
_AGED = re.compile(r"\bage[ds]?\s(?:of\s)?$", re.IGNORECASE)
_SEASON = re.compile(r"\b(?:spring|summer|autumn|fall|winter)\s$", re.IGNORECASE)
_OLD_YEAR, _IN = re.compile(r"1\d{3}"), re.compile(r"\b(?:in|of|from|to|by)\s$", re.IGNORECASE)
_DECADE = re.compile(r"0['’]?s\b")
_TELLING = 3
"""Values of one sort in a corpus that tell how large and small such a value can be."""
_FIGURE = re.compile(
    rf"{NUMERAL}|\b(?:{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))})\b", re.IGNORECASE
)
_FACTORS = (0.7, 0.75, 0.8, 1.2, 1.25, 1.3)
_GROWN_UP, _OLDEST = 18, 105
"""Years: a girl of 17 is not made one of 31."""
_MOST_APART = 0.35
"""Largest relative difference of a figure: 144 degrees in place of 103 is read as odd."""
_DAYS = range(2, 28)
_YEARS_APART = 10
"""Years that a date may move: a patient of 21 had no operation in 1982."""
_TIME = "|".join((*MONTHS, *WEEKDAYS))
_JOINED_BEFORE = re.compile(rf"(?:\d|{_TIME}),?\s(?:and|or)\s$", re.IGNORECASE)
_JOINED_AFTER = re.compile(rf",?\s(?:and|or)\s(?:\d|{_TIME})", re.IGNORECASE)
_FIXED = frozenset({"24 hour", "24 hours", "7 days", "12 months", "180 degrees", "360 degrees"})
"""Measures that everybody knows: there is no clock of 19 hours."""


def exchanged(value: Value, text: str, pools: Pools, rng: random.Random) -> list[str]:
    """Return texts to put in place of a value, the best first; empty when nothing fits.

    text  what the value stands in; a number that it calls a bound has none: "more than 5" does
          not contradict "more than 10"

    Values of the corpus come first; a number or a year that the corpus cannot exchange becomes one
    of the same format, no larger and no smaller than the corpus has for that sort. Either is near
    the value, so that the text around it still fits; a day stays in its month.
    """
    if _is_joined(value, text):
        return []  # "scores of 9 and 10", "in January and February"
    if value.kind == "number":
        if _BOUND_BEFORE.search(text[max(0, value.start - 20) : value.start]):
            return []
        if _BOUND_AFTER.match(text[value.end :]) or _SEASON.search(text[: value.start][-8:]):
            return []
        if _OLD_YEAR.fullmatch(value.text) and _IN.search(
            text[max(0, value.start - 6) : value.start]
        ):
            return []
        if value.text.replace("-", " ").lower() in _FIXED:
            return []
        return _numbers(value, text, pools, rng)
    if _TIME_BOUND.search(text[max(0, value.start - 20) : value.start]):
        return []  # what has been so since 1965 has been so since 1974
    alike = [
        other
        for key in value.keys
        for other in _shuffled(pools.alike(key), rng)
        if other.casefold() != value.text.casefold()
    ]
    near = [other for other in alike if _is_near_in_time(other, value.text)]
    return near or _other_days(value.text, rng) or _other_years(value.text, rng)


def _is_joined(value: Value, text: str) -> bool:
    before = text[max(0, value.start - 16) : value.start]
    return bool(_JOINED_AFTER.match(text, value.end) or _JOINED_BEFORE.search(before))


def _numbers(value: Value, text: str, pools: Pools, rng: random.Random) -> list[str]:
    figures = [figure_of(found) for found in _FIGURE.findall(value.text)]
    if not figures:
        return []
    if len(figures) == 2:
        return _ranges(value, figures, pools, rng)
    if len(figures) > 2:
        return []
    chosen: list[str] = []
    span = _span(value, pools)
    if _AGED.search(text[max(0, value.start - 8) : value.start]):
        span = span[0], min(span[1], 100.0)
    for place, key in enumerate(value.keys):
        least = 0.05 if place == 0 and len(value.keys) > 1 else 0.2
        for other in _shuffled(pools.alike(key), rng):
            found = _FIGURE.search(other)
            figure = _rounded(figure_of(found.group()), value.text) if found else value.number
            if _breaks(value, figure, least, span):
                chosen.append(_refigured(value.text, figure))
    near = [value.number * factor for factor in _shuffled(list(_FACTORS), rng)]
    near = [_rounded(figure, value.text) for figure in near] + [value.number + 1]
    chosen.extend(_refigured(value.text, f) for f in near if _breaks(value, f, 0.2, span))
    return [each for each in dict.fromkeys(chosen) if each and each != value.text]


def _span(value: Value, pools: Pools) -> tuple[float, float]:
    """Return the least and the largest figure that the corpus has for a value of this sort."""
    known = [
        figure_of(found.group())
        for other in pools.alike(value.keys[0])
        if (found := _FIGURE.search(other))
    ]
    if len(known) < _TELLING:
        return -math.inf, math.inf
    return min(known), max(known)


def _breaks(value: Value, figure: float, least: float, span: tuple[float, float]) -> bool:
    """Tell whether a figure contradicts the value's, and is of its order of magnitude.

    least  smallest relative difference
    span   what such a figure lies between
    """
    old = value.number
    if old == 100 and value.text.endswith("%"):
        return False  # "a 100% guarantee"
    if figure == old or figure in {0.0, 1.0} or abs(figure - old) < least * abs(old):
        return False
    if not _is_near(figure, old):
        return False
    if not span[0] <= figure <= span[1]:
        return False
    if re.search(r"%|per\s?cent", value.text) and figure >= 100 > old:
        return False
    if value.keys[-1] != "age":
        return True
    return (figure < _GROWN_UP) == (old < _GROWN_UP) and not figure > _OLDEST >= old


def _is_near(figure: float, old: float) -> bool:
    """Tell whether a figure is of the size of another; of small counts the next one is."""
    return abs(figure - old) <= max(_MOST_APART * abs(old), 1.0)


def _ranges(value: Value, figures: list[float], pools: Pools, rng: random.Random) -> list[str]:
    chosen = []
    for other in _shuffled(pools.alike(value.keys[0]), rng):
        low, high = [figure_of(found) for found in _FIGURE.findall(other)][:2]
        apart = low > figures[1] or high < figures[0]
        if "/" in value.text:  # "50/56 points": the scale stays
            high = figures[1]
            apart = low != figures[0] and (low <= high) == (figures[0] <= high)
        whole = "%" in value.text and high > 100
        near = _is_near(low, figures[0]) and _is_near(high, figures[1])
        if apart and near and not whole and 1.0 not in (low, high):
            chosen.append(_refigured(value.text, low, high))
    if "/" not in value.text:
        width = 2 * (figures[1] - figures[0])
        up, down = [(figures[0] + by, figures[1] + by) for by in (width, -width)]
        moved = down if figures[1] <= 100 < up[1] else up  # ages and percentages stay below
        if moved[0] > 1 and _is_near(moved[0], figures[0]):
            chosen.append(_refigured(value.text, *moved))
    return [text for text in dict.fromkeys(chosen) if text and text != value.text]


def _refigured(text: str, *figures: float) -> str:
    """Write the figures in place of those in the text, each in its format; empty if one cannot."""
    rest = iter(figures)
    fits = True

    def replace(match: re.Match[str]) -> str:
        nonlocal fits
        spelled = spelled_like(next(rest), match.group())
        fits = fits and bool(spelled)
        return spelled

    written = _FIGURE.sub(replace, text, count=len(figures))
    return written if fits else ""


def _rounded(figure: float, text: str) -> float:
    """Round a figure as roundly as the one in the text is: 1,500 to hundreds, 4.7 to tenths."""
    found = _FIGURE.search(text)
    numeral = found.group().replace(",", "") if found else ""
    if not numeral or numeral[0].isalpha():
        return float(round(figure))
    decimals = len(numeral.partition(".")[2])
    if decimals:
        return round(figure, decimals)
    zeros = len(numeral) - len(numeral.rstrip("0"))
    rounded = float(round(figure, -zeros))
    return rounded or float(round(figure))


def _is_near_in_time(other: str, written: str) -> bool:
    """Tell whether a date is at most 10 years away, or in the same month where neither has one."""
    if year_of(written):
        return abs(year_of(other) - year_of(written)) <= _YEARS_APART and not share_years(
            other, written
        )
    return month_of(other) == month_of(written) or not day_of(written)


def _other_days(written: str, rng: random.Random) -> list[str]:
    """Return other days of the month of a date that names no year."""
    if year_of(written) or not month_of(written):
        return []
    return [on_day(written, day) for day in _shuffled(list(_DAYS), rng) if day != day_of(written)]


def _other_years(written: str, rng: random.Random) -> list[str]:
    steps = [-10, 10] if _DECADE.search(written) else [-6, -4, -3, -2, 2, 3, 4]
    moved = [shifted(written, years) for years in _shuffled(steps, rng)]
    return [text for text in dict.fromkeys(moved) if text != written]


def _shuffled(items: list[T], rng: random.Random) -> list[T]:
    return rng.sample(items, len(items))
