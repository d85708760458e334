"""The context of a time: its message, its clause, and the text before it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from leadline_facts.read.messages import Message
from leadline_facts.read.times.tenses import Tense, tense_at
from leadline_facts.words import patterns

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Reading:
    """What one expression means.

    kind, value  as those of a fact
    span         (start, end) of the expression
    day          the day that later expressions may count from; None where it names none
    role         as that of a fact
    base         spans of what it was counted from
    why          the derivation in words
    """

    kind: str
    value: Any
    span: Span
    day: date | None = None
    role: str = "derived"
    confidence: float = 0.9
    base: tuple[Span, ...] = ()
    why: str = ""


@dataclass(slots=True)
class Scene:
    """The state of reading one message from left to right.

    today      the day of the message; None where it has none
    event      the last day told of in this message
    point      the last day, stretch of days, month or year told of in this message
    month      (year, month) last spoken of
    told       readings so far, this message and those before it
    parallel   anchor of the last expression that counted on, with its end
    others     alternative readings of the last expression
    depth      how many expressions wait for what they count from
    bases      spans of holidays that were named only to count from
    born       the day of birth last told
    issue      the year that dates the text, where no day does
    sentence_before  the one before this, whose tense holds in an answer to it
    """

    text: str
    lower: str
    message: Message
    sentence: Span
    event: Reading | None = None
    point: Reading | None = None
    month: tuple[int, int] | None = None
    told: list[Reading] = field(default_factory=list)
    parallel: tuple[date, int] | None = None
    others: list[Reading] = field(default_factory=list)
    sentence_before: Span | None = None
    issue: Reading | None = None
    born: Reading | None = None
    depth: int = 0
    bases: set[Span] = field(default_factory=set)

    @property
    def today(self) -> date | None:
        """Return the day of the message; None where the text does not tell when it was written."""
        return None if self.message.is_told else self.message.day

    def tense(self, span: Span, *, alone: bool = False) -> Tense:
        """Return the tense of the clause around a span, or that of a question before it.

        alone  whether the question counts for nothing
        """
        near = self.near(span)
        start, end = clause_around(self.lower, near, span)
        found = tense_at(self.lower, start, end, span[0])
        if not found and (start, end) != near:
            found = tense_at(self.lower, *near, span[0])
        if not found and self.sentence_before and not alone:
            first, last = self.sentence_before
            if self.lower.find("?", max(first, last - 3), span[0]) >= 0:
                found = tense_at(self.lower, max(first, last - _REACH), last, last)
        return found

    def near(self, span: Span) -> Span:
        """Return the sentence around a span as far as words can bear on it."""
        start, end = self.sentence
        return max(start, span[0] - _REACH), max(span[1], min(end, span[1] + _REACH))

    def recent(self) -> list[Reading]:
        """Return the readings that an expression may refer to, oldest first."""
        return self.told[-_REMEMBERED:]

    def remember(self, reading: Reading) -> None:
        """Make a reading the event that later ones may count from."""
        self.told.append(reading)
        if reading.role == "alternative" and reading.kind != "date_range":
            return
        if reading.day is not None or reading.kind in ("date_range", "month", "year"):
            self.point = reading
        if reading.day is not None:
            self.event = reading
            self.month = (reading.day.year, reading.day.month)
        elif reading.kind == "month":
            year, month = reading.value.split("-")
            self.month = (int(year), int(month))


_REACH = 300
"""Characters. Without a limit a text without full stops takes time in its square."""
_REMEMBERED = 60
_P = patterns("scenes")
_CUT = re.compile(_P["cut"])


def clause_around(lower: str, sentence: Span, span: Span) -> Span:
    """Return the part of a sentence between the conjunctions and signs that enclose a span."""
    start, end = sentence
    for cut in _CUT.finditer(lower, *sentence):
        if cut.end() <= span[0]:
            start = cut.end()
        elif cut.start() >= span[1]:
            end = cut.start()
            break
    return start, end


def on_day(day: date, span: Span, why: str, **changes: Any) -> Reading:
    """Return the reading of a single day."""
    return replace(Reading("date", day.isoformat(), span, day, why=why), **changes)


def in_month(year: int, month: int, span: Span, why: str, **changes: Any) -> Reading:
    """Return the reading of a month."""
    return replace(Reading("month", f"{year:04}-{month:02}", span, None, why=why), **changes)


def over_days(first: date, last: date, span: Span, why: str, **changes: Any) -> Reading:
    """Return the reading of a stretch of days, both ends included."""
    value = [first.isoformat(), last.isoformat()]
    return replace(Reading("date_range", value, span, None, why=why), **changes)
