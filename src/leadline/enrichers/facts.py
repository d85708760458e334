"""All that the rules derive: dates and times, amounts and, with a table of names, places."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import tee

from leadline.enrichers.cues import ANYTHING, NUMBER, PLACE, cues
from leadline.enrichers.kept import kept
from leadline.enrichers.merging import merged
from leadline.types import Constraint, Document, Enricher, Fact, Query

_RULES = ("temporal", "quantities")


def build(*, places: str = "", cache: bool = True) -> Enricher:
    """Return the enricher that joins all rules.

    places  a gazetteer: a file with name, tab, kind of place, tab, ISO 3166-1 country code; the
            names of countries are known without it
    cache   keep what is derived on disk and reuse it for the same text

    Raises InputError when the gazetteer cannot be read.
    """
    rules = [importlib.import_module(f"leadline.enrichers.{name}").build() for name in _RULES]
    rules.append(importlib.import_module("leadline.enrichers.places").build(table=places))
    needed = (NUMBER,) * len(_RULES) + (PLACE,)
    return _Joined(tuple(kept(each) if cache else each for each in rules), needed)


def joined(providers: Sequence[Enricher], *, cache: bool = True) -> Enricher:
    """Return one enricher for several: facts merged, constraints that say the same kept once.

    cache  keep on disk what each derives; those that are joined already stay as they are
    """
    flat: list[Enricher] = []
    needed: list[int] = []
    for each in providers:
        if isinstance(each, _Joined):
            flat += each.providers
            needed += each.needed
        else:
            flat.append(kept(each) if cache else each)
            needed.append(ANYTHING)
    return _Joined(tuple(flat), tuple(needed))


@dataclass(frozen=True)
class _Joined:
    """Joins providers; each is asked for constraints only where a query holds a cue it needs."""

    providers: tuple[Enricher, ...]
    needed: tuple[int, ...]

    @property
    def name(self) -> str:
        return "+".join(provider.name for provider in self.providers)

    def facts(self, documents: Iterable[Document]) -> Iterator[tuple[str, tuple[Fact, ...]]]:
        streams = tee(map(_titled, documents), len(self.providers))
        lists = (
            provider.facts(stream) for provider, stream in zip(self.providers, streams, strict=True)
        )
        for found in zip(*lists, strict=True):
            yield found[0][0], merged(fact for _, facts in found for fact in facts)

    def constraints(self, queries: Sequence[Query]) -> list[tuple[Constraint, ...]]:
        held = [cues(query.content) for query in queries]
        found: list[list[Constraint]] = [[] for _ in queries]
        for provider, needed in zip(self.providers, self.needed, strict=True):
            asking = [
                place for place, each in enumerate(held) if each & needed or needed == ANYTHING
            ]
            if asking:
                some = provider.constraints([queries[place] for place in asking])
                for place, constraints in zip(asking, some, strict=True):
                    found[place] += constraints
        return [_distinct(each) if each else () for each in found]


def _titled(document: Document) -> Document:
    """Put the title on a line of its own, so that a line of the text still begins where it did.

    What stands where is the same as in `document.content`.
    """
    if not document.title:
        return document
    return Document(document.id, f"{document.title}\n{document.text}")


def _distinct(constraints: Sequence[Constraint]) -> tuple[Constraint, ...]:
    """Drop a constraint whose words another one reads more of: the day within a date and hour."""
    if len(constraints) < 2:
        return tuple(constraints)
    ordered = sorted(constraints, key=lambda each: (each.span[0], -each.span[1]))
    chosen: list[Constraint] = []
    for constraint in ordered:
        start, end = constraint.span
        inside = any(
            other.span[0] <= start and end <= other.span[1] and other.span != constraint.span
            for other in constraints
        )
        if not inside and constraint not in chosen:
            chosen.append(constraint)
    return tuple(chosen)
