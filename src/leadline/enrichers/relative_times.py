"""Counting on from a moment or an event: `three days ago`, `the week after that`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

from leadline.enrichers import date_rules, month_rules, weekday_rules
from leadline.enrichers.calendars import week_of, weekday_after, weekday_before, weekday_number
from leadline.enrichers.lengths import Length, read_length
from leadline.enrichers.scenes import (
    Reading,
    Scene,
    Span,
    clause_around,
    in_month,
    on_day,
    over_days,
)
from leadline.enrichers.time_expressions import find_expressions


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
_FORWARD = re.compile(r"from\snow|hence|from\stoday|from\sthis")
_APPROXIMATE = re.compile(
    r"\b(?:within|about|around|roughly|approximately|almost|nearly|over|under|than|least|most|up\sto"
    r"|some|every|each|last|first|next|past|only|maximum|minimum|per|another|or|no|the)\s$"
)
_PLANNED = re.compile(
    r"\b(?:(?:had|need(?:ed|ing)?|have|having)\s(?:also\s|still\s)?to|schedul(?:ed|ing)"
    r"|plann?(?:ed|ing)?|booked|supposed\sto|due|slated|start(?:s|ing)|begin(?:s|ning)|resum\w+)\b"
)
_WEEKDAY_AROUND = re.compile(
    r"\s(before|after|preceding|following)\b(?!\s(?:last|next)\b)(?:\sthat\b)?"
)
_SOONER = re.compile(r"\b(?:brought|moved|pulled)\s(?:forward|up)\s(?:by\s)?$")
_LATER = re.compile(
    r"\b(?:postponed|delayed|deferred|extended|(?:put|pushed|moved|set|held)\s(?:back|off))\s(?:by\s|for\s|another\s)?$"
)
_DAY_MINUTES = 1440
_IS = re.compile(r"(?:\b(?:is|are|am)|['’](?:s|re|m))\s(?:now\s|only\s|just\s|exactly\s|still\s)?$")
_PERFECT = re.compile(
    r"(?:\b(?:has|have)|['’]ve|['’]s)\s(?:now\s|not\s|already\s)?(?:been|had|lived|stayed|waited|worked|lain|sat)\b"
    r"[^,;]{0,40}\bfor\s(?:exactly\s)?$"
)
_ANOTHER = re.compile(r"\b(?:will|ll|going\sto)\s(?:be|take)\s(?:another\s)?$")
_OF = re.compile(r"\s(?:of|or\sso|or\stwo|or\smore|notice|old)\b|['’]\s?\w+|-\w")
_STOP = frozenset({
    "after", "before", "from", "that", "this", "then", "with", "when", "which", "while", "their",
    "there", "they", "were", "have", "been", "will", "first", "last", "next", "into", "onto",
    "your", "ours", "mine", "days", "weeks", "months", "years", "same", "time",
})  # fmt: skip


def _read_offset(match: re.Match[str], scene: Scene) -> Reading | None:
    length = read_length(match["length"])
    if length and length.minutes and length.minutes % _DAY_MINUTES == 0:
        length = Length(length.months, length.days + length.minutes // _DAY_MINUTES)
    if length is None or length.minutes:
        return None
    way, within = match["way"] or "", match["within"]
    start = match.start()
    if not within and not way and (since := _since(match, scene, length)):
        return replace(since, confidence=0.7)
    before = scene.lower[max(0, start - 30) : start]
    if _APPROXIMATE.search(before) and not before.endswith(("no later than ", "not later than ")):
        return None
    ahead = match["s_time"] is not None and within is not None
    if not way and not within:
        shifted = -1 if _SOONER.search(before) else 1 if _LATER.search(before) else 0
        if shifted and scene.event and scene.event.day:
            span = scene.event.span
            return _counted(scene, match, length, scene.event.day, shifted, True, span)
    if not way and within == "after ":
        return _after_event(scene, match, length)
    if not way and not within and not ahead:
        return None
    if way == "in":
        return None
    if not way:
        return _in_future(match, scene, length, ahead)
    if way.startswith(("ago", "back")) and way != "back":
        return _counted(scene, match, length, scene.today, -1, "to the day" in way or " " in way)
    if _FORWARD.match(way):
        return _counted(scene, match, length, scene.today, 1, "today" in way)
    if re.match(r"later|afterwards?", way):
        return _later(scene, match, length)
    if re.match(r"earlier|prior$|beforehand|previously|prior\sthan", way):
        base = scene.event
        if base is None or base.day is None:
            return None
        return _counted(scene, match, length, base.day, -1, not length.months, base.span)
    if way in ("off", "away", "to go") or way.startswith("off "):
        return _away(scene, match, length)
    if way == "back":
        if scene.tense(match.span()) != "past":
            return None
        return _counted(scene, match, length, scene.today, -1, False)
    return _around_event(scene, match, length, way)


def _in_future(match: re.Match[str], scene: Scene, length: Length, ahead: bool) -> Reading | None:
    planned = _PLANNED.search(scene.lower, scene.near(match.span())[0], match.start())
    if not ahead and (
        _OF.match(scene.lower, match.end()) or (scene.tense(match.span()) == "past" and not planned)
    ):
        return None
    exact = scene.text[match.end() :].lstrip().startswith("to the day")
    return _counted(scene, match, length, scene.today, 1, exact)


def _away(scene: Scene, match: re.Match[str], length: Length) -> Reading | None:
    """Read `is five days off`, `three weeks away`, `ten days to go`."""
    before = scene.lower[max(0, match.start() - 16) : match.start()]
    if match["way"] != "to go" and not _IS.search(before):
        return None
    return _counted(scene, match, length, scene.today, 1, not length.months)


def _since(match: re.Match[str], scene: Scene, length: Length) -> Reading | None:
    """Read `has been out for ten days`, `it will be another week before`."""
    start = clause_around(scene.lower, scene.near(match.span()), match.span())[0]
    before = scene.lower[start : match.start()]
    if length.months:
        return None
    if _PERFECT.search(before):
        return _counted(scene, match, length, scene.today, -1, True)
    if _ANOTHER.search(before) and re.match(
        r"\s(?:before|until|till)\b", scene.lower[match.end("length") :]
    ):
        return _counted(scene, match, length, scene.today, 1, True)
    return None


def _after_event(scene: Scene, match: re.Match[str], length: Length) -> Reading | None:
    """Read `discharged after nine days`: from the event told before it in the message."""
    if scene.event is None or scene.event.day is None or scene.tense(match.span()) == "future":
        return None
    day, base = scene.event.day, scene.event.span
    return _counted(scene, match, length, day, 1, not length.months, base)


def _later(scene: Scene, match: re.Match[str], length: Length) -> Reading | None:
    """Read `N days later`: from the event before it, or from the message where none fits.

    Expressions of the same form that follow each other share their anchor: `two days later and
    again six days later`; the same words again mean the same day. The other anchor, where there
    is one, is kept as an alternative.
    """
    tense = scene.tense(match.span())
    headed = scene.message.stamp[0] < scene.message.body
    said = scene.today if headed else None
    same = next((each for each in scene.recent()[::-1] if each.why == match.group()), None)
    if same and same.span[0] >= scene.message.body:
        return replace(same, span=match.span())
    from_message = _counted(scene, match, length, said, 1, not length.months)
    if scene.parallel and scene.parallel[1] >= scene.sentence[0]:
        anchor = scene.parallel[0]
    elif scene.event and scene.event.day:
        anchor = scene.event.day
        # what is still to come cannot lie before the message
        if tense == "future" and said and length.after(anchor) <= said:
            anchor = said
    elif from_message is None or said is None:
        return None
    else:
        scene.parallel = (said, match.end())
        planned = tense != "past" or _PLANNED.search(
            scene.lower, scene.near(match.span())[0], match.start()
        )
        if planned:
            return replace(from_message, confidence=0.75)
        return replace(from_message, role="alternative", confidence=0.4)
    scene.parallel = (anchor, match.end())
    base = (scene.event.span,) if scene.event and scene.event.day == anchor else ()
    found = _counted(scene, match, length, anchor, 1, not length.months)
    if from_message and anchor != said:
        scene.others.append(replace(from_message, role="alternative", confidence=0.4))
    return found and replace(found, base=base, confidence=0.8)


def _around_event(scene: Scene, match: re.Match[str], length: Length, way: str) -> Reading | None:
    sign = -1 if re.match(r"before|off|preceding|prior|to\sthe\sday\sbefore", way) else 1
    exact = "to the day" in way
    if re.search(r"\s(?:that|then|this|it)$", way):
        base = scene.event
    else:
        base = find_base(scene, match.end(), match.start())
    if (
        base is None
        and scene.event
        and scene.event.span[0] >= scene.sentence[0]
        and not length.months
    ):
        # `this evening, three weeks after the tremor` tells when the tremor was
        base, sign = scene.event, -sign
    if way == "from" and _SOONER.search(scene.lower, scene.near(match.span())[0], match.start()):
        sign = -1
    day = _edge(base, sign)
    if base is None or day is None or way.startswith(("since", "past", "off")):
        return None
    return _counted(scene, match, length, day, sign, exact or not length.months, base.span)


def _edge(base: Reading | None, sign: int) -> date | None:
    """Return the day that counting forward or back from an event starts at."""
    if base and base.kind == "date_range":
        return date.fromisoformat(base.value[1 if sign > 0 else 0])
    return base.day if base else None


def find_base(scene: Scene, end: int, start: int) -> Reading | None:
    """Return the event that the words after `end` name: dated right there, or told of before."""
    lower = scene.lower
    stop = min(scene.sentence[1], end + 70)
    for shape, match in find_expressions(lower, end, stop):
        gap = lower[end : match.start()]
        if re.search(r"[;:.!?—()]|,(?!\s(?:which|who)\b)", gap):
            break
        if shape == "offset" and not (match["way"] or "").startswith("ago"):
            break
        found = read_expression(shape, match, scene)
        if found and (found.day or found.kind == "date_range"):
            if shape == "holiday" and "which" not in gap:
                scene.bases.add(found.span)
            return found
        break
    words = _stems(re.split(r"[,;:.!?—()]", lower[end:stop])[0])
    pronoun = re.match(
        r"\s(?:that|then|it|this|which|he|she|they|we|i|arriv\w+)\b", lower[end:stop]
    )
    best: tuple[int, int, Reading] | None = None
    for number, told in enumerate(scene.recent()):
        if told.day is None and told.kind != "date_range":
            continue
        shared = len(words & _stems(_told_clause(scene, told.span, start)))
        if shared and (best is None or (shared, number) > best[:2]):
            best = (shared, number, told)
    if best:
        return best[2]
    return scene.event if pronoun or not words else None


def _counted(
    scene: Scene,
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


def _read_weekday(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `the Friday before Memorial Day` from its event, all others from the message."""
    reading = weekday_rules.read_weekday(match, scene)
    way = _WEEKDAY_AROUND.match(scene.lower, match.end())
    if reading is None or way is None or not scene.lower[: match.start()].endswith("the "):
        return reading
    base = _object(scene, way.end(), match.start())
    sign = 1 if way[1] in ("after", "following") else -1
    day = _edge(base, sign)
    if base is None or day is None:
        return None
    step = weekday_after if sign > 0 else weekday_before
    found = step(day, weekday_number(match["weekday"]))
    return on_day(found, (match.start(), way.end()), match.group() + way.group(), base=(base.span,))


