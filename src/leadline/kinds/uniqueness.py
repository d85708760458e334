"""Find other documents that also answer queries made from documents.

This takes one pass over a corpus of any size.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar

from leadline.benchmark import Benchmark
from leadline.data.spreading import over_parts, that_may
from leadline.kinds.kind import Kind
from leadline.text.tokens import LONGEST, content_tokens, tokens
from leadline.types import Corpus, Document, Query

_PIECE = re.compile(r"[a-z]+|[0-9]+")


def _alone(kept: bytes) -> bytes:
    """Return a table for `bytes.translate`: small letters for capitals, spaces for the rest."""
    small = (bytes([each]).lower() for each in range(256))
    return b"".join(each if each in kept else b" " for each in small)


_LETTERS = _alone(b"abcdefghijklmnopqrstuvwxyz")
_DIGITS = _alone(b"0123456789")


@dataclass(frozen=True, slots=True)
class CaseFilter:
    """Pieces of ASCII of the tokens of cases, one of which a text must hold, and enough in all.

    by_piece  piece -> places of the cases of which a match holds it, where it may be looked up
    pieces    of each case, with how many of its tokens have it
    least     how many of these tokens each case needs
    is_blind  some token that is looked up has no such piece, or is cut: nothing can be told
    """

    by_piece: Mapping[bytes, Sequence[int]]
    pieces: Sequence[Mapping[bytes, int]]
    least: Sequence[int]
    is_blind: bool = False

    @classmethod
    def of(
        cls,
        cases: Sequence[Sequence[str]],
        by_token: Mapping[str, Sequence[int]],
        needed: Sequence[int],
    ) -> CaseFilter:
        """Return the filter of cases; `needed`: how many tokens of each a match holds.

        A text that matches a case holds one of the tokens that `by_token` has for it.
        """
        by_piece: dict[bytes, list[int]] = {}
        for token, places in by_token.items():
            by_piece.setdefault(_piece(token), []).extend(places)
        pieces = [Counter(map(_piece, tokens)) for tokens in cases]
        least = [count - each.pop(b"", 0) for count, each in zip(needed, pieces, strict=True)]
        return cls(by_piece, pieces, least, b"" in by_piece)

    def may_match(self, text: bytes) -> bool:
        """Return False only where a text matches no case; it is case-folded, or ASCII as it is."""
        if self.is_blind:
            return True
        words = text.translate(_LETTERS).split()
        numbers = text.translate(_DIGITS).split()
        keys = self.by_piece.keys()
        if keys.isdisjoint(words) and keys.isdisjoint(numbers):
            return False
        held = {*words, *numbers}
        return any(self._may_be(place, held) for each in keys & held
                   for place in self.by_piece[each])  # fmt: skip

    def _may_be(self, place: int, held: set[bytes]) -> bool:
        found = sum(count for piece, count in self.pieces[place].items() if piece in held)
        return found >= self.least[place]


def _piece(token: str) -> bytes:
    """Return a run of letters or digits that stands in every text which holds the token.

    Empty where it has none in ASCII, or is cut and might end within a run.
    """
    runs = _PIECE.findall(token) if len(token) < LONGEST else ()
    return max(runs, key=len, default="").encode()


SHARE = 0.9
"""A document matches a case when it holds this share of the case's content tokens."""

MOST = 5
"""Matches of a case that are named."""


@dataclass(frozen=True, slots=True)
class Case:
    """Content tokens of a query, and the document it was made from."""

    tokens: tuple[str, ...]
    source: str


def find_matches(
    cases: Sequence[Case], corpus: Corpus, frequency: Mapping[str, int]
) -> dict[int, list[str]]:
    """Return, by place of a case, the other documents that match it (the first five).

    Every document is read once, title and text. A case is looked up by its rarest tokens: by so
    many that a document which matches must hold one of them. A case without tokens has no match.
    """
    by_token: dict[str, list[int]] = {}
    for place, case in enumerate(cases):
        may_miss = len(case.tokens) - _needed(case)
        rarest = sorted(case.tokens, key=lambda token: (frequency.get(token, 0), token))
        for token in rarest[: may_miss + 1]:
            by_token.setdefault(token, []).append(place)
    needed = [_needed(case) for case in cases]
    quick = CaseFilter.of([case.tokens for case in cases], by_token, needed)
    matches: dict[int, list[str]] = {}
    reading = partial(_matches, cases, by_token, quick)
    for found in over_parts(reading, corpus, "looking for second answers"):
        for place, names in found.items():
            known = matches.setdefault(place, [])
            known += [name for name in names if name not in known][: MOST - len(known)]
    return matches


