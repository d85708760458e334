"""What the network is told of a reading: the words around it, and how its parts lie."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leadline.enrichers.learned.time_candidates import Candidate, Passage
from leadline.enrichers.learned.time_cues import KINDS, NAMES
from leadline.enrichers.learned.time_feature_names import (
    ANCHORS,
    DOUBTS,
    FORMS,
    LEAN,
    PLAIN,
    SIDES,
    SOURCES,
    TENSES,
    TOLD,
    UNITS,
    WINDOWS,
)
from leadline.enrichers.learned.time_readings import STEPS, Anchor
from leadline.enrichers.learned.time_tokens import Mention, sums
from leadline.enrichers.scope import sentences
from leadline.enrichers.times.doubts import Doubts
from leadline.enrichers.times.scenes import clause_around
from leadline.enrichers.times.tenses import tense_at

Matrix = NDArray[np.float32]


class Features:
    """Tables of one passage, from which the rows of its readings are put together."""

    def __init__(self, passage: Passage, doubts: Doubts) -> None:
        self._passage = passage
        self._sums = sums(passage.tokens, passage.mentions)
        self._spans = sentences(passage.text)
        self._starts = [start for start, _ in self._spans]
        self._leaning: Matrix
        self._tense: NDArray[np.float32]
        self._mentions = self._of_mentions(doubts)
        self._anchors: Matrix = np.zeros((0, 0), np.float32)
        self._written = {(each.kind, each.value) for each in passage.anchors if each.number >= 0}
        self._agreed: dict[tuple[str, Any], set[int]] = {}
        self._clocks = [
            each for each in passage.anchors if each.kind == "time" and each.number >= 0
        ]

    def rows(self, found: Sequence[Candidate]) -> Matrix:
        """Return the features of readings: (readings, features)."""
        anchors = self._of_anchors()
        for each in found:
            self._agreed.setdefault(each.key, set()).add(each.mention)
        mention = np.array([each.mention for each in found])
        anchor = np.array([each.anchor for each in found])
        return np.concatenate(
            (
                self._mentions[mention],
                anchors[anchor],  # -1 is the last row: nothing
                self._between(mention, anchor),
                np.array([self._paired(each) for each in found], np.float32),
                np.array([self._valued(each) for each in found], np.float32),
                self._leant(found, mention),
            ),
            1,
        )

    def _leant(self, found: Sequence[Candidate], mention: NDArray[Any]) -> Matrix:
        """Return the leaning words with the sign of the side that a reading is on."""
        words = self._leaning[mention]
        few = words[:, : len(PLAIN) * len(LEAN)]
        later = np.array([[self._later(each)] for each in found], np.float32)
        on = np.array([[SIDES.get(each.step, 0)] for each in found], np.float32)
        stamp = np.array(
            [[0 if each.anchor < 0 else 1 if self._passage.anchors[each.anchor].number < 0 else -1]
             for each in found], np.float32
        )  # fmt: skip
        tense = self._tense[mention]
        sides = np.concatenate((later, later, on, later), 1)
        return np.concatenate((words * later, few * on, few * stamp, tense * sides), 1)

    def _later(self, each: Candidate) -> float:
        """Tell whether a day lies after the stamp, or a time in the later half of the day."""
        if each.kind == "time":
            return 1.0 if each.value >= 720 else -1.0
        day = self._day(self._passage.mentions[each.mention])
        found = _first_day(each.kind, each.value)
        return float(np.sign((found - day).days)) if day and found else 0.0

    def _day(self, mention: Mention) -> date | None:
        passage = self._passage
        for at in passage.stamps.get(passage.message(mention.start), ()):
            if passage.anchors[at].kind == "date":
                return passage.anchors[at].value  # type: ignore[no-any-return]
        return None

    def _window(self, first: Any, last: Any) -> Matrix:
        count = len(self._sums) - 1
        first = np.clip(first, 0, count)
        return np.asarray(
            self._sums[np.maximum(np.clip(last, 0, count), first)] - self._sums[first]
        )

    def _of_mentions(self, doubts: Doubts) -> Matrix:
        found = self._passage.mentions
        first = np.array([each.first for each in found])
        last = np.array([each.last for each in found])
        tokens = self._passage.tokens
        spans = [self._spans[self._sentence(each.start)] for each in found]
        start = np.array([tokens.at(span[0]) for span in spans])
        end = np.array([tokens.at(span[1]) for span in spans])
        windows = [
            self._window(*((first + low, first + high) if low < 0 else (last + low, last + high)))
            for low, high in WINDOWS.values()
        ]
        self._leaning = np.concatenate([each[:, LEAN] for each in windows], 1)
        parts = [*windows[: len(PLAIN)], self._window(start, end)]
        single = [self._single(each, span, doubts) for each, span in zip(found, spans, strict=True)]
        table = np.concatenate((*parts, np.array(single, np.float32)), 1)
        at = table.shape[1] - len(single[0]) + len(KINDS) + len(DOUBTS)
        tense = table[:, at + 2] - table[:, at]
        turn = np.array([self._turn(each) for each in found], np.float32)
        self._tense = np.stack((tense, turn, turn, tense * (turn == 0)), 1)
        return table

    def _turn(self, mention: Mention) -> int:
        """Return -1 for `last Friday`, 1 for `next Friday`."""
        if mention.kind in ("period", "step"):
            return int(np.sign(mention.data[1]))
        before = self._passage.tokens.word(mention.first - 1)
        return {"last": -1, "past": -1, "previous": -1, "next": 1, "coming": 1, "following": 1}.get(
            before, 0
        )

    def _sentence(self, offset: int) -> int:
        return max(0, bisect_right(self._starts, offset) - 1)

    def _single(self, mention: Mention, span: tuple[int, int], doubts: Doubts) -> list[float]:
        passage, lower = self._passage, self._passage.lower
        tokens = passage.tokens
        here = (mention.start, mention.end)
        near = max(span[0], mention.start - 300), max(mention.end, min(span[1], mention.end + 300))
        tense = tense_at(lower, *clause_around(lower, near, here), mention.start)
        if not tense:
            tense = tense_at(lower, *near, mention.start)
        why = doubts.of(mention.start, mention.end)
        unit = mention.data[1] if mention.kind == "length" else ""
        form = mention.data[2] if mention.kind == "clock" else ""
        same = [each for each in passage.mentions if each.kind == mention.kind]
        amount = float(mention.data[0]) if unit else 0.0
        if mention.kind in ("age", "day_number", "day_of_month"):
            amount = float(mention.data)
        capital = [
            0 <= at < len(tokens.words) and passage.text[tokens.offsets[at]].isupper()
            for at in (mention.first - 1, mention.first, mention.last)
        ]
        turn = 0
        if mention.kind in ("period", "step"):
            turn = mention.data[1]
        stamps = passage.stamps.get(passage.message(mention.start), [])
        kinds = {passage.anchors[at].kind for at in stamps}
        return [
            *(float(mention.kind == each) for each in KINDS),
            *(float(each in why) for each in DOUBTS),
            *(float(tense == each) for each in TENSES),
            *(float(unit == each) for each in UNITS),
            *(float(form == each) for each in FORMS),
            float(turn),
            math.log1p(amount),
            float(amount % 5 == 0),
            mention.data[0] / 720 if form else 0.0,
            float(all(capital)),
            float(capital[1]),
            float(tokens.words[mention.first][0].isdigit()),
            math.log1p(mention.first),
            math.log1p(len(tokens.words)),
            math.log1p(len(passage.mentions)),
            math.log1p(len(passage.messages)),
            float("date" in kinds),
            float("time" in kinds),
            math.log1p(len(same)),
            float(same[0] is mention),
            float(sum(each.start < mention.end and mention.start < each.end
                      for each in passage.mentions) > 1),
        ]  # fmt: skip

    def _of_anchors(self) -> Matrix:
        """Return a row for every anchor, and one of noughts."""
        known = len(self._anchors) - 1
        new = self._passage.anchors[max(known, 0) :]
        if known >= 0 and not new:
            return self._anchors
        first = np.array([each.first for each in new], int)
        single = [
            [
                *(float(each.source == source) for source in SOURCES),
                *(float(each.kind == kind) for kind in ANCHORS),
                each.likely,
            ]
            for each in new
        ]
        width = len(NAMES) + len(SOURCES) + len(ANCHORS) + 1
        rows = np.zeros((len(new) + 1, width), np.float32)
        if new:
            rows[:-1] = np.concatenate((self._window(first - 3, first), single), 1)
        old = self._anchors[:-1] if known > 0 else np.zeros((0, width), np.float32)
        self._anchors = np.concatenate((old, rows))
        return self._anchors

    def _between(self, mention: NDArray[Any], anchor: NDArray[Any]) -> Matrix:
        """Count the words between expressions and anchors; none for stamps."""
        found, anchors = self._passage.mentions, self._passage.anchors
        first = np.zeros(len(mention), int)
        last = np.zeros(len(mention), int)
        for row, (number, at) in enumerate(zip(mention, anchor, strict=True)):
            if at >= 0 and anchors[at].number >= 0:
                if anchors[at].first < found[number].first:
                    first[row], last[row] = anchors[at].last, found[number].first
                else:
                    first[row], last[row] = found[number].last, anchors[at].first
        return self._window(first, last)

    def _paired(self, each: Candidate) -> list[float]:
        if each.anchor < 0:
            return [*[0.0] * 8, 1.0, 0.0, 0.0]
        passage = self._passage
        mention, anchor = passage.mentions[each.mention], passage.anchors[each.anchor]
        if anchor.number < 0:
            return [0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]
        is_before = anchor.first < mention.first
        gap = mention.first - anchor.last if is_before else anchor.first - mention.last
        low, high = sorted((mention.first, anchor.first))
        nearer = sum(
            low < other.first < high and other.kind == anchor.kind for other in passage.anchors
        )
        return [
            math.log1p(max(gap, 0)),
            float(is_before),
            float(abs(self._sentence(mention.start) - self._sentence(anchor.start))),
            float(passage.message(mention.start) == passage.message(anchor.start)),
            float(gap < 2),
            float(nearer),
            0.0,
            float(anchor.likely < 1),
            0.0,
            self._shared(mention, anchor),
            float(passage.tokens.word(mention.last + 1) in ("that", "this", "then", "it")),
        ]

    def _shared(self, mention: Mention, anchor: Anchor) -> float:
        """Count words after `two days before` that stand near the anchor too."""
        words = self._passage.tokens.words
        after = {each[:5] for each in words[mention.last : mention.last + 6] if len(each) > 3}
        near = words[max(0, anchor.first - 8) : anchor.first] + words[anchor.last : anchor.last + 6]
        return float(len(after & {each[:5] for each in near}))

    def _valued(self, each: Candidate) -> list[float]:
        passage = self._passage
        mention = passage.mentions[each.mention]
        day = now = None
        for at in passage.stamps.get(passage.message(mention.start), ()):
            stamp = passage.anchors[at]
            day, now = (stamp.value, now) if stamp.kind == "date" else (day, stamp.value)
        dated = _dated(each, day, passage.anchors[each.anchor] if each.anchor >= 0 else None)
        agrees = self._agrees(each, mention)
        minute = each.value if each.kind == "time" else -1
        since = now if now is not None else -1
        before = [clock.value for clock in self._clocks if clock.first < mention.first]
        size = 0.0
        if each.kind == "date_range":
            size = math.log1p((each.value[1] - each.value[0]).days)
        elif each.kind == "duration":
            size = math.log1p(each.value[0])
        elif each.kind == "age":
            size = math.log1p(max(0, each.value))
        return [
            *(float(each.step == step) for step in STEPS),
            *(float(each.kind == kind) for kind in TOLD),
            *dated[:9],
            float(agrees == 1),
            float(agrees == -1),
            float(each.key in self._written),
            math.log1p(len(self._agreed[each.key]) - 1),
            *_clocked(minute, since, before),
            size,
            *dated[9:],
        ]

    def _agrees(self, each: Candidate, mention: Mention) -> int:
        """Tell whether a day is the weekday named beside it: 1, or not: -1; 0 where none is."""
        if each.kind != "date":
            return 0
        weekday = mention.data[2] if mention.kind == "day_month" else None
        if weekday is None and mention.kind in ("day_of_month", "day_month", "holiday"):
            for other in self._passage.mentions:
                beside = (
                    -1 <= mention.first - other.last <= 2 or 0 <= other.first - mention.last < 2
                )
                if other.kind == "weekday" and beside:
                    weekday = other.data
        if weekday is None:
            return 0
        return 1 if each.value.weekday() == weekday else -1


def _first_day(kind: str, value: Any) -> date | None:
    try:
        if kind == "date_range":
            return value[0]  # type: ignore[no-any-return]
        if kind == "month":
            return date(value[0], value[1], 15)
        if kind == "year":
            return date(value, 7, 1)
    except ValueError:
        return None
    return value if kind == "date" else None


def _signed(amount: float) -> float:
    return math.copysign(math.log1p(abs(amount)), amount)


def _dated(each: Candidate, day: date | None, anchor: Anchor | None) -> list[float]:
    """Tell how a reading lies to the day of the message and to its anchor."""
    found = _first_day(each.kind, each.value)
    if found is None:
        return [0.0] * 11
    base = _first_day(anchor.kind, anchor.value) if anchor else None
    away = (found - day).days if day else 0
    weeks = 0
    if day:
        monday = day - timedelta(day.weekday())
        weeks = (found - monday).days // 7
    return [
        _signed(away),
        float(away > 0),
        float(day == found),
        min(abs(away), 40) / 10,
        _signed((found - base).days) if base else 0.0,
        float(day is not None and weeks == 0),
        float(weeks == 1),
        float(weeks == -1),
        float(each.kind == "date" and found.weekday() > 4),
        float(abs(away) < 366),
        float(np.clip(away / 30, -14, 14)) / 4,
    ]


def _clocked(minute: int, now: int, before: Sequence[int]) -> list[float]:
    """Tell how a time lies in the day, to the time of the message and to the last time told."""
    if minute < 0:
        return [0.0] * 27
    away = minute - now if now >= 0 else 0
    hours = [0.0] * 24
    hours[minute // 60] = 1.0
    return [
        _signed(away / 60),
        float(away > 0),
        float(np.sign(minute - before[-1])) if before else 0.0,
        *hours,
    ]
