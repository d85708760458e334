"""The readings of the expressions of a text: each from its anchors, and pairs from each other."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from leadline.enrichers.learned.time_mentions import read_mentions
from leadline.enrichers.learned.time_readings import Anchor, Value, readings
from leadline.enrichers.learned.time_tokens import Mention, Tokens, read_tokens
from leadline.enrichers.messages import Message, read_messages
from leadline.enrichers.number_words import lowered
from leadline.enrichers.times.calendars import add_months
from leadline.enrichers.times.holiday_countries import country_of
from leadline.enrichers.times.holidays import differs_by_country

_ANCHORED = {"date": "date", "month_year": "month", "year": "year"}
_NEEDS_YEAR = frozenset(("day_month", "month", "holiday", "nth", "quarter", "edge", "short_year"))
_COUNTS_TIMES = frozenset(("length", "past_hour"))
_AFTER = frozenset(
    ("length", "step", "day_number", "age", "weekday", "day_month", "month", "holiday")
)
_STAMPING = frozenset(("date", "clock", "year", "age", "day_of_month", "day_month"))
_BEFORE, _MOST_PAIRS = 3, 3
_LONGEST_RANGE = 400


@dataclass(frozen=True, slots=True)
class Candidate:
    """One reading of one expression.

    mention  number of the expression
    anchor   number of what it is counted from, -1 for nothing
    step     one of `time_readings.STEPS`
    kind     of the fact
    value    by kind, see `time_readings.Value`
    """

    mention: int
    anchor: int
    step: str
    kind: str
    value: Value

    def told(self) -> Any:
        """Return the value as that of a fact."""
        return _TOLD[self.kind](self.value)

    @property
    def key(self) -> tuple[str, Any]:
        """Return what equal readings have in common."""
        return self.kind, self.value


def _clock_text(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


_TOLD: dict[str, Any] = {
    "date": lambda day: day.isoformat(),
    "date_range": lambda days: [days[0].isoformat(), days[1].isoformat()],
    "month": lambda month: f"{month[0]:04}-{month[1]:02}",
    "year": lambda year: f"{year:04}",
    "time": _clock_text,
    "age": lambda years: years,
    "duration": lambda length: {"amount": length[0], "unit": length[1]},
}


class Passage:
    """A text with its expressions of time and what they may be counted from.

    anchors grow by what is read; the stamps come first
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.lower = lowered(text)
        self.tokens: Tokens = read_tokens(self.lower)
        self.mentions: list[Mention] = read_mentions(text, self.tokens)
        self.anchors: list[Anchor] = []
        self.messages: Sequence[Message] = read_messages(text) if self.mentions else ()
        self._starts = [each.start for each in self.messages]
        self.country = ""
        self.stamps: dict[int, list[int]] = {}
        if self.mentions:
            self._fill()

    def message(self, offset: int) -> int:
        """Return the number of the message around an offset."""
        return max(0, bisect_right(self._starts, offset) - 1)

    def _fill(self) -> None:
        if any(each.kind == "holiday" and differs_by_country(each.data) for each in self.mentions):
            self.country = country_of(self.lower)
        for number, message in enumerate(self.messages):
            at = self.tokens.at(message.body)
            self.stamps[number] = []
            if message.day:
                source = "told" if message.is_told else "stamp"
                self._stamp(number, Anchor("date", message.day, source, *message.stamp, at, at))
            if message.minute is not None:
                span = (message.start, message.body)
                self._stamp(number, Anchor("time", message.minute, "stamp", *span, at, at))
        for number, mention in enumerate(self.mentions):
            self._add_written(number, mention)

    def _stamp(self, message: int, anchor: Anchor) -> None:
        self.stamps[message].append(len(self.anchors))
        self.anchors.append(anchor)

    def _add_written(self, number: int, mention: Mention) -> None:
        message = self.messages[self.message(mention.start)]
        if mention.start < message.body and mention.end <= message.body and message.body > 0:
            return  # part of a head
        kind = _ANCHORED.get(mention.kind)
        if kind:
            self.anchors.append(anchored(mention, number, kind, mention.data))
        elif mention.kind == "clock" and (mention.data[1] or mention.data[2] == "colon"):
            self.anchors.append(anchored(mention, number, "time", mention.data[0]))

    def in_head(self, mention: Mention) -> bool:
        """Tell whether an expression is part of the stamp in the head of a message."""
        is_before = mention.start < self.messages[self.message(mention.start)].body
        return is_before and mention.kind in _STAMPING


def anchored(mention: Mention, number: int, kind: str, value: Value, likely: float = 1.0) -> Anchor:
    """Return the anchor that an expression gives."""
    return Anchor(
        kind, value, mention.kind, mention.start, mention.end, mention.first, mention.last, likely,
        number,
    )  # fmt: skip


def candidates(passage: Passage, *, fresh: int = 0) -> list[Candidate]:
    """Return the readings that need an anchor from number `fresh` on, all where it is 0."""
    found: dict[tuple[int, str, str, Any], Candidate] = {}
    for number, mention in enumerate(passage.mentions):
        if passage.in_head(mention):
            continue
        for each in _of_mention(passage, number, mention, fresh):
            found.setdefault((number, each.step, *each.key), each)
    for each in _pairs(passage, fresh):
        found.setdefault((each.mention, each.step, *each.key), each)
    return list(found.values())


def _of_mention(passage: Passage, number: int, mention: Mention, fresh: int) -> Iterator[Candidate]:
    if mention.kind == "clock" and not fresh:
        yield from _clock(number, mention)
    for at in _anchors_for(passage, mention):
        anchor = passage.anchors[at]
        if at < fresh or anchor.number == number:
            continue
        for step, kind, value in readings(mention, anchor, passage.country):
            yield Candidate(number, at, step, kind, value)
        if mention.kind == "length" and mention.data[1] == "minute" and anchor.kind == "time":
            yield from _over_midnight(passage, number, mention, at)


