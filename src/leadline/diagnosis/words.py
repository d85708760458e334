"""Content words, and which words of a corpus belong to the theme of a query."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from leadline.metrics.stemming import stem
from leadline.text.letters import WORD, comparable

MOST_DOCUMENTS = 20_000
"""Documents that statistics are taken from: the first ones of a larger corpus."""
MOST_TERMS = 20
_FEWEST = 3
_LIFT = 2.0
_ABOUT = 0.5

_WORD = re.compile(WORD)
_COMMONEST = (
    "a about after all also am an and any are as at be because been before being both but by can "
    "could did do does doing down during each few for from further had has have having he her here "
    "hers him his how i if in into is it its just me more most my no nor not now of off on once "
    "only or other our out over own s same she should so some such t than that the their them then "
    "there these they this those through to too under until up very was we were what when where "
    "which while who whom whose why will with would you your"
)
_STOP = frozenset(_COMMONEST.split())


def content_words(text: str) -> list[str]:
    """Return the stems of all words but the commonest of English, in order."""
    return [_stem(word) for word in _WORD.findall(comparable(text)) if word not in _STOP]


@dataclass(frozen=True)
class Statistics:
    """Which words occur in which documents of a corpus."""

    documents: tuple[frozenset[str], ...]
    frequency: Counter[str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Statistics:
        """Count the words of the first texts."""
        documents = tuple(frozenset(content_words(text)) for text in islice(texts, MOST_DOCUMENTS))
        return cls(documents, Counter(word for words in documents for word in words))

    def theme(self, words: Collection[str]) -> tuple[str, ...]:
        """Return the words that go with the given ones, none of them, the strongest first.

        A word goes with them when it is at least twice as frequent in the documents about them
        as it is everywhere. A document is about them when the words that it holds weigh at least
        half as much as those of the document that holds most; the rarer a word the more it weighs.
        """
        weights = {word: self._weight(word) for word in words if word in self.frequency}
        held = [sum(weights[word] for word in weights if word in each) for each in self.documents]
        most = max(held, default=0.0)
        near = [
            each
            for each, weight in zip(self.documents, held, strict=True)
            if weight and weight >= _ABOUT * most
        ]
        together = Counter(word for each in near for word in each if word not in weights)
        strength = {}
        for word, count in together.items():
            lift = count * len(self.documents) / (len(near) * self.frequency[word])
            if count >= _FEWEST and lift >= _LIFT:
                strength[word] = count * math.log(lift)
        return tuple(sorted(strength, key=lambda word: (-strength[word], word))[:MOST_TERMS])

    def _weight(self, word: str) -> float:
        return math.log(len(self.documents) / self.frequency[word])


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    return stem(word) if len(word) > 3 else word
