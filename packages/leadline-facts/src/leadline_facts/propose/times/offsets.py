"""Offsets from a moment or an event: `three days ago`, `two days before the move`."""

from __future__ import annotations

import re
from dataclasses import replace

from leadline_facts.propose.times.event_bases import Reader, counted, counted_from, find_base
from leadline_facts.propose.times.scenes import Reading, Scene
from leadline_facts.read.times.lengths import Length, read_length
from leadline_facts.words import patterns

_P = patterns("offsets")
_APPROXIMATE = re.compile(_P["approximate"])
_RANGE = re.compile(_P["range"])
_EXACT = re.compile(_P["exact"])
_MOVED = re.compile(_P["moved"])
_PLANNED = re.compile(_P["planned"])
_IS = re.compile(r"(?:\b(?:is|are|am)|['’](?:s|re|m))\s(?:now\s|only\s|just\s|exactly\s|still\s)?$")
_OF = re.compile(r"\s(?:of|or\sso|or\stwo|or\smore|notice|old)\b|['’]\s?\w+|-\w")
_THAN = re.compile(r"\sthan\b(?!\sthat)")
_PRONOUN = re.compile(r"\s(?:that|then|this|it)$")
_DAY_MINUTES = 1440
_YEARS = 24


def read_offset(match: re.Match[str], scene: Scene, read: Reader) -> Reading | None:
    """Return the day, month or year that a length of time leads to; None for a mere length."""
    length = read_length(match["length"])
    if length and length.minutes and length.minutes % _DAY_MINUTES == 0:
        length = Length(length.months, length.days + length.minutes // _DAY_MINUTES)
    before = scene.lower[max(0, match.start() - 30) : match.start()]
    if length is None or length.minutes or _RANGE.search(before):
        return None
    way, after = match["way"] or "", scene.lower[match.end() : match.end() + 14]
    exact = bool(_EXACT.search(before) or "exactly" in match.group() or _EXACT.match(after))
    only = way.startswith(("after", "before", "later")) and before.endswith("only ")
    if _APPROXIMATE.search(before) and not only:
        return None
    if not way:
        return _without_way(match, scene, length, exact)
    if way.startswith("ago"):
        return counted(match, length, scene.today, -1, exact or " " in way)
    if way in ("away", "off"):
        is_ahead = _IS.search(before)
        return counted(match, length, scene.today, 1, not length.months) if is_ahead else None
    if way in ("from now", "hence", "from today", "from this morning"):
        return counted(match, length, scene.today, 1, exact or "today" in way)
    if way.startswith(("later", "afterward")) or way == "on":
        return _later(scene, match, length, exact)
    if way in ("earlier", "prior", "beforehand", "previously"):
        base = scene.point if length.months and _is_rough(scene.point) else scene.event
        return (
            None
            if _THAN.match(after)
            else counted_from(match, length, base, -1, exact or not length.months)
        )
    return _around_event(scene, match, length, way, exact, read)


def _is_rough(told: Reading | None) -> bool:
    return told is not None and told.kind in ("month", "year")


def _without_way(match: re.Match[str], scene: Scene, length: Length, exact: bool) -> Reading | None:
    """Read `in ten days`, `after nine days`, `postponed by a week`."""
    if (match["within"] or "").startswith("after "):
        return _after_event(scene, match, length, exact)
    near = scene.near(match.span())
    if match["within"]:
        past = scene.tense(match.span(), alone=True) == "past"
        planned = _PLANNED.search(scene.lower, near[0], match.start())
        rough = (length.months >= 12 and not exact) or _OF.match(scene.lower, match.end())
        if not match["s_time"] and (rough or (past and not planned)):
            return None
        return counted(match, length, scene.today, 1, exact)
    return None


def _after_event(scene: Scene, match: re.Match[str], length: Length, exact: bool) -> Reading | None:
    """Read `discharged after nine days`: from the event told before it in the message."""
    event = scene.event
    if event is None or event.day is None:
        return counted(match, length, scene.today, 1, True) if exact else None
    if scene.tense(match.span()) == "future" and not exact:
        return None
    here = event.span[0] >= scene.sentence[0]
    near = event.span[0] >= (scene.sentence_before or scene.sentence)[0]
    if not here and (not near or length.months >= _YEARS):
        return None
    # `ready on 11 March, after 27 days` tells when it was begun
    sign = -1 if here and match.start() - event.span[1] < 3 else 1
    return counted(match, length, event.day, sign, not length.months, event.span)


def _later(scene: Scene, match: re.Match[str], length: Length, exact: bool) -> Reading | None:
    """Read `N days later`: from the event before it, or from the message where none fits.

    Expressions of the same form that follow each other share their anchor: `two days later and
    again six days later`; the same words again mean the same day. The other anchor, where there
    is one, is kept as an alternative.
    """
    headed = scene.message.stamp[0] < scene.message.body
    said = scene.today if headed else None
    exact = exact or not length.months
    if _THAN.match(scene.lower, match.end()):
        return None
    if length.months and _is_rough(scene.point):
        return counted_from(match, length, scene.point, 1, exact)
    tense, from_message = scene.tense(match.span()), counted(match, length, said, 1, exact)
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
        start = scene.near(match.span())[0]
        if tense != "past" or _PLANNED.search(scene.lower, start, match.start()):
            return replace(from_message, confidence=0.75)
        return replace(from_message, role="alternative", confidence=0.4)
    scene.parallel = (anchor, match.end())
    base = (scene.event.span,) if scene.event and scene.event.day == anchor else ()
    found = counted(match, length, anchor, 1, exact)
    if from_message and anchor != said:
        scene.others.append(replace(from_message, role="alternative", confidence=0.4))
    return found and replace(found, base=base, confidence=0.8)


def _around_event(
    scene: Scene, match: re.Match[str], length: Length, way: str, exact: bool, read: Reader
) -> Reading | None:
    """Read `a fortnight before the move`, `two days short of their anniversary`."""
    sign = -1 if re.match(r"before|preceding|prior|to\sthe\s.*before|short|shy", way) else 1
    base, turn = _base_of(scene, match, length, way, read)
    moved = _MOVED.search(scene.lower, scene.near(match.span())[0], match.start())
    if way == "from" and moved:
        sign = 1 if moved["back"] else -1
    from_day = way == "from" and base is not None and base.kind == "date" and base.role == "stated"
    exact = exact or from_day or not length.months or "to the day" in way
    return counted_from(match, length, base, sign * turn, exact)


def _base_of(
    scene: Scene, match: re.Match[str], length: Length, way: str, read: Reader
) -> tuple[Reading | None, int]:
    """Return the event, and -1 where what was told before is counted on to."""
    told = scene.point
    if _PRONOUN.search(way):
        return told, 1
    base = find_base(scene, match.end(), match.start(), read)
    if base is not None or told is None:
        return base, 1
    here = told.span[0] >= scene.sentence[0]
    # `this evening, three weeks after the tremor` tells when the tremor was
    return (told, -1) if here and (not length.months or told.kind == "year") else (None, 1)