def _object(scene: Scene, end: int, start: int) -> Reading | None:
    """Return the event that `after` or `before` governs: the one named next, or the last told."""
    rest = scene.lower[end : scene.sentence[1]]
    named = re.match(r"\s(?:the|an?|his|her|my|our|their|its|your|\d|[a-z]+['’]s)\b", rest)
    named = named or re.match(r"\s[A-Z]", scene.text[end:]) or _expression_follows(scene, end)
    return find_base(scene, end, start) if named else scene.event


def _expression_follows(scene: Scene, end: int) -> re.Match[str] | None:
    found = next(find_expressions(scene.lower, end, min(scene.sentence[1], end + 40)), None)
    return found[1] if found and found[1].start() <= end + 1 else None


def _read_step(match: re.Match[str], scene: Scene) -> Reading | None:
    span, why = match.span(), match.group()
    if match["step"]:
        sign = 1 if match["step"] in ("following", "next") else -1
        base, unit = scene.event, match["step_unit"]
    else:
        sign = 1 if match["step2"] == "after" else -1
        unit = match["step2_unit"] or "day"
        base = _object(scene, span[1], span[0])
    if base is None:
        return None
    bases = (base.span,)
    if unit in ("month", "year"):
        return _step_month(unit, sign, base, span, why)
    day = base.day or _first_day(base)
    if day is None:
        return None
    if unit == "week":
        first, last = week_of(day + timedelta(7 * sign))
        return over_days(first, last, span, why, base=bases, confidence=0.7)
    if unit == "weekend":
        saturday = week_of(day)[0] + timedelta(5 if sign > 0 else -2)
        return over_days(saturday, saturday + timedelta(1), span, why, base=bases, confidence=0.7)
    return on_day(day + timedelta(sign), span, why, base=bases)


