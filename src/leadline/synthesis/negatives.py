"""Hard negatives: documents that a first stage ranks high for a query that they do not answer."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from leadline.benchmark import of_corpus
from leadline.errors import InputError
from leadline.text.tokens import normalised
from leadline.types import Corpus, Qrels, Query, Retriever, Run

Choice = Literal["top", "random"]


@dataclass(frozen=True)
class Mined:
    """Hard negatives of each query, hardest first, and what was left out.

    negatives  query id -> document ids; a query without any is there with none
    dropped    reason -> how many documents above the depth were left out for it
    """

    negatives: Mapping[str, tuple[str, ...]]
    dropped: Mapping[str, int] = field(default_factory=dict)


def mine_negatives(
    queries: Sequence[Query],
    qrels: Qrels,
    corpus: Corpus,
    retriever: Retriever,
    *,
    count: int = 5,
    depth: int = 50,
    margin: float = 0.05,
    choice: Choice = "top",
    seed: int = 0,
) -> Mined:
    """Return hard negatives that a retriever finds.

    qrels   grades above 0 are positives; every document that is judged at all for a query, or for
            another variant of its topic, with such a grade is never a negative of it
    count   most negatives a query
    depth   how many documents of a ranking are looked at
    margin  share of the positive's score that a negative must stay below it: documents that score
            higher are likely answers that nobody judged. 0 takes everything below the positive;
            a negative number lets documents above it in.
    choice  `top` takes the best-ranked, `random` draws from the depth by the seed

    A query whose positives are scored by the retriever uses the best of them. Texts that equal a
    positive's are left out. Raises InputError for a query without a positive, and for numbers out
    of range.
    """
    qrels = of_corpus(qrels, corpus)
    _check(queries, qrels, count, depth, margin, choice)
    positives = _positives(queries, qrels)
    index = retriever.index(corpus)
    run = index.search(queries, depth)
    scores = index.score(queries, {query.id: sorted(positives[query.id]) for query in queries})
    dropped: Counter[str] = Counter()
    negatives = {}
    for query in queries:
        kept = _below_positive(query, positives[query.id], run, scores, corpus, margin, dropped)
        if choice == "random":
            drawn = set(random.Random(f"{seed} {query.id}").sample(kept, min(count, len(kept))))
            kept = [name for name in kept if name in drawn]
        negatives[query.id] = tuple(kept[:count])
    return Mined(negatives, dict(sorted(dropped.items())))


def _below_positive(
    query: Query,
    positives: set[str],
    run: Run,
    scores: Run,
    corpus: Corpus,
    margin: float,
    dropped: Counter[str],
) -> list[str]:
    """Return the documents found that are safely below the positives, best first."""
    own = scores[query.id]
    best = max(own[name] for name in positives)
    ceiling = best - margin * abs(best)
    same = {normalised(corpus[name].content) for name in positives}
    kept = []
    for name, score in run.get(query.id, {}).items():
        if name in positives:
            continue
        if score > ceiling or (score == ceiling and margin > 0):
            dropped["too close to the positive, maybe an answer"] += 1
        elif normalised(corpus[name].content) in same:
            dropped["same text as the positive"] += 1
        else:
            kept.append(name)
    return kept


def _positives(queries: Sequence[Query], qrels: Qrels) -> dict[str, set[str]]:
    by_topic: dict[str, set[str]] = {}
    for query in queries:
        relevant = {name for name, grade in qrels.get(query.id, {}).items() if grade > 0}
        by_topic.setdefault(query.topic or query.id, set()).update(relevant)
    return {query.id: by_topic[query.topic or query.id] for query in queries}


def _check(
    queries: Sequence[Query], qrels: Qrels, count: int, depth: int, margin: float, choice: str
) -> None:
    for name, value in (("count", count), ("depth", depth)):
        if value < 1:
            raise InputError(f"{name} of hard negatives must be at least 1, got {value}.")
    if not margin < 1:
        raise InputError(f"The margin of hard negatives must be below 1, got {margin}.")
    if choice not in ("top", "random"):
        raise InputError(f"choice must be 'top' or 'random', got {choice!r}.")
    for query_id, relevant in _positives(queries, qrels).items():
        if not relevant:
            raise InputError(
                f"Query {query_id!r} has no relevant document, so it can have no hard negatives. "
                "Leave it out or judge it."
            )
