"""Learned sparse retrieval: a model weighs the words of each text for an inverted index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from leadline.errors import InputError
from leadline.models.checkpoints import Checkpoint, Dtype
from leadline.retrievers.parts.rankings import Best, ranking
from leadline.retrievers.parts.store import EncodedCorpus, RowsOfTexts
from leadline.types import (
    Candidates,
    Corpus,
    Index,
    Query,
    Retriever,
    Run,
    check_k,
)

_BLOCK = 65536
_MOST_WORDS = 1 << 24
"""The number of a word is stored as a 32-bit float, which is exact below this."""


def build(
    model: str,
    *,
    query_prompt: str | None = None,
    document_prompt: str | None = None,
    max_length: int | None = None,
    batch_size: int = 32,
    device: str = "",
    dtype: Dtype = "auto",
    trust_remote_code: bool = False,
    revision: str = "",
    cache: bool = True,
) -> Retriever:
    """Return a retriever for a sparse encoder of sentence-transformers, such as SPLADE.

    A score is the inner product of the weights that query and document give the words of the
    model's vocabulary. A document that shares no word with the query is no result.

    model            name on the hub, or folder: a masked language model, or what
                     sentence-transformers saved
    query_prompt     put before a query; None for the model's own, empty for none
    document_prompt  put before a document; likewise
    max_length       tokens read of a text, the rest is cut off; None for the model's own
    batch_size       texts encoded at once
    device           `cpu`, `cuda`, ...; empty for the best there is
    dtype        number format of the weights; auto is float32 on a processor
    revision         branch, tag or commit on the hub
    cache            keep the weights of texts on disk, by text, model and setting

    Raises InputError when a value is out of its range or the model cannot be found, and
    MissingExtraError without torch and sentence-transformers.
    Source: Formal et al., From Distillation to Hard Negative Sampling: Making Sparse Neural IR
    Models More Effective.
    """
    checkpoint = Checkpoint(model, revision, device, dtype, trust_remote_code)
    prompts = {"query": query_prompt, "document": document_prompt}
    return _Sparse(checkpoint, prompts, {"max_length": max_length}, batch_size, cache)


class _Sparse(RowsOfTexts):
    name, kind, folder, doing = "sparse", "SparseEncoder", "sparse", "Weighing"

    def index(self, corpus: Corpus) -> _Index:
        return _Index(self, corpus)

    def encode(self, texts: Sequence[str], side: str) -> list[Any]:
        """Return for each text float32 [words, 2]: numbers of words, ascending, and weights."""
        encode = self.model.encode_query if side == "query" else self.model.encode_document
        sparse = encode(
            texts,
            prompt=self.prompts[side],
            batch_size=self.batch_size,
            show_progress_bar=False,
            convert_to_sparse_tensor=True,
            save_to_cpu=True,
        ).coalesce()
        if sparse.shape[1] > _MOST_WORDS:
            raise InputError(
                f"The vocabulary of {sparse.shape[1]} words is too large. Choose another model."
            )
        texts_of, words = sparse.indices().numpy()
        pairs = np.stack([words, sparse.values().float().numpy()], axis=1).astype(np.float32)
        ends = np.searchsorted(texts_of, np.arange(1, len(texts)))
        return np.split(pairs, ends)

    def adjust(self, model: Any) -> None:
        if self.lengths["max_length"] is not None:
            model.max_seq_length = self.lengths["max_length"]

    def about(self) -> dict[str, Any]:
        return {"max_length": self.model.max_seq_length}

    def weights(self, spans: Any) -> tuple[Any, Any, Any]:
        """Return words [n], weights [n] and the number of words of each text."""
        pairs, lengths = self.stored.store.arrays(spans)
        return pairs[:, 0].astype(np.int64), pairs[:, 1], lengths


class _Index(Index):
    """The inverted index is made in memory, block by block of documents, by the first search."""

    def __init__(self, sparse: _Sparse, corpus: Corpus) -> None:
        self._sparse = sparse
        self._documents = EncodedCorpus(corpus, lambda texts: sparse.spans(texts, "document"))
        self._blocks: list[_Postings] = []

    def prepare(self) -> None:
        if not self._blocks:
            spans = self._documents.all()
            for start in range(0, len(spans), _BLOCK):
                block = self._sparse.weights(spans[start : start + _BLOCK])
                self._blocks.append(_Postings.of(*block))

    @property
    def index_bytes(self) -> int:
        return 8 * self._documents.rows

    def search(self, queries: Sequence[Query], k: int) -> Run:
        check_k(k)
        self.prepare()
        names = list(self._documents.corpus)
        run: dict[str, dict[str, float]] = {}
        for query, words, weights in self._weighed(queries):
            best = Best(k)
            for number, block in enumerate(self._blocks):
                best.add(block.scores(words, weights), number * _BLOCK, above=0)
            run[query.id] = best.named(names)
        return run

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        spans = self._documents.of(queries, candidates)
        run: dict[str, dict[str, float]] = {}
        for query, words, weights in self._weighed(queries):
            block = _Postings.of(*self._sparse.weights(spans[query.id]))
            scores = block.scores(words, weights)
            run[query.id] = ranking(candidates.get(query.id, ()), scores)
        return run

    def _weighed(self, queries: Sequence[Query]) -> Iterator[tuple[Query, Any, Any]]:
        spans = self._sparse.spans([query.content for query in queries], "query")
        words, weights, lengths = self._sparse.weights(spans)
        end = 0
        for query, length in zip(queries, lengths.tolist(), strict=True):
            start, end = end, end + length
            yield query, words[start:end], weights[start:end]


@dataclass(frozen=True, slots=True)
class _Postings:
    """For each word the documents that have it, and its weights there.

    starts   int64 [words + 1]
    places   int32, of documents
    weights  float32
    size     number of documents
    """

    starts: Any
    places: Any
    weights: Any
    size: int

    @classmethod
    def of(cls, words: Any, weights: Any, lengths: Any) -> _Postings:
        """Invert the words of documents, which stand one document after the other."""
        order = np.argsort(words, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(words))])
        places = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
        return cls(starts, places[order], weights[order], len(lengths))

    def scores(self, words: Any, weights: Any) -> Any:
        """Return the score of every document, float32 [size], added up word by word."""
        scores = np.zeros(self.size, dtype=np.float32)
        for word, weight in zip(words.tolist(), weights, strict=True):
            if word + 1 < len(self.starts):
                part = slice(self.starts[word], self.starts[word + 1])
                scores[self.places[part]] += weight * self.weights[part]
        return scores
