"""Which phrases of a corpus name something: their words keep each other's company."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

from leadline.kinds.pools import Pools
from leadline.text.tokens import content_tokens, tokens

_FEWEST = 2  # documents that must hold a pair: what only one has may be an accident
_ENOUGH = 3  # documents that make a pair a term, if ...
_SHARE, _LEAST_SHARE = (
    0.12,
    0.02,
)  # the rarer word stands beside the other in such a share of its own
_COMMON = 8  # the commoner word of a pair: in at most one of so many documents ...
_FEW = 5  # ... though in few documents none is common


@dataclass(frozen=True)
class Terms:
    """In how many documents each word and each pair of neighbours stands."""

    words: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    documents: int = 0

    def is_term(self, phrase: str) -> bool:
        """Tell whether a phrase of two or more words is the name of a thing in this corpus.

        `sonic line`: where a document says *sonic*, *line* often stands behind. `single dance`
        is found once; in `information staff` each word mostly goes with others.
        """
        found = tokens(phrase)
        return len(found) > 1 and all(self._are_joined(pair) for pair in pairwise(found))

    def is_common(self, phrase: str) -> bool:
        """Tell whether a word of a phrase stands in too many documents to be asked for."""
        most = max(_FEW, self.documents / _COMMON)
        return any(self.words[word] > most for word in content_tokens(phrase))

    def _are_joined(self, pair: tuple[str, str]) -> bool:
        together = self.pairs[pair]
        share = together / max(1, min(self.words[word] for word in pair))
        return together >= _FEWEST and share >= (_LEAST_SHARE if together >= _ENOUGH else _SHARE)


def terms_of(pools: Pools) -> Terms:
    """Return the terms of a corpus of which words and pairs were counted."""
    return Terms(pools.words, pools.pairs, pools.documents)
