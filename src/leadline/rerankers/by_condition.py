"""Rerank by the conditions of a query: each is held against the sentences of a document.

A document's score is the mean of how far each condition is met by the sentence that meets it best.
So a sentence that meets one more condition never lowers it, however many conditions there are, in
whatever order, and however much else the document says.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from leadline.progress import track
from leadline.rerankers.conditions.judging import Judge, by_retriever, by_verifier
from leadline.rerankers.conditions.splitting import (
    content_words,
    list_items,
    spans_of,
    split_query,
)
from leadline.types import (
    Candidates,
    Corpus,
    Document,
    Query,
    Reason,
    Reranker,
    Retriever,
    Run,
    best_first,
    candidates_of,
    scores_of,
)

_LONGEST = 6
"""Content words from which on a clause of prose counts no more."""


def build(
    scorer: Retriever | None = None, exact: bool = True, weights: str = "", cache: bool = True
) -> Reranker:
    """Return a reranker that splits a query into its conditions and checks each.

    scorer   a first stage that scores sentences for a condition, by the name people type: `bm25`,
             `minilm`, any system; by default a small network over the tokens of `minilm`, trained
             to tell a sentence that meets a condition from one that nearly does
    exact    a sentence that gives another number or month than a condition asks for counts less
    weights  other weights of the network, made by studies/learning/verifier
    cache    keep what the network reads of sentences on disk, for other runs

    A query that states a single condition keeps order and scores of the stage before.

    Raises MissingExtraError without torch and the package of `minilm`, unless a scorer is given.
    """
    if scorer is not None:
        return ByCondition(by_retriever(scorer, exact=exact))
    return ByCondition(by_verifier(weights, exact=exact, cache=cache))


@dataclass
class ByCondition(Reranker):
    """A reranker; `build` explains the options."""

    judge: Judge
    name: str = field(default="by_condition", init=False)

    @property
    def settings(self) -> dict[str, Any]:
        """Every option, and what judges."""
        return {"exact": self.judge.exact, **self.judge.settings}

    def rerank(self, queries: Sequence[Query], corpus: Corpus, candidates: Candidates) -> Run:
        """Score every candidate of a query with conditions; other queries stay as they are."""
        asked = {query.id: split_query(query.content) for query in queries}
        several = [query for query in queries if _is_several(query, asked[query.id])]
        named = {id: None for query in several for id in candidates_of(query, candidates, corpus)}
        spans = {id: spans_of(corpus[id]) for id in named}
        self._prepare([each for query in several for each in asked[query.id]], spans.values())
        run: dict[str, dict[str, float]] = {
            query.id: dict(scores_of(candidates.get(query.id, ()))) for query in queries
        }
        for query in track(several, "Checking conditions", total=len(several)):
            if ids := candidates.get(query.id, ()):
                degrees = self.judge.degrees(asked[query.id], [spans[id] for id in ids])
                weights = importance(query, asked[query.id])
                run[query.id] = best_first(ids, (degrees @ weights / sum(weights)).tolist())
        return run

    def explain(self, query: Query, documents: Sequence[Document]) -> dict[str, tuple[Reason, ...]]:
        """Return condition, sentence and verdict for every condition of a query."""
        conditions = split_query(query.content)
        spans = [spans_of(document) for document in documents]
        self._prepare(conditions, spans)
        reasons = self.judge.reasons(conditions, spans)
        return {document.id: each for document, each in zip(documents, reasons, strict=True)}

    def _prepare(self, conditions: Sequence[str], spans: Iterable[Sequence[str]]) -> None:
        texts = dict.fromkeys(span for each in spans for span in each)
        self.judge.prepare(list(dict.fromkeys(conditions)), list(texts))


def importance(query: Query, conditions: Sequence[str]) -> list[float]:
    """Return what each condition counts: items of a list the same, clauses by what they hold."""
    if list_items(query.content):
        return [1.0] * len(conditions)
    return [float(max(1, min(_LONGEST, content_words(each)))) for each in conditions]


def _is_several(query: Query, conditions: Sequence[str]) -> bool:
    """Tell whether a query has conditions to check: two, or one in the form of a list."""
    return len(conditions) > 1 or bool(list_items(query.content))
