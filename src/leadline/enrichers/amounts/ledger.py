"""What a text tells of amounts, and what rules derive from that."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from leadline.enrichers.amounts.left_out import are_rivals, days_off, is_of_jobs, waived
from leadline.enrichers.amounts.money import UNKNOWN, money_value, plain
from leadline.enrichers.amounts.passage import Amount, Passage
from leadline.types import FactRole

BASES = "mqtnc"
"""Sorts of amounts that a ratio or a difference can be taken of."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An amount that follows from others.

    amount       where it starts and ends in the text is where its last operand stands
    spans        evidence
    why          the derivation in words
    about        what it is an amount of
    """

    amount: Amount
    spans: tuple[tuple[int, int], ...]
    why: str
    about: str = ""
    confidence: float = 0.8
    role: FactRole = "derived"


@dataclass
class Ledger:
    """The amounts of a passage and those derived so far."""

    passage: Passage
    entries: list[Entry] = field(default_factory=list)
    spent: set[int] = field(default_factory=set)

    def derive(
        self,
        like: Amount,
        value: Fraction,
        operands: Sequence[Amount],
        why: str,
        *,
        relation: tuple[int, int] | None = None,
        about: str = "",
        confidence: float = 0.8,
        role: FactRole = "derived",
        among: int = 1,
    ) -> Entry | None:
        """Enter an amount in the unit of `like`; None where its writer does not vouch for it.

        operands  amounts that it follows from
        relation  (start, end) in the text of the words that say how
        among     so many other amounts in the same unit the sentences of the operands may hold;
                  with more, any of them may be what is meant: an alternative reading only.
                  Two more where a relation is told
        """
        if " × " in why:
            value, operands = self._without_days_off(value, operands)
        spans = tuple(dict.fromkeys((each.start, each.end) for each in operands))
        if relation is not None:
            spans = tuple(dict.fromkeys([*spans, relation]))
        if (
            (value < 0 and like.unit not in _SIGNED)
            or self.passage.doubts(spans) & DOUBTS
            or self._is_vague(operands)
            or self._is_no_sum(value, operands)
            or self._is_end(operands)
            or is_of_jobs(self.passage, operands)
        ):
            return None
        unit = self.passage.currency if like.sort == "m" and like.unit == UNKNOWN else like.unit
        if role == "derived" and self._crowd(operands) > among + (2 if relation else 0):
            role = "alternative"
        at = max(spans)
        amount = Amount(like.sort, value, unit, at[0], at[1])
        entry = Entry(amount, spans, why, about, confidence, role)
        self.entries.append(entry)
        return entry

    def shown(self, amount: Amount) -> str:
        """Return the words of an amount; those of the last operand for a derived one."""
        return self.passage.text[amount.start : amount.end]

    def spend(self, *amounts: Amount) -> None:
        """Say that amounts are parts of one derived, on which no later rule builds."""
        self.spent.update(amount.start for amount in amounts)

    def before(
        self,
        offset: int,
        sorts: str = BASES,
        *,
        within: int = 250,
        unit: str = "",
        told: bool = False,
    ) -> Amount | None:
        """Return the last amount before an offset of the text, derived ones before their parts.

        told  leave out those derived
        """
        best: Amount | None = None
        for amount in self.all(sorts, unit, told=told):
            is_near = amount.end <= offset and offset - amount.end <= within
            if is_near and (best is None or amount.end >= best.end):
                best = amount
        return best

    def after(
        self, offset: int, sorts: str = BASES, *, within: int = 60, unit: str = ""
    ) -> Amount | None:
        """Return the first amount after an offset of the text."""
        for amount in sorted(self.all(sorts, unit), key=_start):
            if offset <= amount.start <= offset + within:
                return amount
        return None

    def all(self, sorts: str, unit: str = "", *, told: bool = False) -> list[Amount]:
        """Return the amounts of some sorts that no total has used up, told ones first."""
        explicit = [
            each
            for each in self.passage.amounts
            if each.sort in sorts and each.start not in self.spent
        ]
        implied = [each.amount for each in self.entries if each.role == "derived" and not told]
        return [
            each
            for each in explicit + [each for each in implied if each.sort in sorts]
            if not unit or each.unit == unit
        ]

    @cached_property
    def _waived(self) -> frozenset[int]:
        return waived(self.passage)

    def _is_no_sum(self, value: Fraction, operands: Sequence[Amount]) -> bool:
        """Tell whether amounts were added up that are rivals, or of which one was not charged."""
        if len(operands) < 2:
            return False
        if any(each.sort == "m" and each.start in self._waived for each in operands):
            return True
        alike = len({(each.sort, each.unit) for each in operands}) == 1
        is_sum = alike and value == sum((each.value for each in operands), Fraction(0))
        return is_sum and are_rivals(self.passage, operands)

    def _without_days_off(
        self, value: Fraction, operands: Sequence[Amount]
    ) -> tuple[Fraction, Sequence[Amount]]:
        """Take days off out of a product: `two daily, thirty days, but away for four days`."""
        for each in operands:
            off = days_off(self.passage, each) if each.sort == "t" and each.value else None
            if off:
                return value * (each.value - off.value) / each.value, [*operands, off]
        return value, operands

    def _crowd(self, operands: Sequence[Amount]) -> int:
        """Return how many other amounts in their units the sentences of the operands hold."""
        passage, starts = self.passage, {each.start for each in operands}
        if not starts:
            return 0
        first = passage.sentence(min(starts))[0]
        last = passage.sentence(max(starts))[1]
        units = {(each.sort, each.unit) for each in passage.amounts if each.start in starts}
        for entry in self.entries:
            if entry.amount in operands and entry.amount not in passage.amounts:
                starts.update(start for start, _ in entry.spans)
        return sum(
            first <= each.start < last
            and each.start not in starts
            and (each.sort, each.unit) in units
            for each in passage.amounts
        )

    def _is_end(self, operands: Sequence[Amount]) -> bool:
        """Tell whether the end of a range was taken for what is told: `3 to 5 feet a year`."""
        return any(each.start in self.passage.ranges for each in operands)

    def _is_vague(self, operands: Sequence[Amount]) -> bool:
        text = self.passage.text
        return any(
            _VAGUE.search(text, max(0, each.start - 22), each.start)
            or (each.sort != "t" and _BOUND.search(text, max(0, each.start - 26), each.start))
            for each in operands
        )


def as_fact(amount: Amount) -> tuple[str, Any] | None:
    """Return kind and canonical value of an amount, None where it has no exact value."""
    if amount.sort == "m":
        return "money", money_value(amount.value, amount.unit)
    if amount.sort in "tc":
        return "duration", {"amount": plain(amount.value), "unit": amount.unit}
    if amount.sort == "q":
        return "quantity", {"amount": plain(amount.value, 4), "unit": amount.unit}
    if amount.sort == "p":
        rounded = plain(amount.value, 2)
        return ("percent", rounded) if Fraction(str(rounded)) == amount.value else None
    return "number", plain(amount.value, 4)


_SIGNED = frozenset(("C", "F", "degree"))
DOUBTS = frozenset(("hypothetical", "doubtful", "quoted", "idiom"))
"""Reasons for which nothing is derived from an amount."""
_VAGUE = re.compile(
    r"\b(?:up to|as much as|at least|at most|no (?:more|less) than|more than|less than|fewer than"
    r"|nearly|plus or minus|give or take|almost|close to|upwards of|never more than"
    r"|a shade (?:under|over)) (?:a |an |the |[$£€] ?)?$",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"(?:^|[.,;:(!?\n—–]|\b(?:is|are|was|were|of|for|to|by|with|has|have|had|at|and|but|costs?"
    r"|paid|just"
    r"|well|only|than|seats?|holds?|earns?|from|raised|sold|spent|drew|be|weigh(?:s|ed)?|about|in|a"
    r"|that|it|on)) ?(?:under|over) (?:a |an |the |[$£€] ?)?$",
    re.IGNORECASE,
)


def _start(amount: Amount) -> int:
    return amount.start
