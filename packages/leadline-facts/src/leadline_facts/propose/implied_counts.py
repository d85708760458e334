"""Amounts for calculations: those of a text, and counts that words imply."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline_facts.read.amounts.passage import Amount, Passage
from leadline_facts.read.number_words import lowered
from leadline_facts.words import patterns

IMPLIED = "k"
"""Sort of a count that a word implies: `both`, `a year`, `me and`."""

_VALUES = {
    "two": Fraction(2), "twelve": Fraction(12), "seven": Fraction(7), "half": Fraction(1, 2),
    "one": Fraction(1),
}  # fmt: skip
_P = patterns("implied_counts")
_WORDS = [(re.compile(rule), _VALUES[name]) for name, rule in _P.items()]


def implied_counts(passage: Passage) -> list[Amount]:
    """Return the counts that words of a passage imply where no amount stands, in order."""
    lower = lowered(passage.text)
    taken = [(each.start, each.end) for each in passage.amounts]
    found = {}
    for pattern, value in _WORDS:
        for match in pattern.finditer(lower):
            start, end = match.span()
            if start not in found and not any(a < end and start < b for a, b in taken):
                found[start] = Amount(IMPLIED, value, "", start, end, True)
    return [found[start] for start in sorted(found)]
