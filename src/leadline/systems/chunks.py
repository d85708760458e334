"""Judge an index of chunks by documents: the best chunk of each document counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar, cast

from leadline.errors import InputError
from leadline.system import System
from leadline.types import (
    Candidates,
    Corpus,
    Document,
    Index,
    Query,
    Retriever,
    Run,
    adopted,
    among,
    check_k,
    first,
)

Chunks: TypeAlias = str | Callable[[str], str]
"""The mark at whose last place the id of a chunk is cut, or a function to the document's id."""

FACTOR = 3
"""Chunks that are asked for at first for each document, and more at each further time."""
_MOST = 10  # chunks for each document at most
_CANDIDATE_DEPTH = 1000


T = TypeVar("T")


def in_documents(stage: T, chunks: Chunks | None) -> T:
    """Return a first stage, or a system with one, that gives documents where it found chunks.

    Rerankers and enrichers, and everything where `chunks` is empty, are returned as they are.
    """
    if not chunks or not hasattr(stage, "index"):
        return stage
    if isinstance(stage, System):
        return replace(stage, retriever=in_documents(stage.retriever, chunks))
    return cast(T, _Chunked(adopted(stage, Retriever), chunks))


@dataclass(frozen=True)
class _Chunked(Retriever):
    """A retriever of documents over one of chunks.

    chunks_found  query -> document -> the chunk that counted, since a corpus was last indexed
    """

    retriever: Retriever
    chunks: Chunks
    chunks_found: dict[str, dict[str, str]] = field(default_factory=dict, repr=False)
    query_seconds: dict[str, float] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        return self.retriever.name

    @property
    def settings(self) -> dict[str, Any]:
        how = self.chunks if isinstance(self.chunks, str) else "a function"
        return {**self.retriever.settings, "chunks": how}

    @property
    def failures(self) -> Mapping[str, int]:
        return self.retriever.failures

    @property
    def own_corpus(self) -> bool:
        return self.retriever.own_corpus

    @property
    def scores_are_ranks(self) -> bool:
        return self.retriever.scores_are_ranks

    def index(self, corpus: Corpus) -> Index:
        self.chunks_found.clear()
        self.query_seconds.clear()
        known = _WithChunks(corpus, self.chunks)
        return _Index(self, adopted(self.retriever.index(known), Index, self.name), known)


@dataclass(frozen=True)
class _WithChunks(Mapping[str, Document]):
    """A corpus that also knows the ids of its chunks."""

    corpus: Corpus
    chunks: Chunks

    def document_of(self, id: str) -> str:
        if id in self.corpus:
            return id
        cut = id.rpartition(self.chunks)[0] if isinstance(self.chunks, str) else self.chunks(id)
        return cut if cut in self.corpus else id

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str) and self.document_of(id) in self.corpus

    def __getitem__(self, id: str) -> Document:
        return self.corpus[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self.corpus)

    def __len__(self) -> int:
        return len(self.corpus)


@dataclass(frozen=True)
class _Index(Index):
    retriever: _Chunked
    chunks: Index
    known: _WithChunks

    @property
    def index_bytes(self) -> int | None:
        return self.chunks.index_bytes

    def prepare(self) -> None:
        self.chunks.prepare()

    def close(self) -> None:
        self.chunks.close()

    def search(self, queries: Sequence[Query], k: int) -> Run:
        """Return the k documents with the best chunks.

        Three times as many chunks are asked for; three times as many again for queries that have
        fewer than k documents then, until there are no more chunks, or up to ten times k.
        """
        check_k(k)
        return self._found(queries, k, FACTOR * k, _MOST * k)

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        wanted = FACTOR * max((len(candidates.get(each.id, ())) for each in queries), default=0)
        depth = max(wanted, self.retriever.settings.get("candidate_depth", _CANDIDATE_DEPTH))
        return among(self._found(queries, depth, depth, depth), queries, candidates)

    def _found(self, queries: Sequence[Query], k: int, depth: int, most: int) -> Run:
        run: dict[str, Mapping[str, float]] = {}
        while queries:
            found = self.chunks.search(queries, depth)
            for query_id, seconds in self.retriever.retriever.query_seconds.items():
                self.retriever.query_seconds.setdefault(query_id, seconds)
            short = []
            for query in queries:
                scores = found.get(query.id)
                if not isinstance(scores, Mapping):
                    name = self.retriever.name
                    raise InputError(
                        f"search() of {name} returned no ranking for query {query.id!r}."
                    )
                documents = self._documents(query, scores)
                if len(documents) >= len(run.get(query.id, ())):
                    run[query.id] = first(documents, k)
                if len(documents) < min(k, len(self.known)) and len(scores) >= depth < most:
                    short.append(query)
            queries, depth = short, min(FACTOR * depth, most)
        return run

    def _documents(self, query: Query, scores: Mapping[str, float]) -> dict[str, float]:
        best: dict[str, float] = {}
        found = self.retriever.chunks_found.setdefault(query.id, {})
        for id, score in scores.items():
            document = self.known.document_of(id)
            if document not in best:
                best[document] = score
                if id != document:
                    found[document] = id
        return best
