"""Units of measure, as they are written, and their canonical names."""

from __future__ import annotations

import re

from leadline_facts.read.number_words import lowered
from leadline_facts.words import patterns, rows

UNITS: dict[str, str] = {word: unit for unit, words in rows("units") for word in words.split()}
"""Word as written, in lower case -> canonical unit."""

TIMES: frozenset[str] = frozenset(
    ["second", "minute", "hour", "day", "night", "week", "fortnight", "month", "year"]
)
"""Canonical units of durations."""

SECONDS: dict[str, int] = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}
"""Units of time that have one length."""

_LONGEST_FIRST = sorted(UNITS, key=len, reverse=True)
_P = patterns("units", units="|".join(_LONGEST_FIRST))
UNIT_PATTERN = _P["unit"]
"""A unit as written, in lower case."""

_PHRASES = {
    "nautical": "nautical mile", "fl": "fluid ounce", "light": "light year", "metre": "m/s",
    "meter": "m/s",
}  # fmt: skip
_JOINED = {
    ("mile", "hour"): "mph", ("kilometre", "hour"): "km/h", ("km", "hour"): "km/h",
    ("kilometer", "hour"): "km/h", ("mile", "gallon"): "mpg",
}  # fmt: skip
_SQUARE = {"m": "m2", "km": "km2", "cm": "cm2", "mile": "square mile", "foot": "square foot"}


def unit_of(words: str) -> str:
    """Return the canonical name of a unit that UNIT_PATTERN matches."""
    words = lowered(words).strip()
    if words in UNITS:
        return UNITS[words]
    for start, unit in _PHRASES.items():
        if words.startswith(start):
            return unit
    parts = re.sub(r"°", "degrees ", words).replace(".", "").split()
    if parts[0] in ("square", "sq", "cubic", "cu"):
        base = UNITS.get(parts[1], UNITS.get(parts[1].removesuffix("s"), parts[1]))
        return _SQUARE.get(base, f"square {base}") if parts[0][0] == "s" else f"cubic {base}"
    if parts[0].startswith("degree"):
        return parts[-1][0].upper()
    return _JOINED[parts[0].removesuffix("s"), parts[-1]]
