"""Fields of records as statements: who directed a film, for what ages a book is.

A record's fields stand as lines before its text, `Director: Eva Lund`, in the test that asks for
them, and a value is exchanged for another of the same field.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

import yaml

from leadline.text.statements import Statement
from leadline.types import Corpus, Document

_WITH_THE = re.compile(
    r"(?:United|Soviet) |.*\b(?:Republic|Islands|Emirates)$|Netherlands$|Philippines$"
)
"""Countries that take an article: `it comes from the Netherlands`."""
_LONGEST = 40  # characters of a value
_FEWEST = 4  # values that a field must have in the corpus to be exchanged
_MOST_VALUES = 2_000
_MOST_DOCUMENTS = 20_000
_SHARE = 0.05  # of the documents that have a field, for it to be asked for by itself
_AGAIN = 1.2  # documents that share a value, on average: others are names of single documents
_NO_VALUE = re.compile(r".*(?:://|[\\/].*[\\/]|[0-9a-f]{12})|[\W\d]{7,}$")
_SEPARATOR = ", "
_INITIALS = re.compile(r"\b\w\.|\d\.$")
"""In a field that is one value with commas in it: `hall, i.m. and rogers, e.w.e.`"""


@dataclass(frozen=True)
class Fields:
    """Fields of records that conditions are made of, with what the corpus has for each."""

    names: tuple[str, ...]
    values: Mapping[str, tuple[str, ...]]

    def shown(self, document: Document) -> Document:
        """Return a document with its fields as lines before its text."""
        return replace(document, text="".join(_lines(document, self.names)) + document.text)

    def statements(self, document: Document) -> list[Statement]:
        """Return the values of a document that is shown with its fields, as statements.

        A value that the text says as well is none: no edit of the field would make it untrue.
        """
        said = document.content.casefold()
        found: list[Statement] = []
        start = 0
        for name in self.names:
            values = _values(document, name)
            place = start + len(f"{_label(name)}: ")
            for value in values:
                if value.casefold() not in said:
                    end = place + len(value)
                    found.append(_stated(name, value, place, end))
                place += len(value) + len(_SEPARATOR)
            start += len(f"{_label(name)}: {_SEPARATOR.join(values)}\n") if values else 0
        return found

    def held(self, document: Document) -> set[str]:
        """Return the values of a document in lower case: none of them is exchanged for another."""
        return {value.casefold() for name in self.names for value in _values(document, name)}


def fields_of(corpus: Corpus, names: Sequence[str] = ()) -> Fields:
    """Return the fields of a corpus that can be asked for, from at most 20,000 documents.

    names  of the fields; without any those that many documents have, with values that differ
    """
    counts: dict[str, Counter[str]] = {name: Counter() for name in names}
    having: Counter[str] = Counter()
    read = 0
    for read, document in enumerate(corpus.values(), 1):
        if read > _MOST_DOCUMENTS:
            break
        for name in names or document.facets:
            if values := _values(document, name):
                counts.setdefault(name, Counter()).update(values)
                having[name] += 1
    usable = {
        name: tuple(value for value, _ in count.most_common(_MOST_VALUES))
        for name, count in counts.items()
        if len(count) >= _FEWEST
        and (names or (having[name] >= _SHARE * read and count.total() >= _AGAIN * len(count)))
    }
    return Fields(tuple(usable), usable)


def overlap(one: str, other: str) -> bool:
    """Tell whether two values are ranges of figures that share some: ages 3-7, 3-5 and 5+."""
    found = [_RANGE.fullmatch(each) for each in (one, other)]
    if not found[0] or not found[1]:
        return False
    (low, high), (least, most) = (
        [float(end or "inf") for end in each.groups()] for each in found if each
    )
    return low <= most and least <= high


_RANGE = re.compile(r"(\d{1,9})\s?(?:[-–]\s?(\d{1,9})|\+)")


def _values(document: Document, name: str) -> list[str]:
    """Return the values of a field; one that is too long, or an address, is not asked for."""
    written = document.facets.get(name, "")
    whole = _INITIALS.search(written)
    parts = [each.strip() for each in ([written] if whole else written.split(_SEPARATOR))]
    return [
        each
        for each in dict.fromkeys(parts)
        if each and len(each) <= _LONGEST and "\n" not in each and not _NO_VALUE.match(each)
    ]


def _lines(document: Document, names: Sequence[str]) -> list[str]:
    return [
        f"{_label(name)}: {_SEPARATOR.join(values)}\n"
        for name in names
        if (values := _values(document, name))
    ]


def _stated(name: str, value: str, start: int, end: int) -> Statement:
    said = _wordings().get(_singular(name), "")
    if not said:
        return Statement(start, end, f"{_label(name)}: {value}", "field", name, value)
    article = "the " if said.endswith("from {value}") and _WITH_THE.match(value) else ""
    return Statement(start, end, said.format(value=f"{article}{value}"), "record", name, value)


@cache
def _wordings() -> Mapping[str, str]:
    path = files("leadline.kinds.conditions").joinpath("fields.yaml")
    wordings: dict[str, str] = yaml.safe_load(path.read_text("utf-8"))
    return wordings


def _label(name: str) -> str:
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _singular(name: str) -> str:
    """Return the name of a field for one of its values: `countries`, `release_year`."""
    words = name.replace("_", " ").strip().lower()
    if words.endswith("ies"):
        return f"{words[:-3]}y"
    return words[:-1] if words.endswith("s") and not words.endswith(("ss", "us")) else words
