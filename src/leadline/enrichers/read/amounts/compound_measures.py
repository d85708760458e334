"""Measures told in two units: `four minutes and forty seconds`, `5 feet 4 inches`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from leadline.enrichers.read.amounts.units import SECONDS

if TYPE_CHECKING:
    from leadline.enrichers.read.amounts.passage import Amount

_SMALLER = {
    ("foot", "inch"): 12, ("pound", "oz"): 16, ("lb", "oz"): 16, ("stone", "pound"): 14,
    ("stone", "lb"): 14, ("yard", "foot"): 3,
}  # fmt: skip
"""Units told together -> how many of the second make one of the first."""


def joined(text: str, amounts: Sequence[Amount]) -> list[Amount]:
    """Return the amounts with those joined that tell one measure in two units."""
    found: list[Amount] = []
    for amount in amounts:
        last = found[-1] if found else None
        per = _per(last, amount) if last else None
        if last and per and amount.start - last.end < 7:
            gap = text[last.end : amount.start].strip(" ,")
            if gap in ("", "and"):
                value = last.value * per + amount.value
                found[-1] = replace(amount, value=value, start=last.start)
                continue
        found.append(amount)
    return found


def _per(first: Amount, second: Amount) -> Fraction | None:
    """Return how many of the second unit make one of the first, None where they are not joined."""
    if first.sort != second.sort:
        return None
    if first.sort == "t" and first.unit in SECONDS and second.unit in SECONDS:
        per = Fraction(SECONDS[first.unit], SECONDS[second.unit])
        return per if per > 1 else None
    per = Fraction(_SMALLER.get((first.unit, second.unit), 0))
    return per if first.sort == "q" and second.value < per else None
