"""A retriever that answers a query with all its rephrasings at once: centroid, or best of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from leadline.errors import InputError
from leadline.metrics.topics import by_topic, original_of
from leadline.models.encoder import Embedder, embed
from leadline.retrievers.parts.rankings import ranking
from leadline.retrievers.parts.store import EncodedCorpus, embedder
from leadline.types import (
    Candidates,
    Corpus,
    Index,
    Query,
    Retriever,
    Run,
    check_k,
)

_BLOCK = 8192


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
    if how == "centroid":
        if model == "bm25":
            raise InputError("bm25 has no embeddings to take a centroid of. Use how=best.")
        return centroid_of(embedder(model))
    if model == "bm25":
        from leadline.retrievers import bm25

        return best_of(bm25.build())
    inner: Any = embedder(model)
    return best_of(inner)


def centroid_of(encoder: Embedder) -> Retriever:
    """Return a retriever that searches with the mean of a topic's embeddings.

    The mean is not brought to length 1, which changes no ranking. See `build`.
    """
    return _Centroid(encoder)


def best_of(retriever: Retriever) -> Retriever:
    """Return a retriever that gives a document its highest score with any query of the topic.

    See `build`. A retriever's scores must compare between queries.
    """
    return _Best(retriever)


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
    encoder: Embedder
    name: str = "centroid"

    @property
    def settings(self) -> dict[str, Any]:
        return {"how": "centroid", "encoder": self.encoder.settings}

    def index(self, corpus: Corpus) -> _CentroidIndex:
        return _CentroidIndex(self.encoder, corpus)


class _CentroidIndex(Index):
    def __init__(self, encoder: Embedder, corpus: Corpus) -> None:
        def spans(texts: list[str]) -> Any:
            rows = encoder.rows(texts, "document")
            return np.stack([rows, rows + 1], axis=1)

        self._encoder = encoder
        self._documents = EncodedCorpus(corpus, spans)

    @property
    def index_bytes(self) -> int:
        """What the vectors of the documents take."""
        rows = self._documents.rows
        return int(self._encoder.vectors(np.zeros(1, np.int64)).nbytes * rows) if rows else 0

    def prepare(self) -> None:
        """Encode every document."""
        self._documents.all()

    def search(self, queries: Sequence[Query], k: int) -> Run:
        """Return the k documents nearest to the centroid; ties in corpus order."""
        from leadline.retrievers.parts.search import named, top_k

        check_k(k)
        if not queries:
            return {}
        rows = self._documents.all()[:, 0]
        blocks = (rows[start : start + _BLOCK] for start in range(0, len(rows), _BLOCK))
        found = top_k(self._centroids(queries), map(self._encoder.vectors, blocks), k)
        return named(queries, list(self._documents.corpus), *found)

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        """Score the candidates against the centroid, encoding no other; ties in their order."""
        if not queries:
            return {}
        spans = self._documents.of(queries, candidates)
        run: dict[str, dict[str, float]] = {}
        for query, centroid in zip(queries, self._centroids(queries), strict=True):
            scores = self._encoder.vectors(spans[query.id][:, 0]) @ centroid
            run[query.id] = ranking(candidates.get(query.id, ()), scores)
        return run

    def _centroids(self, queries: Sequence[Query]) -> Any:
        """Return float32 [queries, D]."""
        vectors = embed(self._encoder, [query.content for query in queries], "query")
        of_query = {query.id: vector for query, vector in zip(queries, vectors, strict=True)}
        return np.stack(
            [
                np.mean([of_query[each.id] for each in members], axis=0, dtype=np.float32)
                for members in members_of(queries)
            ]
        )


@dataclass(frozen=True, slots=True)
class _Best(Retriever):
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
        """Whether the retriever searches documents of its own."""
        return self.retriever.own_corpus

    @property
    def failures(self) -> Mapping[str, int]:
        """How often the retriever failed so far, by reason."""
        return dict(self.retriever.failures)

    def index(self, corpus: Corpus) -> _BestIndex:
        return _BestIndex(self.retriever.index(corpus))


@dataclass(frozen=True, slots=True)
class _BestIndex(Index):
    inner: Index

    @property
    def index_bytes(self) -> int | None:
        """What the index inside takes; None where it cannot tell."""
        return self.inner.index_bytes

    def prepare(self) -> None:
        """Let the index do what it put off until a search."""
        self.inner.prepare()

    def close(self) -> None:
        """Close the index."""
        self.inner.close()

    def search(self, queries: Sequence[Query], k: int) -> Run:
        """Return the k documents with the highest scores; ties in order of the queries."""
        run = self.inner.search(queries, k)  # what is not among a query's k best is not among all's
        return {
            members[0].id: _highest([run.get(each.id, {}) for each in members], k)
            for members in members_of(queries)
        }

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        """Score the candidates of a query with every query of its topic; ties in their order."""
        run: dict[str, dict[str, float]] = {}
        for members in members_of(queries):
            names = candidates.get(members[0].id, ())
            # A query's candidates are known by its id, so each stands in for the original.
            runs = [
                self.inner.score([replace(each, id=members[0].id)], {members[0].id: names})[
                    members[0].id
                ]
                for each in members
            ]
            highest = _highest(runs, len(names))
            ordered = sorted(names, key=lambda name: -highest[name])
            run[members[0].id] = {name: highest[name] for name in ordered}
        return run


def _highest(runs: Sequence[Any], k: int) -> dict[str, float]:
    highest: dict[str, float] = {}
    for run in runs:
        for document, score in run.items():
            if score > highest.get(document, -np.inf):
                highest[document] = score
    best = sorted(highest.items(), key=lambda item: -item[1])
    return dict(best[:k])
