"""Read a long text in pieces, so that the time is linear in its length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from leadline.types import Fact

LONGEST = 20_000
"""Characters of a piece, some ten pages. What follows from further away is not found."""


def by_pieces(read: Callable[[str], Iterable[Fact]], text: str) -> Iterator[Fact]:
    """Yield the facts of a text, with their places in it."""
    start = 0
    while len(text) - start > LONGEST:
        end = _end(text, start)
        yield from _moved(read(text[start:end]), start)
        start = end
    yield from _moved(read(text[start:]), start)


def _moved(facts: Iterable[Fact], by: int) -> Iterable[Fact]:
    if not by:
        return facts
    return (
        replace(each, spans=tuple((start + by, end + by) for start, end in each.spans))
        for each in facts
    )


def _end(text: str, start: int) -> int:
    """Return where a piece ends: behind a line, else a sentence, else a word, else anywhere."""
    stop = start + LONGEST
    for mark in ("\n", ". ", " "):
        place = text.rfind(mark, start + LONGEST // 2, stop)
        if place >= 0:
            return place + len(mark)
    return stop
