"""Dates in a sentence, by the format they are written in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from leadline.text.quantities import Value
from leadline.text.words import MONTHS, WEEKDAYS

_MONTH = "|".join([*MONTHS, r"sept\.?", *(month[:3] + r"\.?" for month in MONTHS)])
_YEAR = r"(?:1[5-9]\d\d|20\d\d)"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
_FORMATS = {
    "month day year": rf"\b(?:{_MONTH})\s{_DAY},?\s{_YEAR}\b",
    "day month year": rf"\b{_DAY}\s(?:of\s)?(?:{_MONTH}),?\s{_YEAR}\b",
    "day month short year": rf"\b{_DAY}\s(?:{_MONTH})\s['’]?[4-9]\d(?![\w/-])",
    "month short year": rf"\b(?:{_MONTH})\s['’]?[4-9]\d(?![\w/-])",
    "month year": rf"\b(?:{_MONTH}),?\s(?:of\s)?{_YEAR}\b",
    "month day": rf"\b(?:{_MONTH})\s{_DAY}(?![\w/-]|,\s?\d)",
    "day month": rf"\b{_DAY}\s(?:of\s)?(?:{_MONTH})(?!\w)",
    "slashes": r"(?<![\w/.-])(?:1[0-2]|0?[1-9])/(?:3[01]|[12]\d|0?[1-9])/(?:\d{4}|\d\d)(?![\w/-])",
    "iso": rf"(?<![\w-]){_YEAR}-(?:1[0-2]|0[1-9])-(?:3[01]|[12]\d|0[1-9])(?![\w-])",
    "years": rf"(?<![\w/.,-]){_YEAR}[-/–](?:{_YEAR}|\d\d)(?![\w/.,-]\w|\w)",
    "decade": r"(?<![\w/.,-])(?:1[5-9]|20)\d0['’]?s\b",
    "year": rf"(?<![\w/.,$£€#:*-]){_YEAR}(?![-\w/*'’]|[.,:]\w|\s?(?:%|per\scent))",
    "clock": r"(?<![\w:.])(?:1\d|2[0-3]|0?\d):[0-5]\d(?:\s?[ap]\.?m\b\.?)?(?![\w:])",
    "weekday": rf"\b(?:{'|'.join(WEEKDAYS)})\b",
    "month": rf"(?<=\bin\s)(?:{'|'.join(MONTHS)})\b(?![\s,.]*\d)",
}
_DATE = re.compile(
    "|".join(f"(?P<{name.replace(' ', '_')}>{rule})" for name, rule in _FORMATS.items()),
    re.IGNORECASE,
)
_BEGINNING = re.compile(
    rf"(?<!\w)\d|\b(?:{'|'.join(name[:3] for name in (*MONTHS, *WEEKDAYS))})", re.IGNORECASE
)
"""Where a date can begin: a number, or the name of a month or day of the week."""

_FIRST_SHORT = 30
_ENDINGS = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd"}
_YEAR_BEFORE = re.compile(
    r"\b(?:a|an|in|since|until|till|by|from|during|before|after|to|and|early|late|mid|of|year|for|the|"
    r"autumn|spring|summer|winter|fall|around|between|about|through)[\s,-]$|[(,;]\s?$",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\s(?!and\b|or\b|to\b|in\b|the\b|with\b|was\b|by\b|for\b|at\b|on\b|of\b)"
    r"[a-z]{2,40}s\b"
)


def find_dates(text: str, start: int, end: int) -> Iterator[Value]:
    """Yield the dates of text[start:end], left to right; years only where a year is expected."""
    done = start
    for beginning in _BEGINNING.finditer(text, start, end):
        match = _DATE.match(text, beginning.start(), end) if beginning.start() >= done else None
        if match is None:
            continue
        done = match.end()
        shape = (match.lastgroup or "").replace("_", " ")
        if shape == "year" and not _is_year(text, start, end, match):
            continue
        written = match.group()
        if shape in {"month", "month day", "day month"} and _is_modal(written):
            continue
        key = f"date|{shape}|{len(written) if shape == 'slashes' else ''}"
        yield Value("date", match.start(), match.end(), written, (key,))


def shifted(written: str, years: int) -> str:
    """Return a date with the year in it moved, or the text itself when it holds no year."""
    moved = re.sub(_YEAR, lambda match: str(int(match.group()) + years), written, count=1)
    return moved if moved != written and not re.search(r"\d[-/–]\d", written) else written


def year_of(written: str) -> int:
    """Return the year that a date names, 0 when it names none; two digits are of 1930 to 2029."""
    four = re.search(_YEAR, written)
    if four:
        return int(four.group())
    two = re.search(r"/(\d\d)$|\s['’]?([4-9]\d)$", written)
    if two is None:
        return 0
    year = int(two[1] or two[2])
    return year + (1900 if year >= _FIRST_SHORT else 2000)


def day_of(written: str) -> int:
    """Return the day of a month that a date names without a year, 0 when it names none."""
    found = re.search(r"\d{1,2}", written) if re.search(rf"\b(?:{_MONTH})", written, re.I) else None
    return int(found.group()) if found else 0


def month_of(written: str) -> str:
    """Return the first three letters of the month that a date names in words, or nothing."""
    found = re.search(rf"\b(?:{_MONTH})", written, re.IGNORECASE)
    return found.group()[:3].casefold() if found else ""


def on_day(written: str, day: int) -> str:
    """Return a date that names a day and no year, with another day: the 3rd, the 11th."""

    def moved(match: re.Match[str]) -> str:
        return f"{day}{_ENDINGS.get(day, 'th') if match[1] else ''}"

    return re.sub(r"\d{1,2}(st|nd|rd|th)?", moved, written, count=1)


def _is_year(text: str, start: int, end: int, match: re.Match[str]) -> bool:
    before = text[max(start, match.start() - 12) : match.start()]
    return bool(_YEAR_BEFORE.search(before)) and not _COUNTED.match(text, match.end(), end)


def _is_modal(written: str) -> bool:
    """Tell whether the month may be the verb instead: "may", "march" in lower case."""
    return any(word in {"may", "march", "mar", "mar."} for word in written.split())
