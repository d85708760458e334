"""What a corpus offers in exchange for a fact, and how common its words are."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from leadline.progress import track
from leadline.synthesis.dates import find_dates
from leadline.synthesis.names import find_names
from leadline.synthesis.quantities import find_quantities
from leadline.synthesis.sentences import split_sentences
from leadline.synthesis.tokens import tokens
from leadline.synthesis.values import WORD, Value
from leadline.types import Corpus, Document

MOST_DOCUMENTS = 20_000
MOST_CHARACTERS = 20_000
LONGEST_SENTENCE = 1_000
_MOST_VALUES = 40
_MOST_POOLS = 200_000


@dataclass(frozen=True)
class Pools:
    """Values of a corpus by what they may be exchanged for, and counts of its words.

    values     pool -> distinct values in it, at most 40
    frequency  token -> number of documents read that hold it
    written    word as written -> how often
    documents  number of documents read
    """

    values: dict[str, list[str]] = field(default_factory=dict)
    frequency: Counter[str] = field(default_factory=Counter)
    written: Counter[str] = field(default_factory=Counter)
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


def harvest(corpus: Corpus, *, seed: int = 0) -> Pools:
    """Read a corpus once, in order, for its values and its words.

    At most 20,000 documents are read (a seeded sample of a larger corpus) and 20,000 characters
    of each; a pool keeps a seeded sample of at most 40 distinct values.
    """
    rng = random.Random(f"{seed} pools")
    pools = Pools()
    seen: Counter[str] = Counter()
    documents = 0
    for document in track(_sample(corpus, rng), "reading values"):
        documents += 1
        text = document.text[:MOST_CHARACTERS]
        pools.frequency.update(set(tokens(f"{document.title} {text}")))
        pools.written.update(WORD.findall(text))
        for value in _values(text):
            for key in value.keys:
                _keep(pools.values, seen, key, value.text, rng)
    names = {key: kept for key, kept in pools.values.items() if not key.startswith("date|")}
    for key, kept in names.items():
        if key.startswith(("named|", "between|", "dosed|", "organisation|", "person|")):
            pools.values[key] = [v for v in kept if all(map(pools.is_name, WORD.findall(v)))]
    return Pools(pools.values, pools.frequency, pools.written, documents)


def find_values(text: str, start: int, end: int, pools: Pools | None) -> list[Value]:
    """Return the dates, quantities and names of text[start:end] that do not overlap.

    pools  what is known of the corpus; without, every capitalised word counts as a name
    """
    is_name = pools.is_name if pools else _anything
    found: list[Value] = []
    for value in (
        *find_dates(text, start, end),
        *find_quantities(text, start, end),
        *find_names(text, start, end, is_name),
    ):
        if all(value.end <= each.start or each.end <= value.start for each in found):
            found.append(value)
    return found


def _sample(corpus: Corpus, rng: random.Random) -> Iterator[Document]:
    if len(corpus) <= MOST_DOCUMENTS:
        yield from corpus.values()
        return
    chosen = set(rng.sample(range(len(corpus)), MOST_DOCUMENTS))
    for place, document_id in enumerate(corpus):
        if place in chosen:
            yield corpus[document_id]


def _values(text: str) -> Iterator[Value]:
    for sentence in split_sentences(text):
        if len(sentence.text) <= LONGEST_SENTENCE:
            yield from find_values(text, sentence.start, sentence.end, None)


def _anything(word: str) -> bool:
    return bool(word)


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
