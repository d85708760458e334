"""How the matches of a regular expression begin."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, TypeAlias

from leadline.enrichers.literals import BEGINNING, EDGE, parsed, strings_of

Opening: TypeAlias = tuple[tuple[int, frozenset[str]], ...]
"""Keys of an index, of which one stands so many characters behind the start of a match."""

STEM, DIGIT = 3, "0"
_MOST = 400
_HEAD = re.compile(
    r"(?P<lead>[^\w§]*)(?:(?P<mark>§[a-z])|(?P<digit>\d)|(?P<word>[^\W\d_]+)(?P<whole>[\W\d_])?)?"
)
_SIGN = re.compile(r"[^\0\1 ]")


def opening_of(pattern: re.Pattern[str]) -> Opening | None:
    """Return how all matches of a pattern begin; None where that is not known."""
    done, left = _heads(parsed(pattern))
    found: dict[int, set[str]] = {}
    for head in done | left:
        key = _key(head)
        if key is None:
            return None
        found.setdefault(key[0], set()).add(key[1])
    return tuple((behind, frozenset(keys)) for behind, keys in sorted(found.items())) or None


def _key(head: str) -> tuple[int, str] | None:
    """Return a key of the index, and how far behind the start it stands."""
    match = _HEAD.match(head)
    assert match is not None
    lead = match["lead"].replace(EDGE, "").replace(BEGINNING, "")
    if match["mark"]:
        return len(lead), match["mark"]
    if match["digit"] and match["lead"]:
        return len(lead), DIGIT
    if match["word"] and match["lead"]:
        if match["whole"]:
            return len(lead), match["word"]
        if len(match["word"]) >= STEM:
            return len(lead), f"{match['word'][:STEM]}*"
    if sign := _SIGN.search(lead):
        return sign.start(), sign[0]
    return (0, BEGINNING) if match["lead"].startswith(BEGINNING) else None


def _is_told(head: str) -> bool:
    """Tell whether what follows a head would not make its key tell more."""
    match = _HEAD.match(head)
    return match is not None and bool(match["mark"] or match["digit"] or match["whole"])


def _heads(sequence: Iterable[tuple[Any, Any]]) -> tuple[set[str], set[str]]:
    """Return what a match of a sequence begins with, and what it is where that is all of it."""
    done: set[str] = set()
    left = {""}
    for node in sequence:
        more, whole = _of_node(node)
        done |= {first + last for first in left for last in more}
        left = {first + last for first in left for last in whole}
        told = {each for each in left if _is_told(each)}
        done |= told
        left -= told
        if len(left) > _MOST:
            return done | left, set()
        if not left:
            break
    return done, left


def _of_node(node: tuple[Any, Any]) -> tuple[set[str], set[str]]:
    kind, value = str(node[0]), node[1]
    strings = strings_of(node)
    if strings is not None:
        return set(), set(strings)
    if kind == "IN" and [str(each[1]) for each in value] == ["CATEGORY_DIGIT"]:
        return {DIGIT}, set()
    if kind == "SUBPATTERN" and not value[1] & re.IGNORECASE:
        return _heads(value[3])
    if kind == "BRANCH":
        both = [_heads(branch) for branch in value[1]]
        return set().union(*(some for some, _ in both)), set().union(*(all_ for _, all_ in both))
    if kind in ("MAX_REPEAT", "MIN_REPEAT"):
        done, left = _heads(value[2])
        if value[1] != 1:
            done, left = done | left, set()
        return done, left | {""} if value[0] == 0 else left
    return {""}, set()
