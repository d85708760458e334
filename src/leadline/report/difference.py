"""Mark the differences between two passages, and cut the passages around them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from leadline.text.letters import MARKS

Kind = Literal["same", "changed", "shared", "cut"]
Range = tuple[int, int]

CONTEXT = 200  # characters kept on each side of a mark: some thirty words
WHOLE = 900  # a passage up to this length is shown whole
BUDGET = 1_600  # characters shown of any passage
MOST_MARKS = 60
LONGEST_MARK = 400
WINDOW = 12_000  # characters of a passage that are compared word by word
READ = 20_000  # characters in which words of the query are looked for
STRETCH = 600  # characters between the first and last marked word of the query
ALIKE = 0.5  # passages with at least this share of common text are versions of one


@dataclass(frozen=True)
class Segment:
    """A stretch of a passage.

    kind   `same` in both; `changed`, with empty text if only the other passage has words here;
           `shared` with the query; `cut` for text left out
    """

    kind: Kind
    text: str


@dataclass(frozen=True)
class Comparison:
    """Two passages as segments, and what the marks mean."""

    marked: Literal["differences", "query words", "nothing"]
    expected: tuple[Segment, ...]
    retrieved: tuple[Segment, ...]


def compare(expected: str, retrieved: str, query: str = "") -> Comparison:
    """Mark what differs between two versions of a passage.

    If the two are unrelated passages, mark the words that each shares with the query instead. The
    common beginning and end are skipped and at most WINDOW characters compared, to bound the cost.
    """
    if expected == retrieved:
        return Comparison("nothing", excerpt(expected, ()), excerpt(retrieved, ()))
    starts, ends = _differing_part(expected, retrieved)
    left = expected[starts[0] : ends[0]]
    right = retrieved[starts[1] : ends[1]]
    changes = _changes(left, right)
    if changes is None:
        words = content_words(query)
        first = excerpt(expected, densest(expected, shared_ranges(expected, words)), "shared")
        second = excerpt(retrieved, densest(retrieved, shared_ranges(retrieved, words)), "shared")
        found = any(segment.kind == "shared" for segment in (*first, *second))
        return Comparison("query words" if found else "nothing", first, second)
    in_left = [(starts[0] + low, starts[0] + high) for (low, high), _ in changes]
    in_right = [(starts[1] + low, starts[1] + high) for _, (low, high) in changes]
    first, second = excerpt(expected, in_left), excerpt(retrieved, in_right)
    return Comparison("differences" if changes else "nothing", first, second)


def content_words(text: str) -> frozenset[str]:
    """Return the content words of a query, in the form in which texts are compared."""
    words = (text[low:high] for low, high in _words(text[:WINDOW]))
    return frozenset(_key(word) for word in words if _carries_meaning(word))


def shared_ranges(text: str, words: frozenset[str]) -> list[Range]:
    """Return the ranges of these words in the first READ characters. Neighbours are joined."""
    ranges: list[Range] = []
    for low, high in _words(text[:READ]):
        if _key(text[low:high]) not in words:
            continue
        if ranges and not text[ranges[-1][1] : low].strip():
            ranges[-1] = (ranges[-1][0], high)
        else:
            ranges.append((low, high))
    return ranges


def densest(text: str, ranges: Sequence[Range]) -> list[Range]:
    """Return the ranges within STRETCH characters that hold the most different words."""
    best: list[Range] = []
    most = 0
    for first, (start, _) in enumerate(ranges):
        within = [each for each in ranges[first : first + MOST_MARKS] if each[1] <= start + STRETCH]
        words = {_key(word) for low, high in within for word in text[low:high].split()}
        if len(words) > most:
            best, most = within, len(words)
    return best


def excerpt(text: str, marks: Sequence[Range], kind: Kind = "changed") -> tuple[Segment, ...]:
    """Return the text as segments, cut around the marks to at most about BUDGET characters."""
    segments: list[Segment] = []
    at = 0
    whole = len(text) <= WHOLE
    for number, (low, high) in enumerate(marks[:MOST_MARKS]):
        segments += _between(text[at:low], opening=number == 0, closing=False, whole=whole)
        segments += _marked(text[low:high], kind)
        at = high
        if sum(len(segment.text) for segment in segments) > BUDGET:
            break
    segments += _between(text[at:], opening=not marks, closing=True, whole=whole)
    return tuple(segments)


_WORD = re.compile(
    r"\d+(?:[.,:/-]\d+)*"  # a number or a date is one word
    r"|[\u3040-\u30ff\u3400-\u9fff]"  # scripts without spaces are compared by character
    rf"|[^\W\u3040-\u30ff\u3400-\u9fff]+(?:[{MARKS}]+[^\W\u3040-\u30ff\u3400-\u9fff]*)*|[^\w\s]"
)

_EMPTY_WORDS = """
    a about all also an and any are as at be been but by can could did do does document documents
    find following for from had has have he her his how i if in into is it its me meet may more no
    not of on or please she show some such than that the their them then there these they this
    those to was we were what when where which who why will with would you your
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())


