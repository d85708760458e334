"""An index of facts by value, to find the documents that meet a constraint."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from datetime import date

from leadline.types import Constraint, Fact
from leadline_facts.fact_values import (
    DAY,
    MEASURES,
    NO_CURRENCY,
    TEMPORAL,
    agreement,
    bounds,
    canonical,
    measured,
)
from leadline_facts.fact_values import span_of as span

_LONGEST_BY_DAY, _LONGEST_BY_MONTH = 62, 3700
_SIZED = 1000  # facts that tell how much room one takes
_SLACK = 0.006  # more than the error that an agreement forgives


class FactLane:
    """Facts of the documents of a corpus, found by value; documents are told by their place."""

    def __init__(self, facts_by_document: Iterable[tuple[Fact, ...]]) -> None:
        """Take in the facts of every document, in the order of the corpus."""
        self._facts: list[Fact] = []
        self._owners = array("q")
        self._equal: dict[Hashable, list[int]] = {}
        self._times: list[tuple[int, int, int]] = []
        self._amounts: dict[tuple[str, str], list[tuple[float, int]]] = {}
        self._tellers: dict[str, array[int]] = {}
        self.documents = 0
        for facts in facts_by_document:
            for fact in facts:
                self._add(fact)
            self.documents += 1
        self._times.sort()
        for amounts in self._amounts.values():
            amounts.sort()

    def __len__(self) -> int:
        return len(self._facts)

    @property
    def about_bytes(self) -> int:
        """About what the facts take when they are written out: by the first thousand."""
        some = self._facts[:_SIZED]
        return sum(len(repr(each)) for each in some) * len(self._facts) // max(1, len(some))

    def met(self, constraint: Constraint) -> dict[int, list[tuple[float, Fact]]]:
        """Return, for every document that meets a constraint, by what: (agreement, fact).

        Of a constraint that refuses a value, the documents that have it all the same.
        """
        if constraint.relation == "not":
            constraint = replace(constraint, relation="equal")
        found: dict[int, list[tuple[float, Fact]]] = {}
        for number in dict.fromkeys(self._near(constraint)):
            fact = self._facts[number]
            worth = agreement(constraint, fact)
            if worth > 0:
                found.setdefault(self._owners[number], []).append((worth, fact))
        return found

    def tells(self, kind: str, document: int) -> bool:
        """Return whether a document has a fact of a kind, whatever its value."""
        tellers = self._tellers.get(kind, ())
        place = bisect_left(tellers, document)
        return place < len(tellers) and tellers[place] == document

    def rarity(self, documents: int) -> float:
        """Return what it tells to be one of so many documents, in (0, 1]; 1 for a single one."""
        return math.log(1 + self.documents / max(1, documents)) / math.log(1 + self.documents)

    def _add(self, fact: Fact) -> None:
        number = len(self._facts)
        self._facts.append(fact)
        self._owners.append(self.documents)
        tellers = self._tellers.setdefault(fact.kind, array("q"))
        if not tellers or tellers[-1] != self.documents:
            tellers.append(self.documents)
        try:
            if fact.kind in TEMPORAL:
                start, end = span(fact.kind, fact.value)
                self._times.append((start, end, number))
                for key in _stretches(start, end):
                    self._equal.setdefault(key, []).append(number)
                return
            if fact.kind in MEASURES:
                group, amount = measured(fact.kind, fact.value)
                self._amounts.setdefault(group, []).append((amount, number))
                return
        except (KeyError, TypeError, ValueError, IndexError):
            pass  # not of the form of its kind: found by nothing but its equal
        self._equal.setdefault(canonical(fact.kind, fact.value), []).append(number)

    def _near(self, constraint: Constraint) -> Iterator[int]:
        """Yield the facts that may meet a constraint."""
        try:
            if constraint.kind in TEMPORAL:
                yield from self._in_time(constraint)
            elif constraint.kind in MEASURES:
                yield from self._in_amount(constraint)
        except (KeyError, TypeError, ValueError, IndexError):
            pass
        yield from self._equal.get(canonical(constraint.kind, constraint.value), ())
        if constraint.kind == "time":
            yield from (
                number for _, _, number in self._times if self._facts[number].kind == "interval"
            )

    def _in_time(self, constraint: Constraint) -> Iterator[int]:
        first, last = span(constraint.kind, constraint.value)
        if constraint.relation == "before":
            yield from (
                number for _, _, number in self._times[: bisect_left(self._times, (first,))]
            )
        elif constraint.relation == "after":
            yield from (number for _, _, number in self._times[bisect_left(self._times, (last,)) :])
        else:
            for key in _around(first, last):
                yield from self._equal.get(key, ())
        if constraint.kind == "datetime":
            hour = str(constraint.value)[-5:]
            yield from self._equal.get(canonical("time", hour), ())

    def _in_amount(self, constraint: Constraint) -> Iterator[int]:
        group, least, most = bounds(constraint)
        groups = {group, NO_CURRENCY} if group[0] == "money" else {group}
        if group == NO_CURRENCY:
            groups = {each for each in self._amounts if each[0] == "money"}
        for each in sorted(groups):
            amounts = self._amounts.get(each, [])
            low = bisect_left(amounts, (least - abs(least) * _SLACK,))
            high = bisect_right(amounts, (most + abs(most) * _SLACK, math.inf))
            yield from (number for _, number in amounts[low:high])


def _stretches(start: int, end: int) -> Iterator[Hashable]:
    """Yield the days of a short time, the months of a longer one; one key for the longest."""
    first, last = start // DAY, max(start, end - 1) // DAY
    if last - first < _LONGEST_BY_DAY:
        yield from (("day", day) for day in range(first, last + 1))
    elif last - first < _LONGEST_BY_MONTH:
        yield from _months(first, last)
    else:
        yield ("ages",)


def _around(start: int, end: int) -> Iterator[Hashable]:
    """Yield all keys under which something that overlaps with a time may stand."""
    first, last = start // DAY, max(start, end - 1) // DAY
    yield from (("day", day) for day in range(first, last + 1))
    yield from _months(first, last)
    yield ("ages",)


def _months(first: int, last: int) -> Iterator[Hashable]:
    begin, end = date.fromordinal(first), date.fromordinal(last)
    for month in range(begin.year * 12 + begin.month, end.year * 12 + end.month + 1):
        yield ("month", month)
