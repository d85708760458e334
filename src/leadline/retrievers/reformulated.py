"""Search with all rephrasings of a query at once: by their centroid, or the best of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from leadline.errors import InputError
from leadline.metrics.topics import by_topic, original_of
from leadline.models.encoder import Embedder, embed
from leadline.retrievers.parts.store import EncodedCorpus, embedder
from leadline.types import (
    Candidates,
    Corpus,
    Index,
    Query,
    Retriever,
    Run,
    best_first,
)


def build(model: str | Embedder, *, how: Literal["centroid", "best"] = "centroid") -> Retriever:
    """Return a retriever that reads the rephrasings of a query from its topic.

    The query with facet kind=original (or mode=original) is answered with all queries of its
    topic, itself among them. Every other query is answered alone, and so is an original that
    comes without its topic.

    model  an encoder: a system of the catalog, a name on the hub or a folder; for how=best also
           `bm25`
    how    centroid searches with the mean of the embeddings, best gives a document the highest
           score that it has with any

    Raises InputError for a centroid of words, and what `dense.build` raises.
    Source: Campese et al., Improving Document Retrieval Coherence, the baselines Centroid and Best.
    """
    if model != "bm25":
        inner: Any = embedder(model)
        return _Centroid(inner) if how == "centroid" else _Best(inner)
    if how == "centroid":
        raise InputError("bm25 has no embeddings for a centroid. Use how=best.")
    from leadline.retrievers import bm25

    return _Best(bm25.build())


def members_of(queries: Sequence[Query]) -> list[list[Query]]:
    """Return the queries that each query is answered with, itself first."""
    topics = by_topic(queries)
    originals = {
        original.id: members
        for members in topics.values()
        if (original := original_of(members)) is not None
    }
    return [
        [query, *(each for each in originals.get(query.id, ()) if each.id != query.id)]
        for query in queries
    ]


@dataclass(frozen=True, slots=True)
class _Centroid(Retriever):
    """Searches with the mean of a topic's embeddings, which is not brought to length 1."""

    encoder: Embedder
    name: str = "centroid"

    @property
    def settings(self) -> dict[str, Any]:
        return {"how": "centroid", "encoder": self.encoder.settings}

    def index(self, corpus: Corpus) -> Index:
        from leadline.retrievers.parts.search import VectorIndex

        def spans(texts: list[str]) -> Any:
            rows = self.encoder.rows(texts, "document")
            return np.stack([rows, rows + 1], axis=1)

        return VectorIndex(EncodedCorpus(corpus, spans), self.encoder.vectors, self._centroids)

    def _centroids(self, queries: Sequence[Query]) -> Any:
        vectors = embed(self.encoder, [query.content for query in queries], "query")
        of_query = {query.id: vector for query, vector in zip(queries, vectors, strict=True)}
        return np.stack(
            [
                np.mean([of_query[each.id] for each in members], axis=0, dtype=np.float32)
                for members in members_of(queries)
            ]
        )


@dataclass(frozen=True, slots=True)
class _Best(Retriever):
    """Gives a document its highest score with any query of the topic, see `build`."""

    retriever: Retriever

    @property
    def name(self) -> str:
        return f"best({self.retriever.name})"

    @property
    def settings(self) -> dict[str, Any]:
        inner = {"name": self.retriever.name, **self.retriever.settings}
        return {"how": "best", "retriever": inner}

    @property
    def own_corpus(self) -> bool:
        return self.retriever.own_corpus

    @property
    def failures(self) -> Mapping[str, int]:
        return dict(self.retriever.failures)

    def index(self, corpus: Corpus) -> _BestIndex:
        return _BestIndex(self.retriever.index(corpus))


@dataclass(frozen=True, slots=True)
class _BestIndex(Index):
    inner: Index

    @property
    def index_bytes(self) -> int | None:
        return self.inner.index_bytes

    def prepare(self) -> None:
        self.inner.prepare()

    def close(self) -> None:
        self.inner.close()

    def search(self, queries: Sequence[Query], k: int) -> Run:
        run = self.inner.search(queries, k)  # what is not among a query's k best is not among all's
        return {
            members[0].id: _highest([run.get(each.id, {}) for each in members], k)
            for members in members_of(queries)
        }

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        run: dict[str, dict[str, float]] = {}
        for members in members_of(queries):
            own = members[0].id
            names = candidates.get(own, ())
            # A query's candidates are known by its id, so each stands in for the original.
            runs = [
                self.inner.score([replace(each, id=own)], {own: names})[own] for each in members
            ]
            highest = _highest(runs, len(names))
            run[own] = best_first(names, [highest[name] for name in names])
        return run


def _highest(runs: Sequence[Any], k: int) -> dict[str, float]:
    highest: dict[str, float] = {}
    for run in runs:
        for document, score in run.items():
            if score > highest.get(document, -np.inf):
                highest[document] = score
    best = sorted(highest.items(), key=lambda item: -item[1])
    return dict(best[:k])
