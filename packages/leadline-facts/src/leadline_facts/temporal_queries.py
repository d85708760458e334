"""Time constraints of a query: days, months, years, hours and spans of them."""

from __future__ import annotations

import re
from datetime import date
from itertools import pairwise

from leadline.types import Constraint
from leadline_facts.propose.times.relative_times import read_expression
from leadline_facts.propose.times.scenes import Reading, Scene
from leadline_facts.read.messages import Message
from leadline_facts.read.number_words import lowered
from leadline_facts.read.times.clock_times import find_clocks
from leadline_facts.read.times.time_expressions import find_expressions
from leadline_facts.read.times.written_dates import YEAR_PATTERN
from leadline_facts.words import patterns

_TRIGGER = re.compile(r"\d|noon|midday|midnight")
_P = patterns("temporal_queries", year_pattern=YEAR_PATTERN)
_BEFORE = re.compile(_P["before"])
_AFTER = re.compile(r"\b(?:after|since|from|later\sthan|following|as\sof|starting)\s(?:the\s)?$")
_YEAR = re.compile(_P["year"])
_TO = re.compile(r",?\s?(?:to|until|till|through|and|–|—|-)\s?(?:the\s)?")
_JOINT = re.compile(r",?\s(?:on\s|of\s)?(?:the\s)?")
_YEARS = re.compile(_P["years"])


def temporal_constraints(text: str) -> tuple[Constraint, ...]:
    """Return the constraints of a query, left to right; what depends on today gives none."""
    lower = lowered(text)
    if not _TRIGGER.search(lower):
        return ()
    scene = Scene(text, lower, Message(0, 0, len(text)), (0, len(text)))
    readings = []
    for shape, match in find_expressions(lower, 0, len(text)):
        reading = read_expression(shape, match, scene) if shape != "year" else None
        if reading:
            scene.remember(reading)
            readings.append(reading)
    found = [*_ranges(lower, readings)]
    covered = [each.span for each in found]
    for reading in readings:
        if not _inside(reading.span, covered):
            relation = "before" if _BEFORE.search(lower[: reading.span[0]]) else "equal"
            if _AFTER.search(lower[: reading.span[0]]):
                relation = "after"
            found.append(
                Constraint(reading.kind, reading.value, reading.span, relation)  # type: ignore[arg-type]
            )
    found += _years(lower, [each.span for each in found])
    return tuple(sorted(_with_hours(lower, found), key=lambda each: each.span))


def _ranges(lower: str, readings: list[Reading]) -> list[Constraint]:
    found = []
    for first, last in pairwise(readings):
        if not _TO.fullmatch(lower[first.span[1] : last.span[0]]) or not (first.day and last.day):
            continue
        before = lower[: first.span[0]]
        if first.day < last.day and re.search(r"\b(?:between|from)\s(?:the\s)?$", before):
            value = [first.day.isoformat(), last.day.isoformat()]
            span = (first.span[0], last.span[1])
            found.append(Constraint("date_range", value, span, "within"))
    for match in _YEARS.finditer(lower):
        value = [f"{match['first']}-01-01", f"{match['last']}-12-31"]
        found.append(Constraint("date_range", value, match.span(), "within"))
    return found


def _years(lower: str, covered: list[tuple[int, int]]) -> list[Constraint]:
    found = []
    for match in _YEAR.finditer(lower):
        if _inside(match.span("year"), covered):
            continue
        how = match["how"]
        relation = "before" if how in ("before", "until", "till") else "equal"
        if how in ("after", "since"):
            relation = "after"
        found.append(
            Constraint("year", match["year"], match.span("year"), relation)  # type: ignore[arg-type]
        )
    return found


def _with_hours(lower: str, found: list[Constraint]) -> list[Constraint]:
    """Join an hour with the day beside it: `at 16:00 on April 26, 2021` asks for one moment."""
    joined = list(found)
    for clock in find_clocks(lower, 0, len(lower)):
        if not clock.is_certain:
            continue
        hour = f"{clock.minute // 60:02}:{clock.minute % 60:02}"
        day = next(
            (each for each in found if _is_beside(lower, clock.start, clock.end, each)), None
        )
        if day is None:
            joined.append(Constraint("time", hour, (clock.start, clock.end)))
            continue
        span = (min(clock.start, day.span[0]), max(clock.end, day.span[1]))
        if day in joined:
            joined[joined.index(day)] = Constraint(
                "datetime", f"{date.fromisoformat(day.value)}T{hour}", span, day.relation
            )
    return joined


def _is_beside(lower: str, start: int, end: int, day: Constraint) -> bool:
    if day.kind != "date":
        return False
    gap = lower[end : day.span[0]] if end <= day.span[0] else lower[day.span[1] : start]
    return bool(_JOINT.fullmatch(gap) or re.fullmatch(r",?\s(?:at|from)\s", gap))


def _inside(span: tuple[int, int], spans: list[tuple[int, int]]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in spans)
