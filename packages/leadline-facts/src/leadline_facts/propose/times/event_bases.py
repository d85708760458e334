"""Find the event that another time is relative to, and compute that time."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import TypeAlias

from leadline_facts.propose.times.scenes import (
    Reading,
    Scene,
    Span,
    clause_around,
    in_month,
    on_day,
)
from leadline_facts.read.times.lengths import Length
from leadline_facts.read.times.time_expressions import find_expressions

Reader: TypeAlias = Callable[[str, re.Match[str], Scene], Reading | None]
"""What reads an expression of a shape in a scene."""

_STOP = frozenset({
    "after", "before", "from", "that", "this", "then", "with", "when", "which", "while", "their",
    "there", "they", "were", "have", "been", "will", "first", "last", "next", "into", "onto",
    "your", "ours", "mine", "days", "weeks", "months", "years", "same", "time", "would", "could",
})  # fmt: skip
_NAMED = re.compile(r"\s(?:the|an?|his|her|my|our|their|its|your|\d|[a-z]+['’]s)\b")
_NEAR = 70


def find_base(scene: Scene, end: int, start: int, read: Reader) -> Reading | None:
    """Return the event that the words after `end` name: dated right there, or told of before."""
    lower, stop = scene.lower, min(scene.sentence[1], end + _NEAR)
    for shape, match in find_expressions(lower, end, stop):
        gap = lower[end : match.start()]
        if re.search(r"[;:.!?—()]|,(?!\s(?:which|who)\b)", gap):
            break
        if shape in ("year", "month_year"):
            continue
        if shape == "offset" and not (match["way"] or "").startswith("ago"):
            break
        found = read(shape, match, scene)
        if found and (found.day or found.kind == "date_range"):
            if shape == "holiday" and "which" not in gap:
                scene.bases.add(found.span)
            return found
        break
    words = _stems(re.split(r"[,;:.!?—()]", lower[end:stop])[0])
    best: tuple[int, int, Reading] | None = None
    for number, told in enumerate(scene.recent()):
        if told.day is None and told.kind not in ("date_range", "month", "year"):
            continue
        shared = len(words & _stems(told_clause(scene, told.span, start)))
        if shared and (best is None or (shared, number) > best[:2]):
            best = (shared, number, told)
    if best:
        return best[2]
    return None if words else scene.point


def named_object(scene: Scene, end: int, start: int, read: Reader) -> Reading | None:
    """Return the event that `after` or `before` governs: the one named next, or the last told."""
    rest = scene.lower[end : scene.sentence[1]]
    named = _NAMED.match(rest) or re.match(r"\s[A-Z]", scene.text[end:])
    return find_base(scene, end, start, read) if named else scene.point


def edge(base: Reading | None, sign: int) -> date | None:
    """Return the day that counting forward or back from an event starts at."""
    if base and base.kind == "date_range":
        return date.fromisoformat(base.value[1 if sign > 0 else 0])
    return base.day if base else None


def first_day(reading: Reading) -> date | None:
    """Return the day on which what a reading names begins."""
    if reading.kind == "month":
        return date.fromisoformat(f"{reading.value}-01")
    return edge(reading, -1)


def counted(
    match: re.Match[str],
    length: Length,
    start: date | None,
    sign: int,
    exact: bool,
    base: Span | None = None,
) -> Reading | None:
    """Count on from a day. Months and years that are not exact name no day, only their like."""
    if start is None:
        return None
    span, why = match.span(), match.group()
    found = length.after(start, sign)
    bases = (base,) if base else ()
    if exact or not length.months or length.days:
        return on_day(found, span, why, base=bases)
    if length.months % 12:
        return in_month(found.year, found.month, span, why, confidence=0.6, base=bases)
    return Reading("year", str(found.year), span, confidence=0.6, base=bases, why=why)


def counted_from(
    match: re.Match[str], length: Length, base: Reading | None, sign: int, exact: bool
) -> Reading | None:
    """Count on from an event as finely as it is told: a day, a month, or a year."""
    if base is None:
        return None
    day, span, why = edge(base, sign), match.span(), match.group()
    if day is not None:
        return counted(match, length, day, sign, exact or not length.months, base.span)
    if length.days or not length.months:
        return None
    if base.kind == "month":
        year, month = (int(part) for part in base.value.split("-"))
        year, month = divmod(year * 12 + month - 1 + sign * length.months, 12)
        return in_month(year, month + 1, span, why, base=(base.span,))
    if base.kind == "year" and length.months % 12 == 0:
        year = int(base.value) + sign * length.months // 12
        return Reading("year", str(year), span, None, "derived", 0.8, (base.span,), why)
    return None


def told_clause(scene: Scene, span: Span, until: int) -> str:
    """Return the words in lower case of the clause in which something was told."""
    lower, signs = scene.lower, (". ", "\n", "? ", "! ")
    first, last = max(0, span[0] - 300), min(len(lower), span[1] + 300)
    opens = max(first, *(lower.rfind(sign, first, span[0]) + 1 for sign in signs))
    ends = (lower.find(sign, span[1], last) for sign in signs)
    closes = min((at for at in ends if at >= 0), default=last)
    start, end = clause_around(scene.lower, (opens, closes), span)
    return scene.lower[start : min(end, until) if span[1] <= until else end]


def _stems(words: str) -> set[str]:
    found = (word for word in re.findall(r"[a-z]{4,}", words) if word not in _STOP)
    return {
        re.sub(r"(?<=[a-z]{4})(?:ing|ed|es|e|s|al|ure|ment|tion|ice)$", "", word)[:5]
        for word in found
    }
