"""Facts in a sentence that can be looked up and exchanged: quantities, dates, names.

A value's `keys` name the pools it may be exchanged with, the most alike first: values that stand
in the same surroundings, then values of the same shape and unit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Value:
    """A fact at text[start:end].

    kind    number, date or name
    keys    pools of values it may be exchanged with, most alike first
    anchor  what must stand nowhere else in a document whose fact is to be broken
    number  the figure itself, for numbers
    """

    kind: str
    start: int
    end: int
    text: str
    keys: tuple[str, ...]
    anchor: str
    number: float = 0.0
