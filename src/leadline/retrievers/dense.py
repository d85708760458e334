"""Dense retrieval with any encoder that sentence-transformers loads, from a hub or a folder."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import numpy as np

from leadline.errors import InputError
from leadline.files.cache import cache_folder
from leadline.retrievers.embeddings import EmbeddingStore
from leadline.retrievers.encoder import Encoder, Pooling, Precision
from leadline.retrievers.search import top_k
from leadline.types import Candidates, Corpus, Query, Retriever, Run

Similarity = Literal["cosine", "dot"]

_BLOCK = 8192


def build(
    model: str,
    *,
    query_prompt: str | None = None,
    document_prompt: str | None = None,
    pooling: Pooling = "",
    normalize: bool | None = None,
    max_length: int | None = None,
    batch_size: int = 32,
    device: str = "",
    precision: Precision = "float32",
    similarity: Similarity = "cosine",
    trust_remote_code: bool = False,
    revision: str = "",
    cache: bool = True,
) -> Retriever:
    """Return a dense retriever; the model is loaded when something must be encoded.

    model            name on the hub, folder of a model, or `package:NAME` for an installed package
                     with a function get_model_path
    query_prompt     put before a query; None for the model's own, empty for none
    document_prompt  put before a document; likewise
    pooling          how token vectors become one: mean, cls, lasttoken or max; empty for the
                     model's own, which is mean where a folder says nothing
    normalize        bring vectors to length 1; by default when the similarity is cosine
    max_length       tokens read of a text, the rest is cut off; None for the model's own
    batch_size       texts encoded at once
    device           `cpu`, `cuda`, ...; empty for the best there is
    precision        number format of the weights
    similarity       cosine, or the inner product as it comes (dot)
    revision         branch, tag or commit on the hub
    cache            keep vectors on disk, by text, model and setting

    Raises InputError when a value is out of its range or the model cannot be found, and
    MissingExtraError without torch and sentence-transformers.
    """
    if batch_size < 1:
        raise InputError(f"batch_size must be at least 1, got {batch_size}.")
    if max_length is not None and max_length < 1:
        raise InputError(f"max_length must be at least 1, got {max_length}.")
    encoder = Encoder(
        model=model,
        prompts={"query": query_prompt, "document": document_prompt},
        pooling=pooling,
        normalize=similarity == "cosine" if normalize is None else normalize,
        max_length=max_length,
        batch_size=batch_size,
        device=device,
        precision=precision,
        trust_remote_code=trust_remote_code,
        revision=revision,
    )
    return _Dense(encoder, similarity, cache)


@dataclass
class _Dense:
    encoder: Encoder
    similarity: Similarity
    cache: bool
    name: str = "dense"
    _store: EmbeddingStore | None = None
    _folder: Any = None
    """Holds the folder of a store that is not kept; it goes when the retriever goes."""

    @property
    def settings(self) -> dict[str, Any]:
        noted = self._store.about if self._store is not None else {}
        set_by = "model" if self.encoder.max_length is None else "option"
        return {
            **self.encoder.settings,
            "similarity": self.similarity,
            "max_length_set_by": set_by,
            **noted,  # with the length that the model itself sets
        }

    @property
    def store(self) -> EmbeddingStore:
        if self._store is None:
            if self.cache:
                folder = cache_folder("embeddings") / self.encoder.key()
            else:
                self._folder = tempfile.TemporaryDirectory(prefix="leadline-")
                folder = Path(self._folder.name)
            self._store = EmbeddingStore(folder)
        return self._store

    def index(self, corpus: Corpus) -> _Index:
        if not corpus:
            raise InputError("The corpus has no documents, so there is nothing to index.")
        return _Index(self, corpus)

    def rows(self, texts: Sequence[str], side: str) -> Any:
        """Return where in the store the vectors of the texts are, once they are all there."""
        return self.store.rows(
            texts,
            lambda missing: self.encoder.encode(missing, side),
            kind=self.encoder.kind(side),
            about=self.encoder.about,
            label="Encoding documents" if side == "document" else "Encoding queries",
        )

    def vectors(self, rows: Any) -> Any:
        """Return float32 [len(rows), D], of length 1 when the similarity is cosine."""
        vectors = np.asarray(self.store.vectors[rows])
        if self.similarity == "cosine" and not self.encoder.normalize:
            lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
            vectors = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
        return vectors


@dataclass
class _Index:
    """A corpus whose documents are encoded when a search, or their own score, needs them."""

    dense: _Dense
    corpus: Corpus
    _rows: Any = None
    _candidates: dict[str, int] = field(default_factory=dict)

    def prepare(self) -> None:
        """Encode every document that is not in the store yet."""
        if self._rows is None:
            documents = iter(self.corpus.values())
            blocks = iter(lambda: [each.content for each in islice(documents, _BLOCK)], [])
            self._rows = np.concatenate([self.dense.rows(block, "document") for block in blocks])

    def search(self, queries: Sequence[Query], k: int) -> Run:
        """Return the k most similar documents; ties in corpus order."""
        if k < 1:
            raise InputError(f"k must be at least 1, got {k}.")
        self.prepare()
        vectors = self.dense.vectors(self._query_rows(queries))
        scores, places = top_k(vectors, self._blocks(), k, device=self.dense.encoder.device)
        names = list(self.corpus)
        return {
            query.id: {names[place]: score for place, score in zip(found, its, strict=True)}
            for query, found, its in zip(queries, places.tolist(), scores.tolist(), strict=True)
        }

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        """Score the candidates, encoding no other document; ties in their order."""
        self._encode_candidates(queries, candidates)
        vectors = self.dense.vectors(self._query_rows(queries))
        run: dict[str, dict[str, float]] = {}
        for query, vector in zip(queries, vectors, strict=True):
            names = candidates.get(query.id, ())
            rows = np.array([self._candidates[name] for name in names], dtype=np.int64)
            scores = self.dense.vectors(rows) @ vector
            values = scores.tolist()
            order = np.argsort(-scores, kind="stable").tolist()
            run[query.id] = {names[place]: values[place] for place in order}
        return run

    def _query_rows(self, queries: Sequence[Query]) -> Any:
        return self.dense.rows([query.content for query in queries], "query")

    def _blocks(self) -> Iterator[Any]:
        for start in range(0, len(self._rows), _BLOCK):
            yield self.dense.vectors(self._rows[start : start + _BLOCK])

    def _encode_candidates(self, queries: Sequence[Query], candidates: Candidates) -> None:
        wanted: dict[str, None] = {}
        for query in queries:
            for name in candidates.get(query.id, ()):
                if name not in self._candidates:
                    if name not in self.corpus:
                        raise InputError(
                            f"The candidates of query {query.id!r} name document {name!r}, "
                            "which is not in the corpus."
                        )
                    wanted[name] = None
        names = list(wanted)
        for start in range(0, len(names), _BLOCK):
            block = names[start : start + _BLOCK]
            rows = self.dense.rows([self.corpus[name].content for name in block], "document")
            self._candidates.update(zip(block, rows.tolist(), strict=True))
