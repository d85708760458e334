"""The words that a text must hold for a regular expression to match it, looked for first.

Most patterns of rules match in few texts, and to see that a word is not there takes a twentieth of
the time that the pattern takes to fail.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, TypeAlias

Alternatives: TypeAlias = frozenset[str]
"""One of these every match holds."""

_MOST, _CHECKED = 200, 9
_EDGE = "\0"  # where a word begins or ends
_WORD = re.compile(r"§[a-z]|[^\W\d_]+")
_BEFORE = re.compile(r"[^\W\d_]+ §[a-z]")
_BEHIND = re.compile(r"§ [^\W\d_]+")
_WHOLE = re.compile(r"§[a-z]|(?<=[\W\d_])[^\W\d_]+(?=[\W\d_])")
_WHOLE_PAIR = re.compile(r"(?<=[\W\d_])[^\W\d_]+ §[a-z]|§ [^\W\d_]+(?=[\W\d_])")


def single_words_of(text: str) -> list[str]:
    """Return the words of a text, and the marks of amounts without their numbers, in order."""
    return _WORD.findall(text)


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text, the marks of amounts without their numbers, and what is beside.

    Of `for §n3§ days` these are `for`, `days`, `§n`, `for §n` and `§ days`.
    """
    return frozenset(single_words_of(text)).union(_BEFORE.findall(text), _BEHIND.findall(text))


def may_match(pattern: re.Pattern[str], words: frozenset[str]) -> bool:
    """Return False only where a pattern matches nowhere in a text of these words."""
    known = _KNOWN.get(id(pattern))
    if known is None:
        known = _KNOWN[id(pattern)] = (required(pattern), pattern)
    return not any(map(words.isdisjoint, known[0]))


_KNOWN: dict[int, tuple[tuple[Alternatives, ...], re.Pattern[str]]] = {}
"""By identity, as a pattern's hash takes in all of its code; the pattern is kept, too."""


@cache
def required(pattern: re.Pattern[str]) -> tuple[Alternatives, ...]:
    """Return sets of words of each of which every match holds one, the most telling first.

    Empty where nothing is known, as for a pattern that does not tell case.
    """
    if pattern.flags & re.IGNORECASE:
        return ()
    try:
        from re import _parser  # type: ignore[attr-defined]  # not public: without it, no filter

        found = _sets(_parser.parse(pattern.pattern, pattern.flags))
    except (ImportError, AttributeError, TypeError, ValueError):
        return ()
    telling = {words for some in found for words in _words(some)}
    return tuple(sorted(telling, key=lambda each: (_frequency(each), sorted(each)))[:_CHECKED])


def _words(strings: Alternatives) -> list[Alternatives]:
    """Return the longest whole word of each string, and word beside a mark; none without."""
    found = []
    for kind in (_WHOLE, _WHOLE_PAIR):
        words = [max(kind.findall(each), key=len, default="") for each in strings]
        if all(words):
            found.append(frozenset(words))
    return found


def _sets(sequence: Iterable[tuple[Any, Any]]) -> list[Alternatives]:
    """Return what every match of a sequence of parsed nodes holds."""
    found: list[Alternatives] = []
    run: Alternatives = frozenset([""])
    for node in _flat(sequence):
        strings = _strings(node)
        if strings is not None and len(run) * len(strings) <= _MOST:
            run = frozenset(first + last for first in run for last in strings)
            continue
        found.append(run)
        run = strings if strings is not None else frozenset([""])
        if strings is None:
            found += _nested(node)
    found.append(run)
    return [some for some in found if all(some)]


def _flat(sequence: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
    """Yield the nodes of a sequence, those of a group that holds no list in its place."""
    for node in sequence:
        is_group = str(node[0]) == "SUBPATTERN" and not node[1][1] & re.IGNORECASE
        if is_group and _strings(node) is None:
            yield from _flat(node[1][3])
        else:
            yield node


def _strings(node: tuple[Any, Any]) -> Alternatives | None:
    """Return all strings that a node matches; None where they are many or not known."""
    kind, value = str(node[0]), node[1]
    if kind == "LITERAL":
        return frozenset([chr(value)])
    if kind == "AT" and str(value) == "AT_BOUNDARY":
        return frozenset([_EDGE])
    if kind == "AT" or kind.startswith("ASSERT"):
        return frozenset([""])
    if kind == "IN" and all(str(each[0]) == "LITERAL" for each in value):
        return frozenset(chr(each[1]) for each in value)
    if kind == "BRANCH":
        return _union([_joined(each) for each in value[1]])
    if kind == "SUBPATTERN" and not value[1] & re.IGNORECASE:
        return _joined(value[3])
    if kind in ("MAX_REPEAT", "MIN_REPEAT") and value[1] == 1:
        once = _joined(value[2])
        return None if once is None else once | (frozenset([""]) if value[0] == 0 else frozenset())
    return None


def _joined(sequence: Iterable[tuple[Any, Any]]) -> Alternatives | None:
    run: Alternatives = frozenset([""])
    for node in sequence:
        strings = _strings(node)
        if strings is None or len(run) * len(strings) > _MOST:
            return None
        run = frozenset(first + last for first in run for last in strings)
    return run


def _nested(node: tuple[Any, Any]) -> list[Alternatives]:
    """Return what every match of a node holds that matches too many strings to list."""
    kind, value = str(node[0]), node[1]
    if kind == "SUBPATTERN" and not value[1] & re.IGNORECASE:
        return _sets(value[3])
    if kind in ("MAX_REPEAT", "MIN_REPEAT") and value[0] > 0:
        return _sets(value[2])
    if kind == "BRANCH":
        branches = [_best(_sets(each)) for each in value[1]]
        whole = _union(branches)
        return [whole] if whole else []
    return []


def _union(some: Sequence[Alternatives | None]) -> Alternatives | None:
    """Return the union of sets; None where one of them is not known, or there are too many."""
    known = [each for each in some if each is not None]
    whole = frozenset[str]().union(*known)
    return whole if len(known) == len(some) and len(whole) <= _MOST else None


def _best(found: Sequence[Alternatives]) -> Alternatives | None:
    telling = [words for some in found for words in _words(some)]
    best = min(telling, key=_frequency, default=None)
    return None if best is None else frozenset(f"{_EDGE}{each}{_EDGE}" for each in best)


def _frequency(words: Alternatives) -> float:
    """Return about how often one of these words is met: longer ones far less often.

    A mark other than that of a bare number is rarer than its one letter tells.
    """
    return sum(
        0.25 ** (len(each) + (3 if "§" in each and "§n" not in each else 0)) for each in words
    )
