"""Resolve time expressions by their form: `the Friday before`, `the week after that`."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

from leadline_facts.propose.times import date_rules, month_rules, weekday_rules
from leadline_facts.propose.times.event_bases import edge, first_day, named_object
from leadline_facts.propose.times.offsets import read_offset
from leadline_facts.propose.times.scenes import (
    Reading,
    Scene,
    Span,
    in_month,
    on_day,
    over_days,
)
from leadline_facts.read.times.calendars import (
    period_of,
    weekday_after,
    weekday_before,
    weekday_number,
)
from leadline_facts.read.times.lengths import Length
from leadline_facts.words import patterns


def read_expression(shape: str, match: re.Match[str], scene: Scene) -> Reading | None:
    """Return what an expression of `find_expressions` means; None where the text does not fix it.

    The scene is not changed but for the anchor that parallel expressions share.
    """
    reader = _READERS.get(shape)
    if reader is None or scene.depth > _DEEPEST:
        return None
    scene.depth += 1
    try:
        return reader(match, scene)
    except (OverflowError, ValueError):  # beyond the calendar
        return None
    finally:
        scene.depth -= 1


_DEEPEST = 3
_P = patterns("relative_times")
_WEEKDAY_AROUND = re.compile(_P["weekday_around"])


def _read_offset(match: re.Match[str], scene: Scene) -> Reading | None:
    return read_offset(match, scene, read_expression)


def _read_weekday(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `the Friday before Memorial Day` from its event, all others from the message."""
    reading = weekday_rules.read_weekday(match, scene)
    way = _WEEKDAY_AROUND.match(scene.lower, match.end())
    if reading is None or way is None or not scene.lower[: match.start()].endswith("the "):
        return reading
    base = named_object(scene, way.end(), match.start(), read_expression)
    sign = 1 if way[1] in ("after", "following") else -1
    day = edge(base, sign)
    if base is None or day is None:
        return None
    step = weekday_after if sign > 0 else weekday_before
    found = step(day, weekday_number(match["weekday"]))
    return on_day(found, (match.start(), way.end()), match.group() + way.group(), base=(base.span,))


def _read_step(match: re.Match[str], scene: Scene) -> Reading | None:
    span, why = match.span(), match.group()
    if scene.lower.endswith("within ", 0, span[0]):
        return None
    if match["step"]:
        sign = 1 if match["step"] in ("following", "next") else -1
        base, unit = scene.event, match["step_unit"]
        if unit in ("month", "year") and scene.point:
            base = scene.point
    else:
        sign = 1 if match["step2"] == "after" else -1
        unit = match["step2_unit"] or "day"
        base = named_object(scene, span[1], span[0], read_expression)
    if base is None or (
        scene.lower[: span[0]].endswith("than ") and base.span[0] < scene.sentence[0]
    ):
        return None
    bases = (base.span,)
    if unit in ("month", "year"):
        return _step_month(unit, sign, base, span, why)
    day = base.day or first_day(base)
    if day is None:
        return None
    if unit in ("week", "weekend"):
        # the weekend after a day is that of its own week
        on = day if unit == "weekend" and sign > 0 else day + timedelta(7 * sign)
        return over_days(*period_of(unit, on), span, why, base=bases, confidence=0.7)
    return on_day(day + timedelta(sign), span, why, base=bases)


def _step_month(unit: str, sign: int, base: Reading, span: Span, why: str) -> Reading | None:
    if base.kind == "year":
        if unit == "month":
            return None
        year = str(int(base.value) + sign)
        return Reading("year", year, span, confidence=0.7, base=(base.span,), why=why)
    day = base.day or first_day(base)
    if day is None:
        return None
    found = Length(months=sign * (1 if unit == "month" else 12)).after(day)
    if unit == "month":
        return in_month(found.year, found.month, span, why, base=(base.span,), confidence=0.7)
    return Reading("year", str(found.year), span, confidence=0.7, base=(base.span,), why=why)


_READERS: dict[str, Callable[[re.Match[str], Scene], Reading | None]] = {
    "date": date_rules.read_date,
    "month_year": month_rules.read_month_year,
    "nth": month_rules.read_nth,
    "edge": month_rules.read_edge,
    "counted": weekday_rules.read_counted,
    "turn": weekday_rules.read_turn,
    "weekday": _read_weekday,
    "year": month_rules.read_year,
    "holiday": date_rules.read_holiday,
    "offset": _read_offset,
    "step": _read_step,
    "period": month_rules.read_period,
    "month": month_rules.read_month,
    "ordinal": month_rules.read_ordinal,
}
