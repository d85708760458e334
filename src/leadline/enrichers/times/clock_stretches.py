"""How long things last that begin at one told time and end at the next: `left at 9, home by 11`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from leadline.enrichers.read.times.clock_times import Clock
from leadline.enrichers.times.scenes import Reading, Scene, Span
from leadline.enrichers.words import patterns

_DAY = 1440
_P = patterns("clock_stretches")
_BEGINS = re.compile(_P["begins"])
_ENDS = re.compile(_P["ends"])
_MOVED = re.compile(_P["moved"])
_APART = re.compile(_P["apart"])
_HAD = re.compile(r"\b(?:having|had)\s")
_REACH = 60


def read_clock_lengths(
    scene: Scene, sentence: Span, before: Sequence[Clock], here: Sequence[Clock]
) -> Iterator[Reading]:
    """Yield how long it is from each time told to the next, where words tell a start and an end.

    before  times of the sentence before; only its last one counts
    here    times of this sentence
    """
    for first, second in pairwise([*before[-1:], *here]):
        if not (first.is_certain and second.is_certain) or first.minute == second.minute:
            continue
        if _bounds(scene.lower, first, second, sentence):
            value = {"amount": (second.minute - first.minute) % _DAY, "unit": "minute"}
            span = (first.start, second.end)
            why = scene.lower[slice(*span)]
            yield Reading("duration", value, span, confidence=0.6, why=why)


def _bounds(lower: str, first: Clock, second: Clock, sentence: Span) -> bool:
    """Tell whether the words beside two times say that something began and that it ended."""
    gap = lower[first.end : second.start]
    # a slot (`3 to 5`) has its length read with it
    if (
        len(gap) > 2 * _REACH
        or _APART.search(gap)
        or re.fullmatch(r"\s?(?:to|until|till|[-–—])\s?", gap)
    ):
        return False
    opening = lower[max(first.start - _REACH, lower.rfind("\n", 0, first.start) + 1) : first.start]
    opening = re.split(r"[.;]\s", opening)[-1]
    cut = re.search(r"[.;,]\s", gap)
    head, tail = (gap[: cut.start()], gap[cut.end() :]) if cut else (gap, gap)
    rest = re.split(r"[.;,]", lower[second.end : min(sentence[1], second.end + 30)])[0]
    if _HAD.search(gap) or _MOVED.search(opening):
        return False
    begins = _BEGINS.search(opening) or _BEGINS.search(head)
    return begins is not None and bool(_ENDS.search(tail) or _ENDS.search(rest))