def _step_month(unit: str, sign: int, base: Reading, span: Span, why: str) -> Reading | None:
    day = base.day or _first_day(base)
    if day is None:
        return None
    found = Length(months=sign * (1 if unit == "month" else 12)).after(day)
    if unit == "month":
        return in_month(found.year, found.month, span, why, base=(base.span,), confidence=0.7)
    return Reading("year", str(found.year), span, confidence=0.7, base=(base.span,), why=why)


def _first_day(reading: Reading) -> date | None:
    if reading.kind == "date_range":
        return date.fromisoformat(reading.value[0])
    if reading.kind == "month":
        return date.fromisoformat(f"{reading.value}-01")
    return None


def _told_clause(scene: Scene, span: Span, until: int) -> str:
    lower, signs = scene.lower, (". ", "\n", "? ", "! ")
    first, last = max(0, span[0] - 300), min(len(lower), span[1] + 300)
    opens = max(first, *(lower.rfind(sign, first, span[0]) + 1 for sign in signs))
    ends = (lower.find(sign, span[1], last) for sign in signs)
    closes = min((at for at in ends if at >= 0), default=last)
    start, end = clause_around(scene.lower, (opens, closes), span)
    return scene.lower[start : min(end, until) if span[1] <= until else end]


def _stems(words: str) -> set[str]:
    return {word[:5] for word in re.findall(r"[a-z]{4,}", words) if word not in _STOP}


_READERS: dict[str, Callable[[re.Match[str], Scene], Reading | None]] = {
    "date": date_rules.read_date,
    "month_year": month_rules.read_month_year,
    "part_of_year": month_rules.read_part_of_year,
    "nth": month_rules.read_nth,
    "edge": month_rules.read_edge,
    "counted": weekday_rules.read_counted,
    "turn": weekday_rules.read_turn,
    "dayname": weekday_rules.read_dayname,
    "weekday": _read_weekday,
    "holiday": date_rules.read_holiday,
    "offset": _read_offset,
    "step": _read_step,
    "period": month_rules.read_period,
    "month": month_rules.read_month,
    "ordinal": month_rules.read_ordinal,
}
