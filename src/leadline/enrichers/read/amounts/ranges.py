"""Ranges: `3 to 5 feet`, `80-90%`, `two or three`. Neither end is what is told of the thing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from leadline.enrichers.words import patterns

if TYPE_CHECKING:
    from leadline.enrichers.read.amounts.passage import Amount

_P = patterns("ranges")
_LINK = re.compile(_P["link"])
_BETWEEN = re.compile(r"\bbetween (?:about |roughly |around |approximately )?[$£€]?$")
_MOVED = re.compile(_P["moved"])
_SCORED = re.compile(_P["scored"])
_BUNDLE = re.compile(r" for (?:the |an? |both|two|three|all|it\b)")
_NUMBERED = re.compile(_P["numbered"])
_TYPED = "pqtmyc"


def ranges_of(lower: str, amounts: Sequence[Amount]) -> Iterator[tuple[Amount, Amount]]:
    """Yield both ends of every range; a change from one figure to another and a score are none.

    lower    the text in lower case
    amounts  its amounts, in order
    """
    for first, second in pairwise(amounts):
        if not 0 < second.start - first.end < 14 or first.value >= second.value:
            continue
        link = _LINK.fullmatch(lower, first.end, second.start)
        if link is None or not (first.sort == "n" or _is_alike(first, second)):
            continue
        lead = lower[max(0, first.start - 90) : first.start]
        if link["both"] and not _BETWEEN.search(lead):
            continue
        if first.sort == "n" and _NUMBERED.search(lead):
            continue
        if first.sort == "m" and _BUNDLE.match(lower, second.end):
            continue
        if not _MOVED.search(lead) and not _SCORED.search(lead):
            yield first, second


def with_units_of_ranges(lower: str, amounts: Sequence[Amount]) -> list[Amount]:
    """Return the amounts; of `15 to 20 per cent` the first end is a percentage, too."""
    lent = {
        first.start: replace(first, sort=second.sort, unit=second.unit)
        for first, second in ranges_of(lower, amounts)
        if first.sort == "n" and second.sort in _TYPED
    }
    return [lent.get(each.start, each) for each in amounts]


def _is_alike(first: Amount, second: Amount) -> bool:
    return first.sort == second.sort or {first.sort, second.sort} <= {"t", "c"}
