"""Derive all facts (dates, times, amounts, places) by rules and, if named, by a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import tee
from typing import Any

from leadline.llm.opening import ModelPlace, takes_model
from leadline.types import Constraint, Document, Enricher, Fact, Query
from leadline_facts.cues import AMOUNT, ANYTHING, PLACE, TIME, cues
from leadline_facts.kept import kept
from leadline_facts.merging import merged

_NOTHING = 0
"""What a provider needs in a query that is never asked for constraints."""


@takes_model
def build(
    place: ModelPlace,
    *,
    places: str = "",
    learned: bool = True,
    window: int = 2000,
    max_tokens: int = 4096,
    cache: bool = True,
) -> Enricher:
    """Return the enricher that joins all rules and, where one is named, a language model.

    places  a gazetteer: a file with name, tab, kind of place, tab, ISO 3166-1 country code; the
            names of countries are known without it
    learned let a small network, trained on many short texts, doubt what rules derive of amounts and
            add what it reads; False for the rules alone
    place, window, max_tokens
            of a language model that is asked for facts, too, as for `by_llm`; none by default
    cache   keep what is derived, and answers of an endpoint, on disk for the same text

    Raises InputError when the gazetteer cannot be read or the model does not fit.
    """
    from leadline_facts import places as atlas
    from leadline_facts import quantities, temporal

    rules = [temporal.build(), quantities.build(learned=learned), atlas.build(table=places)]
    needed = (TIME, AMOUNT, PLACE)
    providers = tuple(kept(each) if cache else each for each in rules)
    if place.model or place.llm or place.llm_model:
        from leadline_facts import by_llm

        asking = by_llm.asking(replace(place, cache=cache), window, max_tokens)
        return _Joined((*providers, asking), (*needed, _NOTHING))
    return _Joined(providers, needed)


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
            # the answers of a model are kept, so that one that failed is asked for again
            flat.append(kept(each) if cache and not hasattr(each, "llm") else each)
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

    @property
    def llm(self) -> Any:
        """The language model that is asked, None where there is none."""
        models = (getattr(provider, "llm", None) for provider in self.providers)
        return next((model for model in models if model is not None), None)

    @property
    def failures(self) -> Mapping[str, int]:
        """What went wrong so far, by kind, in all providers."""
        found: Counter[str] = Counter()
        for provider in self.providers:
            found.update(getattr(provider, "failures", {}))
        return found

    def facts(self, documents: Iterable[Document]) -> Iterator[tuple[str, tuple[Fact, ...]]]:
        streams = tee(map(_titled, documents), len(self.providers))
        lists = (
            provider.facts(stream) for provider, stream in zip(self.providers, streams, strict=True)
        )
        for found in zip(*lists, strict=True):
            yield found[0][0], merged(fact for _, facts in found for fact in facts)

    def constraints(self, queries: Sequence[Query]) -> list[tuple[Constraint, ...]]:
        found: list[tuple[Constraint, ...]] = [()] * len(queries)
        held = {place: some for place, query in enumerate(queries) if (some := cues(query.content))}
        for provider, needed in zip(self.providers, self.needed, strict=True):
            asking = [place for place, some in held.items() if some & needed]
            if needed == ANYTHING:
                asking = list(range(len(queries)))
            if asking:
                answers = provider.constraints([queries[place] for place in asking])
                for place, constraints in zip(asking, answers, strict=True):
                    found[place] = (*found[place], *constraints)
        return [_distinct(each) if len(each) > 1 else each for each in found]


def _titled(document: Document) -> Document:
    """Put the title on a line of its own, so that a line of the text still begins where it did.

    What stands where is the same as in `document.content`.
    """
    if not document.title:
        return document
    return Document(document.id, f"{document.title}\n{document.text}")


def _distinct(constraints: Sequence[Constraint]) -> tuple[Constraint, ...]:
    """Drop a constraint whose words another one reads more of: the day within a date and hour."""
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
