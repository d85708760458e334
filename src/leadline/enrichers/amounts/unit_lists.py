"""Lists of figures of which one names the unit for all: `18, 21, 24 and 17 degrees`."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount

_LIST = re.compile(
    r"(?P<all>§[nmqt]\d+§(?:(?:, and |, then |, | and |; | then |, & | & )§[nmqt]\d+§){2,})(?!"
    r" ?[-–:])"
)
_MEAN = re.compile(r"\b(?:averag\w+|mean)\b")
_SUM = re.compile(
    r"\b(?:total\w*|sum|altogether|in all|all told|combined|add(?:s|ed)? up|overall|together"
    r"|cumulative)\b"
)


def derive_unit_lists(ledger: Ledger) -> None:
    """Derive the mean or the sum of figures that share one unit, where the text speaks of it."""
    passage = ledger.passage
    for match in passage.find(_LIST):
        amounts = [passage.amount(mark) for mark in re.findall(r"§\w\d+§", match["all"])]
        units = {(each.sort, each.unit) for each in amounts if each.sort != "n"}
        steps = {b.value - a.value for a, b in pairwise(amounts)}
        if not units and steps == {1}:
            continue  # faces numbered 1, 2, 3
        if len(units) > 1 or {each.start for each in amounts} & ledger.spent:
            continue
        start, end = passage.sentence(amounts[0].start)[0], passage.sentence(amounts[-1].start)[1]
        following = passage.sentence(min(end + 2, len(passage.text)))[1]
        around = passage.text[max(0, start - 60) : following].lower()
        sort, unit = next(iter(units)) if units else ("n", "")
        like = Amount(sort, amounts[0].value, unit, amounts[0].start, amounts[-1].end)
        total = sum((each.value for each in amounts), Fraction(0))
        if _MEAN.search(around):
            ledger.derive(like, total / len(amounts), amounts, "the mean")
        if _SUM.search(around) and unit not in ("degree", "C", "F"):
            ledger.derive(like, total, amounts, "the sum")
