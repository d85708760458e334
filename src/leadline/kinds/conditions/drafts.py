"""Facts as a writer drafts them, looked up in their document: nothing is taken on trust."""

from __future__ import annotations

import random
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import Literal

from pydantic import BaseModel, Field

from leadline.kinds.conditions.choosing import Condition
from leadline.kinds.conditions.edits import CONTROL, Edit
from leadline.llm.pipeline.steps import Fault
from leadline.text.statements import Statement, every_piece, is_code
from leadline.text.tokens import content_tokens, normalised, tokens
from leadline.text.words import NUMBER_WORDS
from leadline.types import Document

MOST_FACTS = 10
_PASSAGE = 1_000
"""Words of a document that a writer is shown."""
_FEWEST_WORDS = 4
_LONGEST = 400
"""Characters of a sentence or line that are shown."""
_SHORT, _LONG, _MOST_EXCHANGED = (2, 18), (4, 32), 8
_COPIED = 10
"""Words of a query from which on it may be no copy."""
_SAME, _FEWEST_SAME = 0.75, 3
"""Share of the words of a sentence that another one holds which says the same, and how many."""
_GROWTH = 2
"""Words by which a control may grow a text more or less than its edit."""
_VALUES = ("number", "date", "name")
_LINK = re.compile(r"\]\([^)\s]*\)")
_CELLS = re.compile(r" {2,}|\t")
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][\w.-]*\w")
_PARTS = re.compile(r"['’/-]")
_ARTICLE = re.compile(r"\b([Aa]n?)\s$")
_MOST_ABOUT = 10
_STOP = re.compile(r"(?<!\.[A-Za-z])\.+$")
_DIGITS = {word: str(number) for word, number in NUMBER_WORDS.items()} | {"one": "1"}


class Draft(BaseModel):
    """One fact, with an exchange that breaks it and one that does not."""

    n: int = Field(ge=1)
    short: str = Field(min_length=1, max_length=200)
    long: str = Field(min_length=1, max_length=400)
    old: str = Field(min_length=1, max_length=100)
    new: str = Field(min_length=1, max_length=100)
    kind: Literal["number", "date", "name", "opposite", "negation", "other"]
    control_n: int = Field(ge=1)
    control_old: str = Field(min_length=1, max_length=100)
    control_new: str = Field(min_length=1, max_length=100)


class Drafts(BaseModel):
    """What a writer makes of a document.

    about  what it is about, as it follows "documents about"
    """

    about: str = Field(default="", max_length=120)
    facts: list[Draft] = Field(max_length=MOST_FACTS)


