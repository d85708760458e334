"""Amounts that a text implies: money, numbers, percentages, quantities and computed durations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from leadline.types import Constraint, Document, Enricher, Fact, Query
from leadline_facts.choose.amount_facts import judged
from leadline_facts.propose.comparisons import Ledger, compare
from leadline_facts.propose.operations import DOUBTS, Entry
from leadline_facts.read.amounts.passage import Amount, Passage, as_fact, read_passage
from leadline_facts.read.pieces import by_pieces
from leadline_facts.words import patterns

VERSION = 3


def build(*, learned: bool = True) -> Enricher:
    """Return the enricher of amounts.

    learned  let a network, trained on many short texts, doubt what rules derive and add what it
             reads; False for the rules alone
    """
    return _Quantities(learned)


@dataclass(frozen=True)
class _Quantities:
    learned: bool = True

    @property
    def name(self) -> str:
        return f"quantities/{VERSION}" + ("" if self.learned else "-rules")

    def facts(self, documents: Iterable[Document]) -> Iterator[tuple[str, tuple[Fact, ...]]]:
        for document in documents:
            yield document.id, tuple(by_pieces(self._read, document.content))

    def constraints(self, queries: Sequence[Query]) -> list[tuple[Constraint, ...]]:
        return [tuple(_constraints(query.content)) for query in queries]

    def _read(self, text: str) -> Iterator[Fact]:
        return self._facts(read_passage(text))

    def _facts(self, passage: Passage) -> Iterator[Fact]:
        if not passage.amounts:
            return
        stated = {_key(amount) for amount in passage.amounts}
        for amount in passage.amounts:
            if amount.sort in "mqp" and (fact := as_fact(amount)):
                yield Fact(*fact, about=passage.speaker(amount.start), role="stated",
                           spans=((amount.start, amount.end),), provider=self.name)  # fmt: skip
        seen: set[object] = set()
        entries = _entries(passage)
        for entry in judged(passage, entries) if self.learned else entries:
            fact, key = as_fact(entry.amount), _key(entry.amount)
            if (
                fact is None
                or (key in stated and entry.amount.sort != "n")
                or (key, entry.role) in seen
            ):
                continue
            seen.add((key, entry.role))
            yield Fact(*fact, about=entry.about or passage.speaker(entry.amount.start),
                       role=entry.role, confidence=entry.confidence, spans=entry.spans,
                       derivation=entry.why, provider=self.name)  # fmt: skip


def _entries(passage: Passage) -> list[Entry]:
    ledger = Ledger(passage)
    compare(ledger)
    return [*_dozens(passage), *ledger.entries]


_DOZEN = re.compile(r"\b(?:dozen|gross|score)\b", re.IGNORECASE)
_COUNTED = re.compile(r"(?: of)? (?!times\b|or\b|ways\b)[a-z]")


def _dozens(passage: Passage) -> Iterator[Entry]:
    """Yield `a dozen eggs` as a number: what stands in the text is not the number."""
    for amount in passage.amounts:
        words = passage.text[amount.start : amount.end]
        span = (amount.start, amount.end)
        if amount.sort == "n" and _DOZEN.search(words) and not passage.doubts([span]) & DOUBTS:
            is_told = len(words.split()) > 1 and words.split()[0].lower() not in ("a", "another")
            if is_told or words[0].isdigit() or _COUNTED.match(passage.text, amount.end):
                yield Entry(amount, (span,), f"{words} is {amount.value}")


def _key(amount: Amount) -> tuple[object, ...]:
    """Return what makes two amounts the same one."""
    return ("t" if amount.sort in "tc" else amount.sort, amount.value, amount.unit)


_P = patterns("quantities")
_BELOW = re.compile(_P["below"])
_ABOVE = re.compile(_P["above"])
_BETWEEN = re.compile(r" ?(?:and|to|-|–) ?")


def _constraints(text: str) -> Iterator[Constraint]:
    passage = read_passage(text)
    amounts = passage.amounts
    skip = -1
    for number, amount in enumerate(amounts):
        after = amounts[number + 1] if number + 1 < len(amounts) else None
        if number == skip or (number and amount.start < amounts[number - 1].end):
            continue
        if after is not None and _is_range(text, amount, after):
            skip = number + 1
            yield from _range(amount, after)
            continue
        fact = as_fact(amount) if amount.sort in "mqpt" else None
        if fact is not None:
            span = (amount.start, amount.end)
            yield Constraint(fact[0], fact[1], span, _relation(text, amount.start))


def _relation(text: str, start: int) -> Literal["equal", "before", "after"]:
    before = text[max(0, start - 26) : start].lower()
    if _BELOW.search(before):
        return "before"
    return "after" if _ABOVE.search(before) else "equal"


def _is_range(text: str, first: Amount, second: Amount) -> bool:
    joined = _BETWEEN.fullmatch(text, first.end, second.start) is not None
    opens = re.search(r"(?:between|from) $", text[max(0, first.start - 9) : first.start].lower())
    is_typed = second.sort in "mqpt" and first.sort in (second.sort, "n")
    return joined and opens is not None and is_typed and first.value < second.value


def _range(first: Amount, second: Amount) -> Iterator[Constraint]:
    low, high = as_fact(replace(second, value=first.value)), as_fact(second)
    if low is None or high is None:
        return
    yield Constraint(high[0], [low[1], high[1]], (first.start, second.end), "within")
