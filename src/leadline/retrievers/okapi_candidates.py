"""BM25 with statistics of a query's candidates only, as one published benchmark uses it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from leadline.errors import InputError
from leadline.types import (
    Candidates,
    Corpus,
    Index,
    Query,
    Retriever,
    Run,
    best_first,
    candidates_of,
    check_corpus,
)


def build(*, k1: float = 1.5, b: float = 0.75, epsilon: float = 0.25) -> Retriever:
    """Return what ranks given candidates, and cannot search a corpus.

    Words are what stands between spaces, in lower case. Rarity is measured among the candidates,
    so that scores of different queries never compare, and those of few candidates often tie.

    k1       saturation of term frequency, >= 0
    b        weight of document length, in [0, 1]
    epsilon  a word that most candidates have weighs this share of the mean weight, which may
             be negative; >= 0

    Raises InputError when a value is out of its range.
    Source: Lu et al., MultiConIR, whose code makes a BM25Okapi of rank_bm25 for each row.
    """
    if not k1 >= 0 or not 0 <= b <= 1 or not epsilon >= 0:
        raise InputError(
            "okapi_candidates takes k1 >= 0, b between 0 and 1 and epsilon >= 0, "
            f"got k1={k1}, b={b}, epsilon={epsilon}."
        )
    return _Okapi(k1, b, epsilon)


def okapi_scores(
    query: str,
    texts: Sequence[str],
    *,
    k1: float = 1.5,
    b: float = 0.75,
    epsilon: float = 0.25,
) -> list[float]:
    """Return the score of each text; without any word all are 0. See `build` for the options."""
    counts = [Counter(text.lower().split()) for text in texts]
    having = Counter(word for each in counts for word in each)
    total = sum(each.total() for each in counts)
    if not total:
        return [0.0] * len(texts)
    average = total / len(texts)
    # ln((N - n + 0.5) / (n + 0.5)), and for a negative one a share of the mean
    idf = {
        word: math.log(len(texts) - number + 0.5) - math.log(number + 0.5)
        for word, number in having.items()
    }
    floor = epsilon * sum(idf.values()) / len(idf)
    scores = [0.0] * len(texts)
    for word in query.lower().split():
        weight = floor if idf.get(word, 0.0) < 0 else idf.get(word, 0.0)
        for place, count in enumerate(counts):
            if count[word]:
                norm = k1 * (1 - b + b * count.total() / average)
                scores[place] += weight * count[word] * (k1 + 1) / (count[word] + norm)
    return scores


@dataclass(frozen=True, slots=True)
class _Okapi(Retriever):
    k1: float
    b: float
    epsilon: float
    name: str = "okapi_candidates"

    @property
    def settings(self) -> dict[str, Any]:
        return {"k1": self.k1, "b": self.b, "epsilon": self.epsilon}

    def index(self, corpus: Corpus) -> _Index:
        check_corpus(corpus)
        return _Index(self, corpus)


@dataclass(frozen=True, slots=True)
class _Index(Index):
    okapi: _Okapi
    corpus: Corpus

    def search(self, queries: Sequence[Query], k: int) -> Run:
        raise InputError(
            "okapi_candidates needs a benchmark with candidates. Use bm25:method=robertson to "
            "search a corpus."
        )

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        run: dict[str, dict[str, float]] = {}
        for query in queries:
            names = candidates_of(query, candidates, self.corpus)
            texts = [self.corpus[name].content for name in names]
            run[query.id] = best_first(
                names, okapi_scores(query.content, texts, **self.okapi.settings)
            )
        return run
