"""Derive facts of a corpus by rules, in parts that workers can share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from leadline.data.spreading import over_parts
from leadline.types import Corpus, Document, Enricher, Fact
from leadline_facts.facts import build

_DOCUMENTS = 100
"""Documents of a part: one takes some milliseconds."""


@dataclass(frozen=True)
class RuleFacts:
    """Derives facts by rules alone; it travels as its options, and each worker loads it once.

    places, learned  as for `facts.build`
    """

    places: str = ""
    learned: bool = True

    @cached_property
    def enricher(self) -> Enricher:
        """The enricher itself."""
        return build(places=self.places, learned=self.learned)

    def check(self) -> None:
        """Read the table of places, so that workers find it kept. Raises what `build` raises."""
        _ = self.enricher

    def over(self, corpus: Corpus) -> Iterator[tuple[Document, tuple[Fact, ...]]]:
        """Yield every document with its facts, in the order of the corpus."""
        for part in over_parts(self.of, corpus, "Documents", most=_DOCUMENTS):
            yield from part

    def of(self, documents: Iterable[Document]) -> list[tuple[Document, tuple[Fact, ...]]]:
        """Return some documents with their facts."""
        some = list(documents)
        found = (facts for _, facts in self.enricher.facts(some))
        return list(zip(some, found, strict=True))

    def __reduce__(self) -> tuple[type[RuleFacts], tuple[str, bool]]:
        return RuleFacts, (self.places, self.learned)
