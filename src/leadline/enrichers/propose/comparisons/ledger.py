"""The amounts of a passage, and what comparisons derived from them so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from leadline.enrichers.propose.entries import DOUBTS, Entry
from leadline.enrichers.read.amounts.money import UNKNOWN
from leadline.enrichers.read.amounts.passage import Amount, Passage
from leadline.types import FactRole

BASES = "mqtnc"
"""Sorts of amounts that a ratio or a difference can be taken of."""


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
        relation: tuple[int, int],
        about: str = "",
        confidence: float = 0.8,
        role: FactRole = "derived",
    ) -> None:
        """Enter an amount in the unit of `like`, unless its writer does not vouch for it.

        operands  amounts that it follows from
        relation  (start, end) in the text of the words that say how
        """
        spans = tuple(dict.fromkeys([*((each.start, each.end) for each in operands), relation]))
        if value < 0 or self.passage.doubts(spans) & DOUBTS:
            return
        unit = self.passage.currency if like.sort == "m" and like.unit == UNKNOWN else like.unit
        amount = Amount(like.sort, value, unit, *max(spans))
        self.entries.append(Entry(amount, spans, why, about, confidence, role))

    def before(
        self, offset: int, sorts: str = BASES, *, within: int = 250, unit: str = ""
    ) -> Amount | None:
        """Return the last amount before an offset of the text, derived ones before their parts."""
        best: Amount | None = None
        for amount in self.all(sorts, unit):
            is_near = amount.end <= offset and offset - amount.end <= within
            if is_near and (best is None or amount.end >= best.end):
                best = amount
        return best

    def after(
        self, offset: int, sorts: str = BASES, *, within: int = 60, unit: str = ""
    ) -> Amount | None:
        """Return the first amount after an offset of the text."""
        for amount in sorted(self.all(sorts, unit), key=lambda each: each.start):
            if offset <= amount.start <= offset + within:
                return amount
        return None

    def all(self, sorts: str, unit: str = "") -> list[Amount]:
        """Return the amounts of some sorts that nothing has used up, told ones first."""
        told = [each for each in self.passage.amounts if each.start not in self.spent]
        implied = [each.amount for each in self.entries if each.role == "derived"]
        return [
            each
            for each in told + implied
            if each.sort in sorts and (not unit or each.unit == unit)
        ]
