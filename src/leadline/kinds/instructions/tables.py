"""The tables of words and wordings beside this file: YAML that anybody can edit."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from leadline.text import words


def table(name: str) -> Any:
    """Return what `NAME.yaml` of this folder holds."""
    return words.table("leadline.kinds.instructions", name)


def whole_words(row: str) -> str:
    """Return the pattern of a row: one that begins with a letter is whole words."""
    return rf"\b(?:{row})\b" if re.match("[A-Za-z0-9]", row) else row


def any_of(rows: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern, in any case, that finds what any row of a table finds."""
    return re.compile("|".join(map(whole_words, rows)), re.IGNORECASE)


def capitalised(text: str) -> str:
    """Return the text with its first letter as a capital."""
    return text[:1].upper() + text[1:]
