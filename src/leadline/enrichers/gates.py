"""Where in a text a regular expression may match, told before it is tried.

Most patterns match in few texts. What every match holds, how it begins and how long it may be is
read from the pattern; where the words of a text stand is looked up once for all patterns. So a
pattern is tried at few places of few texts, and in most not at all.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

from leadline.enrichers.literals import BEGINNING, Alternatives, parsed, required
from leadline.enrichers.openings import DIGIT, STEM, Opening, opening_of
from leadline.enrichers.widths import Width, width_of

_TOKEN = re.compile(r"(§[a-z]\d+§|[^\W\d_]+|\d+|[^\w\s]|\n)")
_SIGNS = re.compile(r"\W{3,}")

Region = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Gate:
    """What is known of the matches of a pattern before it is tried.

    needed   sets of keys of each of which every match holds one
    near     the most telling of these that stands in reach of the start, and how far from it
    opening  how every match begins; None where that is not known
    width    how long a match is at most, with what it looks ahead at; None where not known
    """

    needed: tuple[Alternatives, ...]
    near: tuple[Alternatives, Width] | None
    opening: Opening | None
    width: Width | None


def gate_of(pattern: re.Pattern[str]) -> Gate:
    """Return what is known of the matches of a pattern."""
    known = _KNOWN.get(id(pattern))
    if known is None:
        held, opening = required(pattern), opening_of(pattern)
        needed = [keys for keys, _ in held]
        if opening and len(opening) == 1:
            needed.append(opening[0][1])
        near = next(((keys, reach) for keys, reach in held if reach is not None), None)
        gate = Gate(tuple(needed), near, opening, width_of(parsed(pattern)))
        known = _KNOWN[id(pattern)] = (gate, pattern)
    return known[0]


_KNOWN: dict[int, tuple[Gate, re.Pattern[str]]] = {}
"""By identity, as a pattern's hash takes in all of its code; the pattern is kept, too."""


class Index:
    """Where the words, marks and signs of a text stand.

    Their keys are the words, the first letters of each with a star, the marks of amounts without
    their numbers, single signs, a digit for all numbers, the beginnings of lines, and a mark with
    the word beside it: `for §n` and `§ days` of `for §n3§ days`.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._places = _places_in(text)
        self._keys = frozenset(self._places)
        self._merged: dict[Alternatives, list[int]] = {}
        self._longest = max(map(len, text.split() + _SIGNS.findall(text)), default=0)

    def find(
        self, pattern: re.Pattern[str], regions: Sequence[Region] | None = None
    ) -> Iterator[re.Match[str]]:
        """Return the matches of a pattern, in order.

        regions  where to look, in order and apart; the whole text by default
        """
        regions = [(0, len(self._text) + 1)] if regions is None else regions
        gate, keys = gate_of(pattern), self._keys
        for needed in gate.needed:
            if keys.isdisjoint(needed):
                return iter(())
        if gate.opening is None:
            if gate.near is not None and gate.width is not None:
                reach = self._characters(gate.width)
                regions = _around(self._of(gate.near[0]), reach, regions)
            return self._within(pattern, regions)
        starts = self._starts(gate.opening)
        if gate.near is not None and starts:
            places, reach = self._of(gate.near[0]), self._characters(gate.near[1])
            if len(places) < len(starts):
                starts = _before(places, reach, starts)
        return self._at(pattern, starts, regions) if starts else iter(())

    def holds(self, keys: Alternatives, start: int, end: int) -> bool:
        """Tell whether one of the keys stands between two offsets of the text."""
        places = self._of(keys)
        number = bisect_left(places, start)
        return number < len(places) and places[number] < end

    def _characters(self, width: Width) -> int:
        return width[0] + width[1] * self._longest

    def _within(
        self, pattern: re.Pattern[str], regions: Sequence[Region]
    ) -> Iterator[re.Match[str]]:
        for start, end in regions:
            yield from pattern.finditer(self._text, start, end)

    def _at(
        self, pattern: re.Pattern[str], starts: Sequence[int], regions: Sequence[Region]
    ) -> Iterator[re.Match[str]]:
        match_at, text, number = pattern.match, self._text, 0
        done, last = regions[0] if regions else (0, 0)
        for place in starts:
            while place >= last:
                number += 1
                if number >= len(regions):
                    return
                done, last = regions[number]
            if place >= done and (match := match_at(text, place, last)):
                done = match.end()
                yield match

    def _of(self, keys: Alternatives) -> list[int]:
        """Return, in order, where one of the keys stands."""
        found = self._merged.get(keys)
        if found is None:
            found = sorted({*chain.from_iterable(map(self._places.__getitem__, keys & self._keys))})
            self._merged[keys] = found
        return found

    def _starts(self, opening: Opening) -> list[int]:
        """Return, in order, where a match with this opening may begin."""
        if len(opening) == 1 and not opening[0][0]:
            return self._of(opening[0][1])
        return sorted({place - behind for behind, keys in opening for place in self._of(keys)})


def _places_in(text: str) -> dict[str, list[int]]:
    parts = _TOKEN.split(text)  # what stands between tokens, and tokens, by turns
    tokens, starts = parts[1::2], list(accumulate(map(len, parts)))[::2]
    places: defaultdict[str, list[int]] = defaultdict(list)
    for token, start in zip(tokens, starts, strict=False):
        places[token].append(start)
    for token in list(places):
        if token[0] == "§":
            places[token[:2]] += places[token]
        elif token[0].isdecimal():
            places[DIGIT] += places[token]
        elif len(token) >= STEM:
            places[f"{token[:STEM]}*"] += places[token]
    for number, token in enumerate(tokens):
        if token[0] == "§":
            if number and parts[2 * number] == " ":
                places[f"{tokens[number - 1]} {token[:2]}"].append(starts[number - 1])
            if parts[2 * number + 2] == " " and number + 1 < len(tokens):
                places[f"§ {tokens[number + 1]}"].append(starts[number + 1] - 2)
    places[BEGINNING] = [0, *(place + 1 for place in places.get("\n", ()))]
    return places


def _before(places: Sequence[int], reach: int, starts: Sequence[int]) -> list[int]:
    """Return the starts from which a match of this reach holds one of the places."""
    found: list[int] = []
    last = 0
    for place in places:
        first = bisect_left(starts, place - reach, last)
        last = bisect_right(starts, place, first)
        found += starts[first:last]
    return found


def _around(places: Sequence[int], reach: int, regions: Sequence[Region]) -> list[Region]:
    """Return the parts of regions in which a match of this reach holds one of the places."""
    found: list[Region] = []
    for start, end in regions:
        for place in places[bisect_left(places, start) : bisect_left(places, end)]:
            first, last = max(start, place - reach), min(end, place + reach)
            if found and first <= found[-1][1] and found[-1][0] >= start:
                found[-1] = (found[-1][0], last)
            else:
                found.append((first, last))
    return found
