"""All times in one message: days, spans of days, times of day, and slots on days."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from leadline_facts.propose.times.ages import read_ages, read_ages_at
from leadline_facts.propose.times.clock_arithmetic import DAY, Dial, Moment, Slot, read_times
from leadline_facts.propose.times.date_spans import aligned, days_of, read_spans
from leadline_facts.propose.times.relative_times import read_expression
from leadline_facts.propose.times.scenes import Reading, Scene, Span, clause_around, on_day
from leadline_facts.read.messages import OPENING_LENGTH
from leadline_facts.read.scope import Scope
from leadline_facts.read.times.time_expressions import find_expressions
from leadline_facts.words import patterns

_P = patterns("readings")
_DENIED = re.compile(_P["denied"])
_INVERTED = re.compile(r"\s*(?:Had|Were|Should)\s(?!you\b|your\b)(?:\w+\s){1,3}")
_LISTED = 7
_CONDITION = re.compile(_P["condition"])
# `not seen since Friday`, `not back until Friday`: what is denied ends or begins there
_HOLDS = re.compile(_P["holds"])
_IMAGINED = re.compile(r"\b(?:would|could|might|should)\b|['’]d\s(?:be|have)\b")
_DAY = re.compile(_P["day_name"])
_OR = re.compile(_P["or"])
_OR_ELSE = re.compile(_P["or_else"])
_REFUSED = re.compile(_P["refused"])
_OPEN = re.compile(_P["open"])
_HABIT = re.compile(_P["habit"])
_AROUND = 150
"""Characters in which a text says that something is not settled, or speaks of habits."""
_EXCEPT = re.compile(_P["except"])
_AS_A_RULE = re.compile(_P["as_a_rule"])
_TITLE = re.compile(_P["title"])
_PERSON = re.compile(_P["person"])
_NAME_GOES_ON = re.compile(_P["name_goes_on"])
_REGULAR = re.compile(_P["regular"])
"""`open Monday to Friday, 8 to 5`: hours that recur, which nobody asks the length of."""


def read_message(
    scene: Scene, sentences: list[Span], scope: Scope, dial: Dial
) -> Iterator[Reading]:
    """Yield what a message tells, sentence by sentence, then the slots of its activities.

    sentences  of the message, in order
    scope      what its writer vouches for
    dial       the last time told; moved on
    """
    if scene.message.minute is not None:
        dial.now, dial.stamp, dial.last = scene.message.minute, scene.message.stamp, None
    days: list[list[Reading]] = []
    slots: list[list[Slot]] = []
    for span in sentences:
        scene.sentence = span
        found = list(_asserted(scene, span, scope))
        moments, here = read_times(scene.lower, *span, dial)
        if (found or moments or here) and _is_denied(scene, span):
            found, moments, here = [], [], []
        days.append(found)
        yield from found
        slots.append([each for each in here if not scope.doubts(each.span)])
        if not (slots[-1] or dial.here) or not _REGULAR.search(scene.lower, *span):
            yield from (_length(slot, scene) for slot in slots[-1] if not slot.is_reckoned)
        for moment in moments:
            if not scope.doubts(moment.span):
                yield from _moment(scene, moment)
        scene.sentence_before = span
    yield from _intervals(scene, days, slots)


def _is_denied(scene: Scene, span: Span) -> bool:
    if _DENIED.search(scene.lower, *span):
        return True
    return bool(_INVERTED.match(scene.text, *span)) and "?" not in scene.text[slice(*span)]


def _asserted(scene: Scene, span: Span, scope: Scope) -> Iterator[Reading]:
    found: list[Reading] = []
    for shape, match in find_expressions(scene.lower, *span):
        reading = read_expression(shape, match, scene)
        if reading is None or (reading.role != "stated" and _is_doubted(scene, reading, scope)):
            continue
        if scene.message.day is None and reading.day:
            # a text without a date of its own is dated by the first day that it fixes
            late = reading.span[0] > OPENING_LENGTH
            scene.message = replace(
                scene.message, day=reading.day, stamp=reading.span, is_told=late
            )
        if reading.span in scene.bases:
            reading = replace(reading, role="alternative", confidence=0.4)
        scene.remember(reading)
        found.append(reading)
        yield from scene.others
        scene.others.clear()
    found = aligned(scene.lower, found)
    yield from found
    for stretch in read_spans(scene.lower, span, found):
        yield stretch
        for day in days_of(stretch)[:_LISTED]:
            if all(day != each.day for each in found):
                yield on_day(
                    day, stretch.span, stretch.why,
                    base=stretch.base, role="alternative", confidence=0.7,
                )  # fmt: skip
    if found:
        yield from read_ages(scene, span, found)
        yield from read_ages_at(scene, span, found)


def _is_doubted(scene: Scene, reading: Reading, scope: Scope) -> bool:
    """Tell whether a reading is not vouched for.

    `Who died on Tuesday, would have turned 90` imagines its last clause only.
    """
    if _is_dropped(scene, reading):
        return True
    why, start = scope.doubts(reading.span), reading.span[0]
    if why == {"negated"} and _HOLDS.search(scene.lower, max(0, start - 14), start):
        return False
    if why != {"hypothetical"}:
        return bool(why)
    near = scene.near(reading.span)
    if _CONDITION.search(scene.lower, near[0], start):
        return True
    # what is told as past does not hang on a condition that follows it
    hangs = _CONDITION.search(scene.lower, reading.span[1], near[1])
    if hangs and scene.tense(reading.span) != "past":
        return True
    start, end = clause_around(scene.lower, near, reading.span)
    comma = scene.lower.find(", ", reading.span[1])
    end = min(end, comma) if comma > 0 else end
    return _IMAGINED.search(scene.lower, start, end) is not None


def _is_dropped(scene: Scene, reading: Reading) -> bool:
    """Tell whether a day is left open, excepted, told of as a rule, or part of a name."""
    lower, (start, end) = scene.lower, reading.span
    near = scene.near(reading.span)
    if _OR.match(lower, end) or _OR_ELSE.search(lower, near[0], start):
        return True
    if _REFUSED.match(lower, end) or _is_name(scene.text, start, end):
        return True
    if any(each.end() > start for each in _EXCEPT.finditer(lower, near[0], end)):
        return True
    around = max(0, start - _AROUND), end + _AROUND
    is_bare = _DAY.fullmatch(lower, start, end)
    is_open = _OPEN.search(lower, *around) or (is_bare and _HABIT.search(lower, *around))
    if is_open and scene.tense(reading.span) != "past":
        return True
    first, last = clause_around(lower, near, reading.span)
    return reading.kind == "date" and _AS_A_RULE.search(lower, first, last) is not None


def _is_name(text: str, start: int, end: int) -> bool:
    """Tell whether words are part of a name: `Miss Friday`, `Sunday Street`, a title."""
    before, words = text[:start].rstrip(" ")[-1:] or ".", text[start:end]
    if before not in '.:!?\n"“‘(•-–—>*|' and " " in words and _TITLE.fullmatch(words):
        return True
    is_led = _PERSON.search(text, max(0, start - 6), start)
    return bool(is_led or (words.istitle() and _NAME_GOES_ON.match(text, end)))


def _length(slot: Slot, scene: Scene) -> Reading:
    value = {"amount": slot.end - slot.start, "unit": "minute"}
    why = scene.lower[slice(*slot.span)]
    return Reading("duration", value, slot.span, confidence=0.6, why=why)


def _moment(scene: Scene, moment: Moment) -> Iterator[Reading]:
    minute, base = moment.minute % DAY, (moment.base,) if moment.base else ()
    told, sure = f"{minute // 60:02}:{minute % 60:02}", moment.confidence
    why = scene.lower[slice(*moment.span)]
    yield Reading("time", told, moment.span, None, moment.role, sure, base=base, why=why)
    shift = moment.minute // DAY
    day = scene.event.day if scene.event and scene.event.day else scene.today
    if shift and day:
        day += timedelta(shift)
        yield on_day(day, moment.span, "past midnight", base=base, confidence=min(0.8, sure))


def _intervals(
    scene: Scene, days: list[list[Reading]], slots: list[list[Slot]]
) -> Iterator[Reading]:
    """Tie each slot to the days of its sentence, or of the closest sentence that names some."""
    for number, here in enumerate(slots):
        if not here:
            continue
        places = [number, *(number - step for step in range(1, number + 1)), number + 1]
        near = next((days[at] for at in places if at < len(days) and days[at]), [])
        for slot in here:
            for reading, day in ((each, day) for each in near for day in days_of(each)):
                midnight = datetime(day.year, day.month, day.day)
                first, last = (midnight + timedelta(minutes=m) for m in (slot.start, slot.end))
                value = [first.isoformat(timespec="minutes"), last.isoformat(timespec="minutes")]
                why = f"{reading.why}, {scene.lower[slice(*slot.span)]}"
                base = (reading.span, *reading.base)
                confidence = 0.85 if reading.role != "alternative" else 0.4
                role = "alternative" if reading.role == "alternative" else "derived"
                yield Reading(
                    "interval", value, slot.span, None, role, confidence, base=base, why=why
                )
