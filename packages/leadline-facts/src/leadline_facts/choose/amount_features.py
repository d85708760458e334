"""The features of pairs of amounts for the network, the same in training and use."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from leadline_facts.choose.network import Features, squeezed
from leadline_facts.propose.amount_pairs import Operand, Pair, Sums, all_candidates
from leadline_facts.propose.implied_counts import IMPLIED
from leadline_facts.propose.operations import GROUPS, OPERATIONS, Candidate
from leadline_facts.read.amounts.passage import Amount
from leadline_facts.read.contexts import AMOUNT_CUES, AMOUNT_SORTS

WINDOWS = (
    "left of first", "word before first", "word after first", "two after first", "right of first",
    "between", "left of second", "word before second", "word after second", "two after second",
    "right of second", "their sentences", "what follows",
)  # fmt: skip
"""Stretches of tokens around a pair."""

_KINDS = AMOUNT_SORTS + IMPLIED
_GROUPS = tuple(GROUPS)
_STATS = (
    "tokens between", "sentences between", "amounts between", "next word alike", "words shared",
    "words before shared", "words crossed", "first per second", "second per first",
    "other speaker", "amounts", "amounts like first", "amounts like second", "rank of first",
    "rank of second", "alike", "order", "first is largest", "second is largest", "first is one",
    "second is one", "first number", "second number", "ratio", "doubts", "tokens before",
    "tokens after", "tokens", "first in words", "second in words", "first is whole",
    "second is whole", "first probability", "second probability",
)  # fmt: skip
_RESULT = (
    "finite", "whole", "two decimals", "stated", "percent", "below two", "lent", "number stated",
)  # fmt: skip
PAIR_NAMES = (
    *_STATS,
    *(f"{place} {kind}" for place in ("first", "second") for kind in _KINDS),
    *(f"{place} {group}" for place in ("first", "second") for group in _GROUPS),
)
RESULT_NAMES = (*_RESULT, *(f"result {kind}" for kind in _KINDS))
NAMES = (*OPERATIONS, *WINDOWS, *AMOUNT_CUES.names, *PAIR_NAMES, *RESULT_NAMES)
"""Everything that a network must have been trained with, in order."""

_SMALL = frozenset(
    [
        *("the", "and", "for", "with", "that", "was", "were", "are", "has", "had", "from", "into"),
        *("each", "per", "every", "any", "all", "out", "off"),
    ]
)
_PER = frozenset(("a", "an", "per", "each", "every", "/", "the"))


def features_of(sums: Sums, pairs: Sequence[Pair]) -> Features:
    """Return what is known of pairs of a passage and of what they may yield."""
    view = _View(sums)
    stats = np.array([view.stats(pair) for pair in pairs], np.float64)
    found = list(all_candidates(pairs))
    return Features(
        np.array([view.windows(pair) for pair in pairs], np.int64).reshape(-1, len(WINDOWS), 2),
        squeezed(stats.reshape(-1, len(PAIR_NAMES))),
        np.array([number for number, _ in found], np.int64),
        np.array([_PLACE[each.operation] for _, each in found], np.int64),
        _results([each for _, each in found], [each.amount for each in sums.told]),
    )


class _View:
    """What several pairs of a passage need, computed once."""

    def __init__(self, sums: Sums) -> None:
        self.passage = sums.passage
        self.tokens = sums.context.tokens
        self.offsets = sums.context.offsets
        self.starts = [each.start for each in self.passage.amounts]
        self.scope = self.passage.scope
        self._largest: dict[tuple[str, str], Fraction] = {}
        self._count: dict[tuple[str, str], int] = {}
        for each in self.passage.amounts:
            key = each.sort, each.unit
            self._largest[key] = max(self._largest.get(key, each.value), each.value)
            self._count[key] = self._count.get(key, 0) + 1
        self._right: dict[int, frozenset[str]] = {}
        self._doubts: dict[Amount, int] = {}

    def sentence(self, token: int) -> int:
        return self.scope.number(self.offsets[token])

    def windows(self, pair: Pair) -> list[tuple[int, int]]:
        i, n = pair.first.token, len(self.tokens)
        j = pair.second.token if pair.second else i
        spans = [(i - 5, i), (i - 1, i), (i + 1, i + 2), (i + 1, i + 3), (i + 1, i + 6)]
        if pair.second:
            spans += [(i + 1, j), (max(i + 1, j - 4), j), (j - 1, j), (j + 1, j + 2)]
            spans += [(j + 1, j + 3), (j + 1, j + 7)]
        else:
            spans += [(0, 0)] * 6
        (start, _), (_, end) = (self.scope.sentence(self.offsets[each]) for each in (i, j))
        after = bisect_left(self.offsets, end)
        spans += [(bisect_left(self.offsets, start), after), (after, after + 12)]
        return [(min(max(0, a), n), min(max(0, a, b), n)) for a, b in spans]

    def stats(self, pair: Pair) -> list[float]:
        a, b = pair.first, pair.second
        return [*self._numbers(pair), *_kinds(a), *_kinds(b), *_group(a), *_group(b)]

    def _numbers(self, pair: Pair) -> list[float]:
        first, second = pair.first, pair.second
        a, b = first.amount, second.amount if second else None
        i, j = first.token, second.token if second else first.token
        tokens, key = self.tokens, (a.sort, a.unit)
        after_a, after_b = self._word(i + 1), self._word(j + 1)
        right_a, right_b = self._stems_after(i), self._stems_after(j)
        left_a = self._stems(i - 4, i)
        left_b = self._stems(max(i + 1, j - 4), j)
        rank = bisect_left(self.starts, a.start)
        other = (b.sort, b.unit) if b else ("", "")
        rank_b = bisect_left(self.starts, b.start) if b else -1
        return [
            j - i,
            self.sentence(j) - self.sentence(i),
            max(0, rank_b - rank - 1) if b else 0,
            after_a == after_b and after_a.isalpha(),
            len(right_a & right_b),
            len(left_a & left_b),
            len(right_a & left_b),
            b is not None and bool(self._per(i) & (right_b | {b.unit})),
            b is not None and bool(self._per(j) & (right_a | {a.unit})),
            b is not None and self.passage.speaker(a.start) != self.passage.speaker(b.start),
            len(self.starts),
            self._count.get(key, 0),
            self._count.get(other, 0),
            rank,
            rank_b,
            key == other,
            (a.value > b.value) - (a.value < b.value) if b else 0,
            a.value == self._largest.get(key),
            b is not None and b.value == self._largest.get(other),
            a.value == 1,
            b is not None and b.value == 1,
            float(a.value) if a.sort in "nxt" else -1,
            float(b.value) if b and b.sort in "nxt" else -1,
            float(a.value / b.value) if b and b.value else 0,
            max(self._doubt(each) for each in pair.parts),
            i,
            len(tokens) - j,
            len(tokens),
            a.is_word,
            b is not None and b.is_word,
            a.value.denominator == 1,
            b is not None and b.value.denominator == 1,
            first.probability,
            second.probability if second else -1,
        ]

    def _word(self, token: int) -> str:
        return self.tokens[token] if token < len(self.tokens) else ""

    def _stems(self, first: int, last: int) -> frozenset[str]:
        return frozenset(
            word.rstrip("s")
            for word in self.tokens[max(0, first) : max(0, last)]
            if len(word) > 2 and word.isalpha() and word not in _SMALL
        )

    def _stems_after(self, token: int) -> frozenset[str]:
        if token not in self._right:
            self._right[token] = self._stems(token + 1, token + 5)
        return self._right[token]

    def _per(self, token: int) -> set[str]:
        tokens = self.tokens
        last = min(token + 5, len(tokens) - 1)
        return {
            tokens[each + 1].rstrip("s") for each in range(token + 1, last) if tokens[each] in _PER
        }

    def _doubt(self, amount: Amount) -> int:
        if amount not in self._doubts:
            self._doubts[amount] = len(self.passage.doubts([(amount.start, amount.end)]))
        return self._doubts[amount]


_NO_KIND = (0.0,) * len(_KINDS)
_KIND_ROWS = {kind: tuple(float(kind == other) for other in _KINDS) for kind in _KINDS}
_NO_GROUP = (0.0,) * len(_GROUPS)
_GROUP_ROWS = {group: tuple(float(group == other) for other in _GROUPS) for group in _GROUPS}


def _kinds(operand: Operand | None) -> tuple[float, ...]:
    return _KIND_ROWS[operand.amount.sort] if operand else _NO_KIND


def _group(operand: Operand | None) -> tuple[float, ...]:
    return _GROUP_ROWS.get(operand.group, _NO_GROUP) if operand else _NO_GROUP


_PLACE = {name: place for place, name in enumerate(OPERATIONS)}


def _results(candidates: Sequence[Candidate], amounts: Sequence[Amount]) -> NDArray[np.float32]:
    """Return what is known of the results: (candidates, RESULT_NAMES)."""
    stated = {(each.sort, each.unit, round(float(each.value), 4)) for each in amounts}
    told = np.array(sorted({number for _, _, number in stated}))
    values = np.array([each.value for each in candidates], np.float64)
    sorts = np.array([_KINDS.index(each.sort) for each in candidates], np.int64)
    is_percent = sorts == _KINDS.index("p")
    known = np.stack(
        [
            _has_decimals(values, 6),
            _has_decimals(values, 0),
            _has_decimals(values, 2),
            [(each.sort, each.unit, round(each.value, 4)) in stated for each in candidates],
            np.where(is_percent, squeezed(values), 0),
            values < 2,
            [each.lent for each in candidates],
            np.isin(values.round(4), told),
        ],
        axis=1,
    )
    kinds = np.eye(len(_KINDS), dtype=np.float32)[sorts]
    return np.concatenate([known.astype(np.float32), kinds], 1)


def _has_decimals(values: NDArray[np.float64], most: int) -> NDArray[np.bool_]:
    """Tell which values have no more decimals than that."""
    scaled = values * 10.0**most
    return np.abs(scaled - np.rint(scaled)) < 1e-6 * np.maximum(1.0, np.abs(scaled) * 1e-6)
