"""Count how common the words of a corpus are."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import TypeAlias

from leadline.data.spreading import over_parts
from leadline.text.tokens import tokens
from leadline.text.words import STOP_WORDS
from leadline.types import Corpus, Document

MOST_DOCUMENTS = 20_000
MOST_CHARACTERS = 20_000


@dataclass(frozen=True)
class Pools:
    """Counts of the words of a corpus.

    frequency  token -> number of documents read that hold it
    words, pairs  token, or two neighbours that are no function words -> number of texts read that
               hold them, titles left out, where they were asked for
    documents  number of documents read
    """

    frequency: Counter[str] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    documents: int = 0

    def rarity(self, token: str) -> float:
        """Return 1 for a token of one document, falling to 0 for one of every document."""
        if self.documents < 2:
            return 1.0
        share = min(1.0, max(0, self.frequency[token] - 1) / self.documents)
        return 1.0 - math.sqrt(share)


Harvested: TypeAlias = Callable[[], Pools]
"""Counts the words of a corpus when it is first called, for whoever needs them."""


def harvest(corpus: Corpus, *, seed: int = 0, pairs: bool = False) -> Pools:
    """Read a corpus once, in order, and count in how many documents its words stand.

    At most 20,000 documents are read (a seeded sample of a larger corpus) and 20,000 characters
    of each. `pairs` counts words and pairs of neighbours of texts alone, too.
    """
    rng = random.Random(f"{seed} pools")
    pools = Pools()
    for part in over_parts(
        partial(_counted, pairs), corpus, "counting words", _sample(corpus, rng)
    ):
        pools.frequency.update(part.frequency)
        pools.words.update(part.words)
        pools.pairs.update(part.pairs)
    return replace(pools, documents=min(len(corpus), MOST_DOCUMENTS))


def _counted(pairs: bool, documents: Iterable[Document]) -> Pools:
    """Count the words of some documents."""
    pools = Pools()
    for document in documents:
        text = document.text[:MOST_CHARACTERS]
        pools.frequency.update(set(tokens(f"{document.title} {text}")))
        if pairs:
            found = tokens(text)
            pools.words.update(set(found))
            beside = {each for each in pairwise(found) if not STOP_WORDS.intersection(each)}
            pools.pairs.update(beside)
    return pools


def _sample(corpus: Corpus, rng: random.Random) -> list[str] | None:
    """Return the documents to read, None for all."""
    if len(corpus) <= MOST_DOCUMENTS:
        return None
    chosen = set(rng.sample(range(len(corpus)), MOST_DOCUMENTS))
    return [name for place, name in enumerate(corpus) if place in chosen]