@dataclass(frozen=True)
class Passage:
    """What a writer is shown of a document: its sentences and lines, numbered from 1."""

    document: Document
    units: Sequence[Statement]

    @cached_property
    def sentences(self) -> int:
        """How many of them have a few words."""
        return sum(len(unit.text.split()) >= _FEWEST_WORDS for unit in self.units)

    @property
    def most_facts(self) -> int:
        """How many facts are asked for: some sentences are left for controls."""
        return min(MOST_FACTS, 2 * self.sentences // 3)

    @property
    def numbered(self) -> str:
        """The text with a number before each sentence or line."""
        return "\n".join(f"[{n}] {shown(unit.text)}" for n, unit in enumerate(self.units, 1))

    @cached_property
    def words(self) -> frozenset[str]:
        """All words that title and text have, and their parts, numbers as digits."""
        words = plain(self.document.content)
        return frozenset(words) | {part for word in words for part in _PARTS.split(word)}

    def about(self, said: str) -> str:
        """Return what a writer says that the document is about; empty where that will not do."""
        said = " ".join(said.split()).strip(' ."“”')
        fits = 0 < len(said.split()) <= _MOST_ABOUT and not invented(said, self.words)
        return said if fits else ""

    def places(self, unit: int, words: str) -> list[tuple[int, int]]:
        """Return where words stand in a sentence, white space of no account."""
        pattern = r"\s+".join(map(re.escape, words.replace(" | ", " ").split()))
        before, after = (r"\b" if each.isalnum() else "" for each in (words[:1], words[-1:]))
        start, text = self.units[unit].start, self.units[unit].text
        unseen = [each.span() for each in _LINK.finditer(text)]
        return [
            (start + found.start(), start + found.end())
            for found in re.finditer(f"{before}{pattern}{after}", text)
            if not any(first <= found.start() < end for first, end in unseen)
        ]

    def unit_with(self, n: int, words: str) -> int | None:
        """Return the sentence that was meant: number n, or the only other one with the words."""
        if n <= len(self.units) and self.places(n - 1, words):
            return n - 1
        having = [k for k in range(len(self.units)) if self.places(k, words)]
        return having[0] if len(having) == 1 else None

    def exchange(self, unit: int, kind: str, span: tuple[int, int], new: str) -> Exchange:
        """Return other words in the place of those that stand there."""
        start, end = span
        text, new = self.document.text, " ".join(new.split())
        article = _ARTICLE.search(text, max(0, start - 4), start)
        if article and (new[:1].lower() in "aeiou") != (text[start : start + 1].lower() in "aeiou"):
            start = article.start()
            new = f"{article[0][0]}{'n' * (len(article[1]) == 1)} {new}"
        return Exchange(unit, Edit(kind, start, end, text[start:end], new))


def passage_of(document: Document, rng: random.Random) -> Passage:
    """Return a document of at most some 1,000 words, or as much of a longer one, drawn.

    Lines of code are left out.
    """
    units = [each for each in every_piece(document.text) if not is_code(each.text)]
    until = [0, *accumulate(len(unit.text.split()) for unit in units)]
    starts = [k for k in range(len(units)) if until[-1] - until[k] >= _PASSAGE]
    first = rng.choice(starts) if starts else 0
    last = bisect_left(until, until[first] + _PASSAGE)
    return Passage(document, units[first:last])


@dataclass(frozen=True, slots=True)
class Exchange:
    """Words of a sentence with others in their place."""

    unit: int
    edit: Edit


@dataclass(frozen=True)
class Found:
    """A fact that was looked up: it stands in one sentence, and may be said again in others."""

    draft: Draft
    exchange: Exchange
    also: tuple[Exchange, ...]
    control: Exchange | None

    @property
    def units(self) -> set[int]:
        """The sentences that state it."""
        return {self.exchange.unit, *(each.unit for each in self.also)}


def looked_up(passage: Passage, draft: Draft) -> Found | Fault:
    """Return a fact with its places in the document, or what is wrong with it."""
    unit = passage.unit_with(draft.n, draft.old)
    if unit is None:
        return Fault("words that its sentence does not have", f"`old` is not in [{draft.n}].")
    text, spans = passage.units[unit].text, passage.places(unit, draft.old)
    if len(spans) > 1:
        return Fault("words that its sentence has twice", "`old` stands in the sentence twice.")
    if fault := _exchange_fault(draft) or _wording_fault(passage, draft, text):
        return fault
    kind = "antonym" if draft.kind == "opposite" else draft.kind
    also = _said_again(passage, unit, draft, kind)
    if also is None:
        return Fault("said again in other words", "Another sentence says it, too.")
    own = passage.exchange(unit, kind, spans[0], draft.new)
    return Found(draft, own, tuple(also), _control(passage, draft))


def _said_again(passage: Passage, unit: int, draft: Draft, kind: str) -> list[Exchange] | None:
    """Return the exchange for every other sentence that says the same; None where it has no place.

    A sentence that lacks the number, date or name says something else.
    """
    words = set(content_tokens(passage.units[unit].text)) - set(tokens(draft.old))
    also: list[Exchange] = []
    for other in range(len(passage.units)):
        held = words & set(tokens(passage.units[other].text))
        if other == unit or len(held) < max(_FEWEST_SAME, _SAME * len(words)):
            continue
        again = passage.places(other, draft.old)
        if not again and kind not in _VALUES:
            return None
        also += [passage.exchange(other, kind, span, draft.new) for span in again]
    return also


def conditions_of(passage: Passage, found: Sequence[Found]) -> tuple[list[Condition], Counter[str]]:
    """Return facts as conditions, and why others are none.

    Each needs a control in a sentence that states no fact: its own, or else that of another fact
    or the exchange of one that is not used.
    """
    left_out: Counter[str] = Counter()
    kept: list[Found] = []
    taken: set[int] = set()
    for each in found:
        if each.units & taken:
            left_out["a second fact of one sentence"] += 1
        else:
            kept.append(each)
            taken |= each.units
    pool = [each.control for each in found if each.control is not None]
    pool += [each.exchange for each in found if each not in kept]
    conditions = []
    for each in kept:
        own, unit = each.exchange.edit, passage.units[each.exchange.unit]
        usable = [
            other for other in pool
            if other.unit not in taken and abs(_growth(other.edit) - _growth(own)) <= _GROWTH
        ]  # fmt: skip
        usable.sort(key=lambda other: (other is not each.control, other.edit.kind != own.kind))
        if not usable:
            left_out["no control"] += 1
            continue
        conditions.append(
            Condition(
                unit.start, unit.end, _open(each.draft.short), "sentence", own,
                (replace(usable[0].edit, kind=CONTROL),), _open(each.draft.long),
                tuple(other.edit for other in each.also),
            )
        )  # fmt: skip
    return conditions, left_out


def invented(text: str, words: Set[str]) -> list[str]:
    """Return the numbers and names of a query that its document does not have.

    words  of the document, as `Passage.words` has them
    """
    said = [*_NUMBER.findall(text), *_NAME.findall(text)]
    return [each for each in said if not all(_is_held(part, words) for part in _named(each))]


def lost(value: str, text: str) -> list[str]:
    """Return the numbers and names of a value that a text does not have."""
    words = set(plain(text))
    said = [*_NUMBER.findall(value), *_NAME.findall(f"- {value}")]
    return [each for each in said if not all(_is_held(part, words) for part in plain(each))]


def _control(passage: Passage, draft: Draft) -> Exchange | None:
    unit = passage.unit_with(draft.control_n, draft.control_old)
    if unit is None or normalised(draft.control_old) == normalised(draft.control_new):
        return None
    kind = "antonym" if draft.kind == "opposite" else draft.kind
    return passage.exchange(
        unit, kind, passage.places(unit, draft.control_old)[0], draft.control_new
    )


def _exchange_fault(draft: Draft) -> Fault | None:
    if normalised(draft.old) == normalised(draft.new):
        return Fault("an exchange that changes nothing", "`new` says the same as `old`.")
    if max(len(draft.old.split()), len(draft.new.split())) > _MOST_EXCHANGED:
        return Fault("an exchange of too many words", f"`old` and `new`: {_MOST_EXCHANGED} words.")
    return None


def _wording_fault(passage: Passage, draft: Draft, sentence: str) -> Fault | None:
    for name, text, (low, high) in (
        ("short", draft.short, _SHORT), ("long", draft.long, _LONG),
    ):  # fmt: skip
        count = len(text.split())
        if not low <= count <= high:
            return Fault(
                f"{name}: too short or too long",
                f"`{name}` has {count} words; {low} to {high} are allowed.",
            )
        gone = lost(draft.old, text) if draft.kind in _VALUES else []
        if gone:
            return Fault(
                f"{name}: the value is not in it", f"`{name}` does not state {', '.join(gone)}."
            )
        if new := invented(text, passage.words):
            return Fault(
                f"{name}: names or numbers that the document does not have",
                f"`{name}` has {', '.join(new)}, which the document does not have.",
            )
    copied = len(draft.short.split()) >= _COPIED and normalised(draft.short) in normalised(sentence)
    return Fault("short: a copy", "`short` copies the sentence.") if copied else None


def _open(text: str) -> str:
    """Return a query without its full stop; that of "9 a.m." stays."""
    return _STOP.sub("", text.strip())


def _growth(edit: Edit) -> int:
    return len(edit.after.split()) - len(edit.before.split())


def shown(text: str) -> str:
    """Return a sentence on one line, cells of a table apart, without addresses of links."""
    cells = [" ".join(each.split()) for each in _CELLS.split(_LINK.sub("]", text))]
    return " | ".join(filter(None, cells))[:_LONGEST]


def plain(text: str) -> list[str]:
    """Return the words of a text, numbers as digits without commas."""
    return [_DIGITS.get(word, word.replace(",", "")) for word in tokens(text)]


def _named(value: str) -> list[str]:
    """Return the words of a name that carry it: of Express-like the first."""
    parts = [each for each in _PARTS.split(value) if each[:1].isupper() or each[:1].isdigit()]
    return [word for each in parts for word in plain(each)]


def _is_held(word: str, words: Set[str]) -> bool:
    return word in words or word.removesuffix("s") in words or f"{word}s" in words
