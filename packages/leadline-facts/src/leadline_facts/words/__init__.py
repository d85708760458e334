"""Tables of words, one entry a line. Fields are separated by `; `, and `#` begins a comment.

Tables of patterns, in `patterns/`, are named after the module that uses them. A comment above each
expression shows, in backticks, a text that it finds.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources


@cache
def rows(name: str) -> tuple[tuple[str, ...], ...]:
    """Return the entries of a table, each as its fields."""
    text = (resources.files(__package__) / f"{name}.txt").read_text("utf-8")
    lines = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    return tuple(tuple(field.strip() for field in line.split(";")) for line in lines)


def listed(field: str) -> tuple[str, ...]:
    """Return the words of a field, which are parted by commas."""
    return tuple(word for each in field.split(",") if (word := each.strip()))


def several(name: str) -> dict[str, tuple[str, ...]]:
    """Return a table of two fields as name -> words."""
    return {key: listed(words) for key, words in rows(name)}


def single(name: str) -> dict[str, str]:
    """Return a table of two fields as a mapping."""
    return dict(rows(name))  # type: ignore[arg-type]


_ENTRY = re.compile(r"^(\w+):\n((?:[ ]{4}.*\n)+)", re.MULTILINE)
_OPENS = re.compile(r"(?<!\\)\((?:\?(?:[:=!]|<[=!]|P<\w+>|-i:))?$")
_REFERENCE = re.compile(r"\{([a-z]\w*)\}")


def patterns(name: str, **given: str) -> dict[str, str]:
    """Return the regular expressions of a table in `patterns/` by name.

    Below its name stand the alternatives of an expression, one or more a line and indented; a line
    that opens a group goes on in the next one, and one that begins by closing it goes on from the
    last. `{other}` stands for an earlier entry, or for what is given under that name.
    """
    text = (resources.files(__package__) / "patterns" / f"{name}.txt").read_text("utf-8")
    found = dict(given)
    for entry, lines in _ENTRY.findall(text):
        pattern = ""
        for line in map(str.strip, lines.splitlines()):
            is_next = pattern and not line.startswith(")") and not _OPENS.search(pattern)
            pattern += f"|{line}" if is_next else line
        found[entry] = _REFERENCE.sub(lambda match: found[match[1]], pattern)
    return found
