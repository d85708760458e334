"""Clean a server's message: remove keys and terminal control characters."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

_HIDDEN = "[key]"
_ESCAPES = re.compile(
    "\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\\\)?|.)?"
    "|\x9b[0-?]*[ -/]*[@-~]?",
    re.DOTALL,
)
_CONTROLS = {place: None for place in (*range(32), *range(127, 160)) if chr(place) not in "\t\n\r"}


@dataclass(frozen=True, slots=True)
class Cleaner:
    """Takes a key and terminal escapes out of texts.

    key  empty where there is none
    """

    key: str = ""

    def __call__(self, text: str) -> str:
        """Return a text that may be shown and kept."""
        return printable(self.content(text))

    def content(self, text: str) -> str:
        """Return a text that may be kept; for a terminal it may still hold escapes."""
        for form in self._forms():
            text = text.replace(form, _HIDDEN)
        return whole(text)

    def tops(self, places: Sequence[Mapping[str, float]]) -> tuple[Mapping[str, float], ...]:
        """Return likeliest tokens that may be kept."""
        return tuple({self(token): value for token, value in each.items()} for each in places)

    def _forms(self) -> list[str]:
        """Return the key as it may stand in a text: plain, in JSON, in an address."""
        if not self.key:
            return []
        forms = {self.key, json.dumps(self.key)[1:-1], quote(self.key, safe="")}
        return sorted(forms, key=len, reverse=True)


def whole(text: str) -> str:
    """Return a text in which half a surrogate pair, which no file can hold, is marked."""
    if text.isascii() or text.isprintable():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def printable(text: str) -> str:
    """Return a text without terminal escapes and control characters, line ends and tabs aside."""
    return text if text.isprintable() else _ESCAPES.sub("", text).translate(_CONTROLS)
