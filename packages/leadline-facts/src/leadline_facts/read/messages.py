"""Messages of a text: who speaks, and when. Chats, forum posts, mails, headed letters and notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from leadline_facts.read.times.written_dates import (
    DATE_PATTERN,
    TIME_PATTERN,
    find_written_dates,
    read_clock,
)
from leadline_facts.words import patterns


@dataclass(frozen=True, slots=True)
class Message:
    """A stretch of text by one speaker at one moment.

    start, end  offsets of the whole message, its head included; messages cover the text in order
    body        offset where what is said begins
    speaker     as the text names them, empty where it does not
    day         the date of the message; None where the text fixes none
    minute      minutes since midnight; None where the head tells no time
    stamp       (start, end) of where the date is written, which may be in an earlier message
    is_told     whether the date is of something told of, not of the telling
    """

    start: int
    body: int
    end: int
    speaker: str = ""
    day: date | None = None
    minute: int | None = None
    stamp: tuple[int, int] = (0, 0)
    is_told: bool = False


@lru_cache(maxsize=1024)  # several enrichers read the same documents, block by block
def read_messages(text: str) -> tuple[Message, ...]:
    """Cut a text into messages. A text without heads is one message, dated by its first date.

    A head is a line that opens with a stamp, a name and a stamp, or, once a head has been seen,
    a name and a colon; mail headers, `On ..., Ann wrote:` and day separators count too. A stamp
    without a date takes that of the head before it, or the next day when the clock went back.
    """
    heads = list(_heads(text))
    if not heads:
        day, minute, stamp = _first_date(text)
        return (Message(0, 0, len(text), "", day, minute, stamp),)
    messages = []
    if text[: heads[0].start].strip():
        first = heads[0]
        messages.append(Message(0, 0, first.start, "", first.day, first.minute, first.stamp))
    for head, after in zip(heads, [*heads[1:], None], strict=True):
        end = after.start if after else len(text)
        messages.append(
            Message(head.start, head.body, end, head.speaker, head.day, head.minute, head.stamp)
        )
    return tuple(messages)


def speaker_at(messages: Iterable[Message], offset: int) -> str:
    """Return who says what stands at an offset of a text, empty where that is not told."""
    return next((each.speaker for each in messages if each.start <= offset < each.end), "")


_P = patterns("messages", date_pattern=DATE_PATTERN, time_pattern=TIME_PATTERN)
_NAME = _P["name"]
_HEAD = re.compile(_P["head"], re.IGNORECASE)
_SEPARATOR = re.compile(rf"[^\w\n]*(?P<stamp>{DATE_PATTERN})[^\w\n]*$", re.IGNORECASE)
_SPEAKER = re.compile(rf"[ \t>*_]*(?:<(?P<nick>[\w.-]{{1,30}})>|@?(?P<name>{_NAME})[*_]*\s?:)\s")
_FIELD = re.compile(_P["field"], re.IGNORECASE)
_WROTE = re.compile(_P["wrote"], re.IGNORECASE)
_POSTED = re.compile(_P["posted"], re.IGNORECASE)
_FIND_DATE = re.compile(DATE_PATTERN, re.IGNORECASE)
_FIND_TIME = re.compile(TIME_PATTERN, re.IGNORECASE)
_DATED_FIELDS = frozenset(("date", "sent", "posted", "published", "received", "written", "filed"))
OPENING_LENGTH = 250
"""Characters. A date further on within a sentence is of something told, not of the text."""


@dataclass(frozen=True, slots=True)
class _Head:
    start: int
    body: int
    speaker: str
    day: date | None
    minute: int | None
    stamp: tuple[int, int]


def _heads(text: str) -> Iterator[_Head]:
    day: date | None = None
    minute: int | None = None
    stamp = (0, 0)
    dated = False
    in_mail = False
    for start, end in _lines(text):
        found = _stamp_line(text, start, end, dated)
        if found:
            span, speaker, body = found
            new_day, new_minute = _moment(text, *span)
            if new_day is not None:
                day, stamp = new_day, span
            elif day and None not in (minute, new_minute) and (new_minute or 0) < (minute or 0):
                day += timedelta(1)
            minute = new_minute
            # lines of one mail head are one head: what follows the last of them is the body
            if not (in_mail and _FIELD.match(text, start, end)):
                yield _Head(start, body, speaker, day, minute, stamp)
            in_mail = bool(_FIELD.match(text, start, end))
            dated = True
        elif dated and (named := _SPEAKER.match(text, start, end)):
            if _FIELD.match(text, start, end):
                continue
            speaker = named["nick"] or named["name"]
            yield _Head(start, named.end(), speaker, day, minute, stamp)


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.splitlines(keepends=True):
        bare = line.rstrip()
        if bare:
            yield start, start + len(bare)
        start += len(line)


def _stamp_line(
    text: str, start: int, end: int, dated: bool
) -> tuple[tuple[int, int], str, int] | None:
    """Return the span of the stamp, the speaker and where the body begins, for a head line."""
    if not any(character.isdigit() for character in text[start : min(end, start + 80)]):
        return None
    if field := _FIELD.match(text, start, end):
        if field["field"].lower() in _DATED_FIELDS and (
            written := _FIND_DATE.search(text, field.end(), end)
        ):
            return (written.start(), min(end, written.end() + 25)), "", end
        return None
    if match := _SEPARATOR.match(text, start, end):
        return match.span("stamp"), "", end
    if match := _WROTE.match(text, start, end):
        return match.span("stamp"), match["name"].strip(' "<>'), match.end()
    if match := _POSTED.match(text, start, end):
        group = "stamp" if match["stamp"] else "stamp2"
        return match.span(group), match["name"] or match["name2"] or "", match.end()
    if match := _HEAD.match(text, start, end):
        group = "stamp" if match["stamp"] else "stamp2"
        undated = not _FIND_DATE.search(match[group])
        unbound = match["gap"] is not None and not match["gap"].strip()
        spoken = match["mark"] == ":" and match["name"]
        if not undated or spoken or (dated and not unbound and (match["mark"] or match["name"])):
            return match.span(group), match["name"] or match["name2"] or "", match.end()
    return None


def _moment(text: str, start: int, end: int) -> tuple[date | None, int | None]:
    day = next((found.full() for found in find_written_dates(text, start, end)), None)
    bare = _FIND_DATE.sub(lambda match: " " * len(match.group()), text[start:end])
    clock = _FIND_TIME.search(bare.replace("T", " "))
    read = read_clock(clock.group()) if clock else None
    return day, read[0] if read else None


def _first_date(text: str) -> tuple[date | None, int | None, tuple[int, int]]:
    for found in find_written_dates(text):
        day = found.full()
        if day:
            clock = re.match(rf"[\s,T]{{1,2}}(?:at\s)?({TIME_PATTERN})", text[found.end :], re.I)
            read = read_clock(clock[1]) if clock else None
            return day, read[0] if read else None, (found.start, found.end)
    return None, None, (0, 0)
