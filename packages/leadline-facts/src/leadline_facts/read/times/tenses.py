"""Decide whether a clause is about the past or the future."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from leadline_facts.words import patterns, rows

Tense: TypeAlias = Literal["past", "future", ""]

_P = patterns("tenses", irregular="|".join(word for (word,) in rows("past_verbs")))
_CUE = re.compile(_P["cue"], re.IGNORECASE)
_AHEAD = re.compile(_P["ahead"], re.IGNORECASE)
_BEHIND = re.compile(_P["behind"], re.IGNORECASE)


def tense_at(text: str, start: int, end: int, position: int) -> Tense:
    """Return the tense of the verb that a time at `position` goes with, within text[start:end].

    The verb before it that stands nearest counts, else the first one after it.
    """
    if _AHEAD.search(text, start, position):
        return "future"
    if _BEHIND.search(text, start, position):
        return "past"
    nearest = ""
    for match in _CUE.finditer(text, start, end):
        if match.start() == position and match[0] == "sat":
            continue  # the day itself
        if match.start() > position and nearest:
            break
        nearest = match.lastgroup or ""
    return _TENSES.get(nearest, "")


_TENSES: dict[str, Tense] = {"past": "past", "past2": "past", "future": "future", "now": "future"}