def _words(text: str) -> list[Range]:
    return [found.span() for found in _WORD.finditer(text)]


def _key(word: str) -> str:
    folded = word.casefold()
    plural = len(folded) > 3 and folded.endswith("s") and not folded.endswith("ss")
    return folded[:-1] if plural else folded


def _carries_meaning(word: str) -> bool:
    return word.casefold() not in _EMPTY and (len(word) > 2 or word.isnumeric())


def _differing_part(a: str, b: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the range between the common beginning and end, with context, within WINDOW."""
    head = _common(a, b)
    tail = min(_common(a[::-1], b[::-1]), len(a) - head, len(b) - head)
    start = max(0, head - 2 * CONTEXT)
    ends = (
        min(len(a), len(a) - tail + 2 * CONTEXT, start + WINDOW),
        min(len(b), len(b) - tail + 2 * CONTEXT, start + WINDOW),
    )
    return (start, start), ends


def _common(a: str, b: str) -> int:
    """Return the length of the common beginning, by bisection."""
    longest = min(len(a), len(b))
    return bisect_left(range(1, longest + 1), True, key=lambda n: a[:n] != b[:n])


def _changes(a: str, b: str) -> list[tuple[Range, Range]] | None:
    """Return the pairs of ranges that differ, or None if the texts have too little in common."""
    a_words, b_words = _words(a), _words(b)
    matcher = SequenceMatcher(
        None, [a[low:high] for low, high in a_words], [b[low:high] for low, high in b_words]
    )
    if matcher.quick_ratio() < ALIKE or matcher.ratio() < ALIKE:
        return None
    changes: list[tuple[int, int, int, int]] = []
    for _, i1, i2, j1, j2 in (code for code in matcher.get_opcodes() if code[0] != "equal"):
        if changes and _only_punctuation(a, a_words[changes[-1][1] : i1]):
            changes[-1] = (changes[-1][0], i2, changes[-1][2], j2)
        else:
            changes.append((i1, i2, j1, j2))
    return [(_span(a, a_words, i1, i2), _span(b, b_words, j1, j2)) for i1, i2, j1, j2 in changes]


def _only_punctuation(text: str, words: Iterable[Range]) -> bool:
    return not any(text[low:high].isalnum() for low, high in words)


def _span(text: str, words: Sequence[Range], first: int, last: int) -> Range:
    if first < last:
        return words[first][0], words[last - 1][1]
    here = words[first][0] if first < len(words) else len(text)
    return here, here


def _marked(text: str, kind: Kind) -> list[Segment]:
    if len(text) <= LONGEST_MARK:
        return [Segment(kind, text)]
    half = LONGEST_MARK // 2
    return [Segment(kind, text[:half]), Segment("cut", "…"), Segment(kind, text[-half:])]


def _between(text: str, *, opening: bool, closing: bool, whole: bool) -> list[Segment]:
    """Return unmarked text, and cut its middle if it is long."""
    if not text:
        return []
    cut = Segment("cut", "…")
    if opening and closing:
        return [Segment("same", text)] if whole else [Segment("same", _head(text, WHOLE)), cut]
    if whole or len(text) <= (CONTEXT if opening or closing else 2 * CONTEXT):
        return [Segment("same", text)]
    if opening:
        return [cut, Segment("same", _tail(text, CONTEXT))]
    if closing:
        return [Segment("same", _head(text, CONTEXT)), cut]
    return [Segment("same", _head(text, CONTEXT)), cut, Segment("same", _tail(text, CONTEXT))]


def _head(text: str, length: int) -> str:
    """Return the beginning, cut between two words if possible."""
    kept = text[:length]
    place = max(kept.rfind(" "), kept.rfind("\n"))
    return kept[: place + 1] if place > length // 2 else kept


def _tail(text: str, length: int) -> str:
    return _head(text[::-1], length)[::-1].lstrip()
