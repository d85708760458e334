"""What a corpus offers in exchange for a fact, and how common its words are."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import TypeAlias

from leadline.data.parts import over_parts
from leadline.text.dates import find_dates
from leadline.text.quantities import find_quantities
from leadline.text.tokens import tokens
from leadline.text.values import WORD
from leadline.text.words import STOP_WORDS
from leadline.types import Corpus, Document

MOST_DOCUMENTS = 20_000
MOST_CHARACTERS = 20_000
_MOST_VALUES = 40
_MOST_POOLS = 200_000


@dataclass(frozen=True)
class Pools:
    """Values of a corpus by what they may be exchanged for, and counts of its words.

    values     pool -> distinct values in it, at most 40
    frequency  token -> number of documents read that hold it
    written    word as written -> how often, where it was asked for
    words, pairs  token, or two neighbours that are no function words -> number of texts read that
               hold them, titles left out, where they were asked for
    documents  number of documents read
    """

    values: dict[str, list[str]] = field(default_factory=dict)
    frequency: Counter[str] = field(default_factory=Counter)
    written: Counter[str] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    documents: int = 0

    def alike(self, key: str) -> list[str]:
        """Return the values in a pool."""
        return self.values.get(key, [])

    def rarity(self, token: str) -> float:
        """Return 1 for a token of one document, falling to 0 for one of every document."""
        if self.documents < 2:
            return 1.0
        share = min(1.0, max(0, self.frequency[token] - 1) / self.documents)
        return 1.0 - math.sqrt(share)

    def is_name(self, word: str) -> bool:
        """Tell whether the corpus writes the word with a capital and hardly ever without."""
        return self.written[word.lower()] * 10 <= self.written[word]


Harvested: TypeAlias = Callable[[], Pools]
"""Counts the words of a corpus when it is first called, for whoever needs them."""


def harvest(corpus: Corpus, *, seed: int = 0, written: bool = False, pairs: bool = False) -> Pools:
    """Read a corpus once, in order, and count in how many documents its words stand.

    At most 20,000 documents are read (a seeded sample of a larger corpus) and 20,000 characters
    of each.
    written  whether to count words as written too, by which names are told
    pairs    whether to count words and pairs of neighbours of texts alone too
    """
    rng = random.Random(f"{seed} pools")
    pools = Pools()
    for part in over_parts(
        partial(_counted, written, pairs), corpus, "counting words", _sample(corpus, rng)
    ):
        pools.frequency.update(part.frequency)
        pools.written.update(part.written)
        pools.words.update(part.words)
        pools.pairs.update(part.pairs)
    return replace(pools, documents=min(len(corpus), MOST_DOCUMENTS))


def _counted(written: bool, pairs: bool, documents: Iterable[Document]) -> Pools:
    """Count the words of some documents."""
    pools = Pools()
    for document in documents:
        text = document.text[:MOST_CHARACTERS]
        pools.frequency.update(set(tokens(f"{document.title} {text}")))
        if written:
            pools.written.update(WORD.findall(text))
        if pairs:
            found = tokens(text)
            pools.words.update(set(found))
            beside = {each for each in pairwise(found) if not STOP_WORDS.intersection(each)}
            pools.pairs.update(beside)
    return pools


def harvest_values(texts: Iterable[str], *, seed: int = 0) -> Pools:
    """Return the numbers and dates of texts; a pool keeps a seeded sample of at most 40."""
    rng = random.Random(f"{seed} values")
    pools = Pools()
    seen: Counter[str] = Counter()
    for text in texts:
        held = text[:MOST_CHARACTERS]
        for value in (*find_dates(held, 0, len(held)), *find_quantities(held, 0, len(held))):
            for key in value.keys:
                _keep(pools.values, seen, key, value.text, rng)
    return pools


def _sample(corpus: Corpus, rng: random.Random) -> list[str] | None:
    """Return the documents to read, None for all."""
    if len(corpus) <= MOST_DOCUMENTS:
        return None
    chosen = set(rng.sample(range(len(corpus)), MOST_DOCUMENTS))
    return [name for place, name in enumerate(corpus) if place in chosen]


def _keep(
    values: dict[str, list[str]], seen: Counter[str], key: str, text: str, rng: random.Random
) -> None:
    """Sample a pool as its values come by (reservoir sampling over occurrences)."""
    if key not in values and len(values) >= _MOST_POOLS:
        return
    kept = values.setdefault(key, [])
    if text in kept:
        return
    seen[key] += 1
    if len(kept) < _MOST_VALUES:
        kept.append(text)
        return
    place = rng.randrange(seen[key])
    if place < _MOST_VALUES:
        kept[place] = text