def _matches(
    cases: Sequence[Case],
    by_token: Mapping[str, Sequence[int]],
    quick: CaseFilter,
    documents: Iterable[Document],
) -> dict[int, list[str]]:
    """Return the documents that match, by place of the case."""
    matches: dict[int, list[str]] = {}
    for document in that_may(quick.may_match, documents):
        held = set(tokens(document.content))
        for token in sorted(held & by_token.keys()):
            for place in by_token[token]:
                case = cases[place]
                if case.source != document.id and _holds(held, case):
                    found = matches.setdefault(place, [])
                    if document.id not in found and len(found) < MOST:
                        found.append(document.id)
    return matches


def _needed(case: Case) -> int:
    return math.ceil(SHARE * len(case.tokens))


def _holds(held: set[str], case: Case) -> bool:
    may_miss = len(case.tokens) - _needed(case)
    missing = 0
    for token in case.tokens:
        if token not in held:
            missing += 1
            if missing > may_miss:
                return False
    return True


_MOST_OTHERS = 4  # documents besides its own that may answer a query
_MOST_TRIES, _AT_ONCE = 10, 500  # documents that are read for each that is wanted, and at a time


class Asked(Protocol):
    """A query, and the document that it was made from as its topic."""

    @property
    def text(self) -> str:
        """The query."""
        ...

    @property
    def topic(self) -> str:
        """The document."""
        ...


A = TypeVar("A", bound=Asked)


def ask_documents(
    corpus: Corpus,
    ask: Callable[[Document], Sequence[A]],
    frequency: Mapping[str, int],
    dropped: Counter[str],
    *,
    limit: int,
    rng: random.Random,
    answers: Callable[[str, Document], bool] = lambda _, __: True,
) -> tuple[list[tuple[A, tuple[str, ...]]], int]:
    """Return queries of at most `limit` documents taken at random, and how many were looked at.

    Each comes with the other documents that hold (nearly) all its words and `answers` accepts; one
    with more than four is dropped, since nobody can tell what answers it.
    """
    ids = rng.sample(list(corpus), min(len(corpus), limit * _MOST_TRIES + _AT_ONCE))
    kept: list[tuple[A, tuple[str, ...]]] = []
    topics: set[str] = set()
    considered = 0
    for start in range(0, len(ids), _AT_ONCE):
        batch = ids[start : start + _AT_ONCE]
        considered += len(batch)
        asked = [each for id in batch for each in ask(corpus[id])]
        cases = [Case(tuple(content_tokens(each.text)), each.topic) for each in asked]
        matches = find_matches(cases, corpus, frequency)
        for place, each in enumerate(asked):
            others = [id for id in matches.get(place, ()) if answers(each.text, corpus[id])]
            if len(others) > _MOST_OTHERS:
                dropped["many documents hold the words of a query"] += 1
            elif len(topics) < limit or each.topic in topics:
                kept.append((each, tuple(others)))
                topics.add(each.topic)
        if len(topics) >= limit:
            break
    return kept, considered


def benchmark_of(
    kind: Kind,
    corpus: Corpus,
    kept: Sequence[tuple[Query, Sequence[str]]],
    dropped: Mapping[str, int],
    *,
    source: str,
    notes: tuple[str, ...] = (),
    **built: Any,
) -> Benchmark:
    """Return the benchmark of queries and the other documents that answer each.

    built  what else its record holds, before the counts of topics kept and of what was dropped
    """
    return Benchmark(
        name=kind.name,
        corpus=corpus,
        queries=[query for query, _ in kept],
        qrels={query.id: dict.fromkeys((query.topic, *others), 1) for query, others in kept},
        source=source,
        built_by="rules",
        notes=notes,
        **kind.measured(),
        built={
            **built,
            "kept": len({query.topic for query, _ in kept}),
            "dropped": {why: n for why, n in sorted(dropped.items()) if n},
        },
    )


def draw_documents(
    corpus: Corpus, limit: int, seed: str, dropped: Counter[str], why_not: Callable[[Document], str]
) -> list[Document]:
    """Return at most `limit` documents in the order of the seed, without those that will not do.

    why_not  why a document will not do, counted in `dropped`; empty where it will
    """
    drawn: list[Document] = []
    for id in random.Random(seed).sample(list(corpus), len(corpus)):
        if len(drawn) == limit:
            break
        if reason := why_not(corpus[id]):
            dropped[reason] += 1
        else:
            drawn.append(corpus[id])
    return drawn