def _clock(number: int, mention: Mention) -> Iterator[Candidate]:
    minute, sure, form = mention.data
    if not sure:
        yield Candidate(number, -1, "half as told", "time", minute % 1440)
        yield Candidate(number, -1, "late half", "time", (minute + 720) % 1440)
    elif form in ("fixed", "sided", "hundred"):
        yield Candidate(number, -1, "as told", "time", minute)


def _over_midnight(passage: Passage, number: int, mention: Mention, at: int) -> Iterator[Candidate]:
    minutes = passage.anchors[at].value + int(mention.data[0])
    for place in passage.stamps[passage.message(mention.start)]:
        stamp = passage.anchors[place]
        if stamp.kind == "date" and minutes >= 1440:
            day = stamp.value + timedelta(minutes // 1440)
            yield Candidate(number, at, "over midnight", "date", day)


def _anchors_for(passage: Passage, mention: Mention) -> list[int]:
    """Return numbers of anchors: the stamp, and the nearest ones before and after."""
    chosen = list(passage.stamps.get(passage.message(mention.start), ()))
    times = mention.kind in _COUNTS_TIMES
    limits = {"before": _BEFORE, "after": 1 + (mention.kind in _AFTER)}
    places = []
    for at, anchor in enumerate(passage.anchors):
        if anchor.number < 0 or (anchor.kind == "time") > times:
            continue
        if anchor.kind in ("year", "month") and mention.kind in ("weekday", "day_word"):
            continue
        places.append((abs(anchor.first - mention.first), at, anchor.first < mention.first))
    for _, at, is_before in sorted(places):
        side = "before" if is_before else "after"
        if limits[side]:
            limits[side] -= 1
            chosen.append(at)
    return chosen


def _pairs(passage: Passage, fresh: int) -> Iterator[Candidate]:
    """Yield lengths, ages and stretches between two anchors of one kind."""
    by_kind: dict[str, list[tuple[int, int]]] = {}
    for at, anchor in enumerate(passage.anchors):
        by_kind.setdefault(anchor.kind, []).append((anchor.first, at))
    for kind, placed in by_kind.items():
        placed.sort()
        for place, (_, first) in enumerate(placed):
            for _, second in placed[place + 1 : place + 1 + _MOST_PAIRS]:
                if max(first, second) < fresh:
                    continue
                yield from _between(passage, kind, first, second)


def _between(passage: Passage, kind: str, first: int, second: int) -> Iterator[Candidate]:
    a, b = passage.anchors[first], passage.anchors[second]
    if b.number < 0:
        if a.number < 0:
            return
        a, b, first, second = b, a, second, first
    elif a.number == b.number:
        return
    for step, told, value in _LENGTHS[kind](a.value, b.value):
        if told == "date_range" and (a.number < 0 or a.first > b.first):
            continue
        yield Candidate(b.number, first, step, told, value)


def _of_dates(a: date, b: date) -> Iterator[tuple[str, str, Value]]:
    days = abs((b - a).days)
    low, high = min(a, b), max(a, b)
    if not days:
        return
    yield "between", "duration", (days, "day")
    yield "between both", "duration", (days + 1, "day")
    months = 12 * (high.year - low.year) + high.month - low.month
    years = months // 12 - (add_months(low, months // 12 * 12) > high)
    if add_months(low, months) == high and months:
        yield "between", "duration", (months, "month")
    if years > 0:
        yield "completed years", "age", years
    if low == a and days < _LONGEST_RANGE:
        yield "between", "date_range", (a, b)


def _of_years(a: int, b: int) -> Iterator[tuple[str, str, Value]]:
    years = abs(b - a)
    if 0 < years < 1000:
        yield "between", "duration", (12 * years, "month")
        if years < 115:
            yield "completed years", "age", years


def _of_months(a: tuple[int, int], b: tuple[int, int]) -> Iterator[tuple[str, str, Value]]:
    months = abs(12 * (b[0] - a[0]) + b[1] - a[1])
    if months:
        yield "between", "duration", (months, "month")
        yield "between both", "duration", (months + 1, "month")


def _of_times(a: int, b: int) -> Iterator[tuple[str, str, Value]]:
    if a == b:
        return
    yield "between", "duration", ((b - a) % 1440, "minute")
    if a < b:
        yield "between next day", "duration", (b - a + 1440, "minute")


_LENGTHS: dict[str, Any] = {
    "date": _of_dates,
    "year": _of_years,
    "month": _of_months,
    "time": _of_times,
}


def add_derived(
    passage: Passage, found: Sequence[Candidate], shares: Sequence[float], least: float
) -> int:
    """Add as anchors the likeliest day, month, year and time of every expression.

    Returns the number of the first that is new.
    """
    fresh = len(passage.anchors)
    whole: dict[tuple[int, str, Value], float] = {}
    for each, share in zip(found, shares, strict=True):
        if each.kind in _LENGTHS:
            place = (each.mention, each.kind, each.value)
            whole[place] = whole.get(place, 0.0) + share
    best: dict[tuple[int, str], tuple[float, Value]] = {}
    for (number, kind, value), likely in whole.items():
        if likely >= least and likely > best.get((number, kind), (0.0, None))[0]:
            best[number, kind] = (likely, value)
    known = {(each.number, each.kind, each.value) for each in passage.anchors}
    for (number, kind), (likely, value) in sorted(best.items(), key=lambda item: item[0]):
        if (number, kind, value) not in known:
            mention = passage.mentions[number]
            passage.anchors.append(anchored(mention, number, kind, value, min(likely, 0.999)))
    return fresh
