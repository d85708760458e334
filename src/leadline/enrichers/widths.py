"""How long a match of a regular expression may be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

Width: TypeAlias = tuple[int, int]
"""At most so many characters, and so many runs of characters of words or of none."""

_LOOPS = 8
"""Words like `about`, `only` and `just` that a pattern lets stand in any number are at most so
many; a list of amounts has no bound."""


def width_of(sequence: Sequence[tuple[Any, Any]]) -> Width | None:
    """Return how long a match of parsed nodes is with what it looks ahead at; None for any."""
    width: Width | None = (0, 0)
    for node in sequence:
        width = joined(width, node_width(node))
    return width


def joined(first: Width | None, second: Width | None) -> Width | None:
    """Return the width of one thing behind another."""
    if first is None or second is None:
        return None
    return first[0] + second[0], first[1] + second[1]


def widest(widths: Iterable[Width | None]) -> Width | None:
    """Return what is as wide as each of these."""
    characters = runs = 0
    for each in widths:
        if each is None:
            return None
        characters, runs = max(characters, each[0]), max(runs, each[1])
    return characters, runs


def node_width(node: tuple[Any, Any]) -> Width | None:
    """Return how long a match of one parsed node is; None for any length."""
    kind, value = str(node[0]), node[1]
    if kind in ("LITERAL", "NOT_LITERAL", "IN", "ANY"):
        return 1, 0
    if kind == "AT" or (kind.startswith("ASSERT") and value[0] < 0):
        return 0, 0
    if kind.startswith("ASSERT"):
        return width_of(value[1])
    if kind == "SUBPATTERN":
        return width_of(value[3])
    if kind == "BRANCH":
        return widest(map(width_of, value[1]))
    if kind in ("MAX_REPEAT", "MIN_REPEAT"):
        return _repeated(*value)
    return None


def _repeated(_: int, most: int, inner: Sequence[tuple[Any, Any]]) -> Width | None:
    once = width_of(inner)
    if once is None:
        return None
    if str(most) != "MAXREPEAT":
        return once[0] * int(most), once[1] * int(most)
    if len(inner) == 1 and str(inner[0][0]) in ("IN", "LITERAL"):
        kind, some = inner[0]
        return (0, 1) if _is_of_one_run(some if str(kind) == "IN" else inner) else None
    return (once[0] * _LOOPS, 0) if _is_worded(inner) else None


def _is_worded(sequence: Iterable[tuple[Any, Any]]) -> bool:
    """Tell whether nothing but given words, and no mark of an amount, matches a sequence."""
    for node in sequence:
        kind, value = str(node[0]), node[1]
        if kind == "BRANCH":
            parts = value[1]
        elif kind == "SUBPATTERN":
            parts = [value[3]]
        elif kind in ("MAX_REPEAT", "MIN_REPEAT") and value[1] == 1:
            parts = [value[2]]
        elif kind == "AT" or kind.startswith("ASSERT") or (kind == "LITERAL" and chr(value) != "§"):
            parts = []
        else:
            return False
        if not all(map(_is_worded, parts)):
            return False
    return True


def _is_of_one_run(value: Iterable[tuple[Any, Any]]) -> bool:
    """Tell whether a class holds no white space, or no characters of words."""
    spaces = words = False
    for kind, some in value:
        if str(kind) == "CATEGORY" and str(some) in ("CATEGORY_WORD", "CATEGORY_DIGIT"):
            words = True
        elif str(kind) in ("LITERAL", "RANGE"):
            low, high = some if str(kind) == "RANGE" else (some, some)
            characters = [chr(each) for each in range(low, high + 1)]
            spaces |= any(each.isspace() for each in characters)
            words |= any(each.isalnum() or each in "_§" for each in characters)
        else:
            return False
    return not (spaces and words)
