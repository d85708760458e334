"""Which numbers and dates of a text may be others, so that the text still adds up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from leadline.synthesis.english.denial import Told
from leadline.synthesis.english.parsing import text_of
from leadline.synthesis.values import Value
from leadline.synthesis.words import words_of

_SORTS = (
    ("money", re.compile(r"[$£€]|\b(?:dollars?|pounds?|pence|cents?|euros?)\b", re.IGNORECASE)),
    ("share", re.compile(r"%|per\s?cent", re.IGNORECASE)),
    ("age", re.compile(r"[\s-]years?[\s-]old", re.IGNORECASE)),
    ("time", re.compile(r"\b(?:years?|months?|weeks?|days?|hours?|minutes?|seconds?|[hm]rs?|mins?)",
                        re.IGNORECASE)),
)  # fmt: skip
_KNOWN = words_of(
    "the all both these those first last next other every each same only another its his her "
    "their top"
)
"""Before a count these say that everybody knows it: "all four extremities"."""
_ONE_BY_ONE = words_of(
    """
    one first 1st second 2nd third 3rd other others another former latter each both either neither
    remaining rest these those they them together respectively all
    """
)
"""Words of a sentence that takes up, one by one, what was counted before."""
_OF_THESE = words_of("these those")
_UP_TO = words_of("by to about")
_SUMS = words_of("total together altogether respectively sum combined between")
_LEAST, _FEW = 3, 12


def stand_alone(values: Sequence[Value], sentence: Any, told: Told, offset: int) -> list[Value]:
    """Return the values of a parsed sentence that nothing else in it or behind it hangs on.

    No other value of the sentence is of the same sort (time, money, share, count), since the one
    may follow from the other; a count is three or more, is not one that everybody knows, and is
    not taken up one by one in what follows.
    offset  where the parsed passage begins in the text
    """
    sorts = [sort_of(value) for value in values]
    words = {token.lower_ for token in sentence}
    if words & _SUMS:
        return []
    return [
        value
        for value, sort in zip(values, sorts, strict=True)
        if sorts.count(sort) == 1
        and not (sort == "share" and _compares(sentence))
        and (sort != "count" or _is_free_count(value, sentence, told, offset))
    ]


def _compares(sentence: Any) -> bool:
    """Tell whether a share may follow from two figures: "15 Mt, 150 % more than the 6 Mt"."""
    return sum(1 for token in sentence if token.like_num) >= _LEAST


def sort_of(value: Value) -> str:
    """Return what a value measures: time, money, share, age or count."""
    if value.kind == "date":
        return "time"
    found = (name for name, pattern in _SORTS if pattern.search(value.text))
    return next(found, "count")


def _is_free_count(value: Value, sentence: Any, told: Told, offset: int) -> bool:
    before = text_of(sentence.doc)[sentence.start_char : value.start].lower().split()[-1:]
    behind = text_of(sentence.doc)[value.end : sentence.end_char]
    if value.number < _LEAST or set(before) & _KNOWN or ":" in behind or ";" in behind:
        return False
    if {token.lower_ for token in sentence} & (_ONE_BY_ONE - {"these", "those", "they"}):
        return value.number > _FEW
    taken_up = _OF_THESE if value.number > _FEW else _ONE_BY_ONE
    return not told.follows(value.start + offset, taken_up)


def is_bare(tokens: Sequence[Any]) -> bool:
    """Tell whether a figure has nothing that it counts or measures: "is reduced by 18"."""
    last = tokens[-1]
    if not last.text[0].isdigit():
        return False
    if last.i + 1 < len(last.doc) and last.nbor(1).lower_ == "of":
        return True  # "administered 50 of lsd-25"
    return bool(last.dep_ == "pobj" and last.head.lower_ in _UP_TO)
