"""Holidays by year: fixed ones, movable ones, and differences between countries."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import lru_cache

from leadline_facts.read.times.calendars import (
    nth_weekday,
    weekday_after,
    weekday_before,
    weekday_number,
)
from leadline_facts.words import listed, patterns, rows


def easter(year: int) -> date:
    """Return Western Easter Sunday of a Gregorian year.

    Source: the anonymous Gregorian algorithm, in Meeus, Astronomical Algorithms, ch. 8.
    """
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    long = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * long) // 451
    month, day = divmod(h + long - 7 * m + 114, 31)
    return date(year, month, day + 1)


_RULES: dict[tuple[str, str], str] = {}
_SYNONYMS: dict[str, str] = {}
for _name, _rule, _others in rows("holidays"):
    _key, _, _countries = _name.partition("@")
    for _country in listed(_countries) or ("",):
        _RULES[_key, _country] = _rule
    _SYNONYMS |= dict.fromkeys(listed(_others), _key)
_WITHOUT_SIGNS = {
    name.replace("'", ""): _SYNONYMS.get(name, name)
    for name in (*(name for name, _ in _RULES), *_SYNONYMS)
    if "'" in name
}
"""Names as people write them in haste: `paddys day`."""

_P = patterns("holidays")
_RULE = re.compile(_P["rule"])


def holiday_date(name: str, year: int, country: str = "") -> date | None:
    """Return when a holiday falls in a year, None where it has no such day that year.

    name     a name that `HOLIDAY_PATTERN` matches, in any case
    country  ISO 3166-1 alpha-2, used where countries differ: Thanksgiving, Labour Day,
             Mother's Day, bank holidays; empty for the most usual
    """
    key = _key_of(name)
    return _day(_RULES.get((key, country.upper())) or _RULES[key, ""], year)


@lru_cache(maxsize=4096)
def _day(rule: str, year: int) -> date | None:
    match = _RULE.fullmatch(rule)
    assert match is not None, rule
    shift = timedelta(int(match["shift"] or 0))
    try:
        if match["easter"]:
            return easter(year) + shift
        if match["month"]:
            return date(year, int(match["month"]), int(match["day"]))
        weekday = weekday_number(match["weekday"])
        if match["n"]:
            found = nth_weekday(year, int(match["of"]), weekday, int(match["n"]))
            return found and found + shift
        near = date(year, int(match["near"]), int(match["near_day"]))
    except (ValueError, OverflowError):  # a leap day, a year that no calendar has
        return None
    return (weekday_before if match["side"] == "before" else weekday_after)(near, weekday) + shift


def _key_of(name: str) -> str:
    key = " ".join(name.lower().replace("’", "'").replace("-", " ").replace(".", "").split())
    key = key.removeprefix("the ").replace("saint ", "st ").replace("labour", "labor")
    return _SYNONYMS.get(key) or _WITHOUT_SIGNS.get(key, key)


_BARE_UNSURE = frozenset(
    (
        "three kings", "all saints", "assumption", "ascension", "santa lucia", "new year",
        "new year's", "flag day", "day of remembrance",
    )
)  # fmt: skip
"""Names that are as often a person, a place or an ordinary word are read only with their "Day"."""

HOLIDAY_NAMES = sorted(
    ({*(name for name, _ in _RULES), *_SYNONYMS} - _BARE_UNSURE) | {"labour day"},
    key=len,
    reverse=True,
)
HOLIDAY_PATTERN = (
    "(?:"
    + "|".join(
        name.replace("'", "['’]?").replace("st ", r"(?:st\.?|saint)\s").replace(" ", r"[\s-]")
        for name in HOLIDAY_NAMES
    )
    + ")"
)
"""Regular expression (without flags or groups) of every holiday name; use with re.IGNORECASE."""
