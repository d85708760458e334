"""Who is meant by a last name: the full name that the document has for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from leadline.synthesis.words import STOP_WORDS

_PERSON = "PERSON"
_LONGEST = 30
"""Letters of a name; a text of megabytes without a space has none."""


def lone_person(tokens: Sequence[Any]) -> Any | None:
    """Return the first word of a clause where it names a person by one word: "Taylor started"."""
    first = tokens[0]
    if first.pos_ != "PROPN" or first.ent_type_ != _PERSON or not first.is_title:
        return None
    if len(tokens) > 1 and (tokens[1].pos_ == "PROPN" or tokens[1].i != first.i + 1):
        return None
    before = first.nbor(-1) if first.i else None
    return None if before is not None and before.pos_ == "PROPN" else first


def full_name(word: str, text: str) -> str:
    """Return the longer name that a text has for a last name, or nothing: "Rod Taylor"."""
    found: Counter[str] = Counter()
    first = rf"[A-Z][\w’-]{{1,{_LONGEST}}} |[A-Z]\. "
    for match in re.finditer(rf"\b((?:{first}){{1,3}}){re.escape(word)}\b", text):
        names = match[1].split()
        while names and names[0].lower() in STOP_WORDS:
            del names[0]  # "When Taylor"
        if names and word not in names:
            found[" ".join([*names, word])] += 1
    return max(found, key=lambda name: (found[name], len(name)), default="")
