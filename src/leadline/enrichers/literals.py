"""The words that a text must hold for a regular expression to match it, looked for first.

Most patterns of rules match in few texts, and to see that a word is not there takes a twentieth of
the time that the pattern takes to fail.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, TypeAlias

from leadline.enrichers.widths import Width, joined, node_width, widest

Alternatives: TypeAlias = frozenset[str]
"""One of these every match holds."""

Held: TypeAlias = tuple[Alternatives, Width | None]
"""With how far from the start of a match it ends at most."""

_MOST, _RANGE, _CHECKED = 200, 10, 9
EDGE, BEGINNING = "\0", "\1"  # where a word begins or ends, and where a line does
_WHOLE = re.compile(r"§[a-z]|(?<=[\W\d_])[^\W\d_]+(?=[\W\d_])")
_MARK = re.compile(r"§[a-z]")
_WHOLE_PAIR = re.compile(r"(?<=[\W\d_])[^\W\d_]+ §[a-z]|§ [^\W\d_]+(?=[\W\d_])")


@cache
def required(pattern: re.Pattern[str]) -> tuple[Held, ...]:
    """Return sets of words of each of which every match holds one, the most telling first.

    Empty where nothing is known, as for a pattern that does not tell case.
    """
    telling: dict[Alternatives, Width | None] = {}
    for strings, reach in _sets(parsed(pattern)):
        for words in _words(strings):
            telling[words] = telling.get(words) or reach
    ordered = sorted(telling, key=lambda each: (_frequency(each), sorted(each)))
    return tuple((words, telling[words]) for words in ordered[:_CHECKED])


def parsed(pattern: re.Pattern[str]) -> list[tuple[Any, Any]]:
    """Return the nodes of a pattern; none where it does not tell case, or cannot be parsed."""
    if pattern.flags & re.IGNORECASE:
        return []
    try:
        from re import _parser  # type: ignore[attr-defined]  # not public: without it, no filter

        return list(_parser.parse(pattern.pattern, pattern.flags))
    except (ImportError, AttributeError, TypeError, ValueError):
        return []


def _words(strings: Alternatives) -> list[Alternatives]:
    """Return the longest whole word of each string, mark, and word beside one; none without."""
    found = []
    for kind in (_WHOLE, _MARK, _WHOLE_PAIR):
        words = [max(kind.findall(each), key=len, default="") for each in strings]
        if all(words):
            found.append(frozenset(words))
    return found


def _sets(sequence: Iterable[tuple[Any, Any]], before: Width | None = (0, 0)) -> list[Held]:
    """Return what every match of a sequence of parsed nodes holds, which stands behind others."""
    found: list[Held] = []
    run: Alternatives = frozenset([""])
    for node in _flat(sequence):
        strings = strings_of(node)
        if strings is not None and len(run) * len(strings) <= _MOST:
            run = frozenset(first + last for first in run for last in strings)
        else:
            found.append((run, before))
            run = strings if strings is not None else frozenset([""])
            if strings is None:
                found += _nested(node, before)
        before = joined(before, node_width(node))
    found.append((run, before))
    return [(some, reach) for some, reach in found if all(some)]


def _flat(sequence: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
    """Yield the nodes of a sequence, those of a group that holds no list in its place."""
    for node in sequence:
        is_group = str(node[0]) == "SUBPATTERN" and not node[1][1] & re.IGNORECASE
        if is_group and strings_of(node) is None:
            yield from _flat(node[1][3])
        else:
            yield node


def strings_of(node: tuple[Any, Any]) -> Alternatives | None:
    """Return all strings that a node matches; None where they are many or not known."""
    kind, value = str(node[0]), node[1]
    if kind == "LITERAL":
        return frozenset([chr(value)])
    if kind == "AT" and str(value) in ("AT_BEGINNING", "AT_BEGINNING_STRING"):
        return frozenset([BEGINNING])
    if (kind == "AT" and str(value) == "AT_BOUNDARY") or _is_behind_no_word(kind, value):
        return frozenset([EDGE])
    if kind == "AT" or kind.startswith("ASSERT"):
        return frozenset([""])
    if kind == "IN":
        return _characters(value)
    if kind == "BRANCH":
        return _union([_strings_of_all(each) for each in value[1]])
    if kind == "SUBPATTERN" and not value[1] & re.IGNORECASE:
        return _strings_of_all(value[3])
    if kind in ("MAX_REPEAT", "MIN_REPEAT") and value[1] == 1:
        once = _strings_of_all(value[2])
        return None if once is None else once | (frozenset([""]) if value[0] == 0 else frozenset())
    return None


def _characters(value: Iterable[tuple[Any, Any]]) -> Alternatives | None:
    """Return the characters of a class; None where they are more than ten."""
    found: set[str] = set()
    for kind, some in value:
        low, high = some if str(kind) == "RANGE" else (some, some)
        if str(kind) not in ("LITERAL", "RANGE") or high - low >= _RANGE:
            return None
        found.update(map(chr, range(low, high + 1)))
    return frozenset(found)


def _is_behind_no_word(kind: str, value: Any) -> bool:
    """Tell whether a node is an assertion that no character of a word stands before it."""
    if kind != "ASSERT_NOT" or value[0] > 0 or len(value[1]) != 1:
        return False
    inner, some = value[1][0]
    return str(inner) == "IN" and any(str(each[1]) == "CATEGORY_WORD" for each in some)


def _strings_of_all(sequence: Iterable[tuple[Any, Any]]) -> Alternatives | None:
    run: Alternatives = frozenset([""])
    for node in sequence:
        strings = strings_of(node)
        if strings is None or len(run) * len(strings) > _MOST:
            return None
        run = frozenset(first + last for first in run for last in strings)
    return run


def _nested(node: tuple[Any, Any], before: Width | None) -> list[Held]:
    """Return what every match of a node holds that matches too many strings to list."""
    kind, value = str(node[0]), node[1]
    if kind == "SUBPATTERN" and not value[1] & re.IGNORECASE:
        return _sets(value[3], before)
    if kind in ("MAX_REPEAT", "MIN_REPEAT") and value[0] > 0:
        return _sets(value[2], before)
    if kind == "BRANCH":
        branches = [_best(_sets(each, before)) for each in value[1]]
        whole = _union([each and each[0] for each in branches])
        return [(whole, widest(each and each[1] for each in branches))] if whole else []
    return []


def _union(some: Sequence[Alternatives | None]) -> Alternatives | None:
    """Return the union of sets; None where one of them is not known, or there are too many."""
    known = [each for each in some if each is not None]
    whole = frozenset[str]().union(*known)
    return whole if len(known) == len(some) and len(whole) <= _MOST else None


def _best(found: Sequence[Held]) -> Held | None:
    telling = [(words, reach) for some, reach in found for words in _words(some)]
    if not telling:
        return None
    best, reach = min(telling, key=lambda each: _frequency(each[0]))
    return frozenset(f"{EDGE}{each}{EDGE}" for each in best), reach


def _frequency(words: Alternatives) -> float:
    """Return about how often one of these words is met: longer ones far less often.

    A mark other than that of a bare number is rarer than its one letter tells.
    """
    return sum(
        0.25 ** (len(each) + (3 if "§" in each and "§n" not in each else 0)) for each in words
    )
