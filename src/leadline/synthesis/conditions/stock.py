"""What the documents read offer in exchange for a value or a name."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from leadline.synthesis.english.parsing import text_of
from leadline.synthesis.english.places import PLACES
from leadline.synthesis.pools import Pools, harvest_values
from leadline.synthesis.words import STOP_WORDS, words_of

_TAGS = ("NN", "NNS", "JJ")
_VAGUE = words_of("others latter former several various such different same certain many own next")


@dataclass(frozen=True)
class Stock:
    """Values and names of parsed texts.

    values   numbers and dates by what they may be exchanged for
    places   listed places that the texts hold, in lower case
    counts   plain word in lower case -> how often the texts have it
    """

    values: Pools
    places: frozenset[str] = frozenset()
    counts: Mapping[str, int] = field(default_factory=dict)

    def names_like(self, name: str, kind: str, rng: random.Random) -> list[str]:
        """Return other places of a kind, those of the texts first, in a random order."""
        own = {word.casefold() for word in name.split()}
        alike = [place for place, each in PLACES.items() if each == kind]
        alike = [place for place in alike if not own & set(place.split())]
        alike = [p for p in alike if len(p.split()) == len(own)]
        mixed = rng.sample(alike, len(alike))
        mixed.sort(key=lambda place: place not in self.places)
        return [_cased(place, name) for place in mixed]


def stock_of(docs: Sequence[Any], seed: int) -> Stock:
    """Return the stock of parsed texts."""
    return Stock(
        values=harvest_values(map(text_of, docs), seed=seed),
        places=_held_places(docs),
        counts=Counter(token.lower_ for doc in docs for token in doc if is_plain_word(token)),
    )


def is_plain_word(token: Any) -> bool:
    """Tell whether a token is a noun or an adjective in small letters, and no name."""
    plain = token.tag_ in _TAGS and token.is_alpha and token.is_ascii and len(token) > 3
    return (
        plain
        and token.is_lower
        and not token.ent_type_
        and token.lower_ not in STOP_WORDS | _VAGUE
        and not _is_joined(token)
    )


def _is_joined(token: Any) -> bool:
    doc = token.doc
    before = doc[token.i - 1] if token.i else None
    if before is not None and not before.whitespace_ and not before.is_space:
        return before.text not in {"(", '"', "“", "'"}
    after = doc[token.i + 1].text if token.i + 1 < len(doc) else ""
    return not token.whitespace_ and after in {"-", "/", "'s", "’s"}


def _held_places(docs: Iterable[Any]) -> frozenset[str]:
    """Return the listed places of one or two words that the texts hold."""
    held: set[str] = set()
    for doc in docs:
        words = text_of(doc).lower().replace(".", " ").replace(",", " ").split()
        held |= PLACES.keys() & {*words, *map(" ".join, pairwise(words))}
    return frozenset(held)


def _cased(name: str, like: str) -> str:
    if like == like.lower():
        return name
    return name.upper() if like.isupper() and len(like) > 1 else name.title()
