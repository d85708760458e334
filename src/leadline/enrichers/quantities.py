"""Amounts that a text implies: money, numbers, percentages, quantities and computed durations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from leadline.enrichers.amounts.accounts import keep_accounts
from leadline.enrichers.amounts.changes import derive_changes
from leadline.enrichers.amounts.collective_numbers import derive_collectives
from leadline.enrichers.amounts.comparisons import compare
from leadline.enrichers.amounts.contrasts import derive_contrasts
from leadline.enrichers.amounts.conversions import derive_conversions, derive_measures
from leadline.enrichers.amounts.doses import derive_doses
from leadline.enrichers.amounts.extents import derive_extents
from leadline.enrichers.amounts.interest import derive_interest
from leadline.enrichers.amounts.ledger import Entry, Ledger, as_fact
from leadline.enrichers.amounts.multiples import derive_multiples
from leadline.enrichers.amounts.paces import derive_paces
from leadline.enrichers.amounts.passage import Amount, Passage, read_passage
from leadline.enrichers.amounts.portions import derive_portions
from leadline.enrichers.amounts.price_gaps import derive_price_gaps
from leadline.enrichers.amounts.price_rates import read_rates
from leadline.enrichers.amounts.price_words import derive_price_words
from leadline.enrichers.amounts.priced_counts import derive_priced_counts
from leadline.enrichers.amounts.products import derive_products
from leadline.enrichers.amounts.rates import derive_lists, derive_rates
from leadline.enrichers.amounts.repeated_sizes import derive_held, derive_repeated_sizes
from leadline.enrichers.amounts.shares import derive_parts
from leadline.enrichers.amounts.splits import derive_splits
from leadline.enrichers.amounts.stocks import derive_stocks
from leadline.enrichers.amounts.subsets import derive_subsets
from leadline.enrichers.amounts.wholes import derive_groups, derive_pairs, derive_rest
from leadline.enrichers.learned.amount_facts import judged
from leadline.types import Constraint, Document, Enricher, Fact, Query

VERSION = 2


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
            yield document.id, tuple(self._facts(read_passage(document.content)))

    def constraints(self, queries: Sequence[Query]) -> list[tuple[Constraint, ...]]:
        return [tuple(_constraints(query.content)) for query in queries]

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
    _groups(ledger)
    derive_price_words(ledger)
    derive_collectives(ledger)
    derive_repeated_sizes(ledger)
    derive_held(ledger)
    derive_measures(ledger)
    derive_changes(ledger)
    derive_doses(ledger)
    derive_extents(ledger)
    if any(amount.sort == "m" for amount in passage.amounts):
        _of_money(ledger)
    derive_products(ledger)
    derive_rates(ledger)
    derive_pairs(ledger)
    derive_portions(ledger)
    derive_stocks(ledger)
    derive_contrasts(ledger)
    derive_paces(ledger)
    compare(ledger)
    derive_multiples(ledger)
    derive_parts(ledger)
    derive_groups(ledger)
    derive_splits(ledger)
    derive_rest(ledger)
    derive_conversions(ledger)
    derive_lists(ledger)
    derive_subsets(ledger)
    return ledger.entries


def _of_money(ledger: Ledger) -> None:
    rates = read_rates(ledger.passage)
    derive_interest(ledger)
    derive_priced_counts(ledger, rates)
    keep_accounts(ledger, rates)
    derive_price_gaps(ledger, rates)


_GROUP = re.compile(r"\b(?:dozen|gross|score)\b", re.IGNORECASE)


def _groups(ledger: Ledger) -> None:
    """Enter `a dozen eggs` as a number: what stands in the text is not the number."""
    for amount in ledger.passage.amounts:
        words = ledger.passage.text[amount.start : amount.end]
        if amount.sort == "n" and _GROUP.search(words):
            follows = re.match(
                r"(?: of)? (?!times\b|or\b|ways\b)[a-z]", ledger.passage.text[amount.end :]
            )
            is_mark = re.search(r"\bscore$", words.lower()) and re.match(
                r" of (?:\d|§|[a-z]+ (?:or|out)\b)", ledger.passage.text[amount.end :].lower()
            )
            is_told = len(words.split()) > 1 and words.split()[0].lower() not in ("a", "another")
            if not is_mark and (follows or is_told or words[0].isdigit()):
                ledger.derive(amount, amount.value, (amount,), f"{words} is {amount.value}")


def _key(amount: Amount) -> tuple[object, ...]:
    """Return what makes two amounts the same one."""
    return ("t" if amount.sort in "tc" else amount.sort, amount.value, amount.unit)


_BELOW = re.compile(
    r"(?:under|below|less than|cheaper than|at most|no more than|up to|max(?:imum)?(?: of)?"
    r"|fewer than|within) (?:a |an )?$"
)
_ABOVE = re.compile(
    r"(?:over|above|more than|at least|no less than|min(?:imum)?(?: of)?|exceeding) (?:a |an )?$"
)
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
