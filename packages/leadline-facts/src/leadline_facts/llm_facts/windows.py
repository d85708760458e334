"""Parts of a document that a language model reads in one call, each with what it hangs on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from leadline.llm.tokens import estimated_tokens
from leadline_facts.llm_facts.quotes import Span
from leadline_facts.read.messages import Message, read_messages
from leadline_facts.read.scope import sentences

_SHARED = 0.1
"""Part of a window that the next one repeats: a relation may reach across the cut."""

_TITLE = 120
"""Characters of a first line that can be a title."""

_HEADING = re.compile(r"^ {0,3}#{1,6}\s+\S.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a document.

    span    where it stands in the document
    before  lines from further up that it needs: title, heading, head of the message it is in
    """

    span: Span
    before: tuple[str, ...] = ()


def windows(text: str, tokens: int) -> list[Window]:
    """Cut a text into windows of at most about so many tokens, at ends of sentences.

    A text that fits is one window; one without words has none. Each window after the first
    begins with the last sentences of the one before it, about a tenth of its length.
    """
    if not text.strip():
        return []
    if estimated_tokens(text) <= tokens:
        return [Window((0, len(text)))]
    pieces = list(_pieces(text, tokens))
    messages = read_messages(text)
    return [Window(span, _before(text, span[0], messages)) for span in _joined(pieces, tokens)]


def _pieces(text: str, tokens: int) -> Iterator[tuple[Span, int]]:
    """Yield (start, end) and tokens of every sentence; one that is too long in parts."""
    for start, end in sentences(text):
        length = estimated_tokens(text[start:end])
        if length <= tokens:
            yield (start, end), length
            continue
        parts = -(-length // tokens)
        size = -(-(end - start) // parts)
        while start < end:
            cut = min(start + size, end)
            space = text.rfind(" ", start + size // 2, cut)
            cut = space if cut < end and space > 0 else cut
            # A part may be denser than the whole: what counts is that every part ends.
            yield (start, cut), min(tokens, estimated_tokens(text[start:cut]))
            start = cut


def _joined(pieces: Sequence[tuple[Span, int]], tokens: int) -> Iterator[Span]:
    first, held = 0, 0
    for number, (_, length) in enumerate(pieces):
        if held + length > tokens and number > first:
            yield pieces[first][0][0], pieces[number - 1][0][1]
            first, held = _shared(pieces, first, number, min(tokens * _SHARED, tokens - length))
        held += length
    yield pieces[first][0][0], pieces[-1][0][1]


def _shared(
    pieces: Sequence[tuple[Span, int]], first: int, number: int, room: float
) -> tuple[int, int]:
    """Return where the next window begins, and how many tokens it repeats."""
    start, held = number, 0
    while start - 1 > first and held + pieces[start - 1][1] <= room:
        start -= 1
        held += pieces[start][1]
    return start, held


def _before(text: str, start: int, messages: Sequence[Message]) -> tuple[str, ...]:
    if not start:
        return ()
    lines = [text.lstrip().partition("\n")[0].strip()[:_TITLE]]
    headings = [match[0].strip() for match in _HEADING.finditer(text, 0, start)]
    lines += headings[-1:]
    for message in messages:
        if message.start < start < message.end and message.stamp != (0, 0):
            if message.stamp[1] <= message.start or message.stamp[0] >= message.body:
                lines.append(text[slice(*message.stamp)].strip())
            lines.append(text[message.start : message.body].strip()[:_TITLE])
    return tuple(line for line in dict.fromkeys(lines) if line)
