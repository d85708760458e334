"""Late interaction: one vector for each token, and each query token finds its nearest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from leadline.errors import needs
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

with needs("dense"):
    import torch
    from sentence_transformers.util.similarity import maxsim

_TOKENS_AT_ONCE = 65536
"""Tokens of documents that are in memory at once."""
_QUERY_TOKENS = 2048
_DOCUMENT_TOKENS = 8192
_NUMBERS_AT_ONCE = 1 << 25


def build(
    model: str,
    *,
    query_prompt: str | None = None,
    document_prompt: str | None = None,
    query_length: int | None = None,
    document_length: int | None = None,
    batch_size: int = 32,
    device: str = "",
    dtype: Dtype = "auto",
    trust_remote_code: bool = False,
    revision: str = "",
    cache: bool = True,
) -> Retriever:
    """Return a retriever for a multi-vector encoder of sentence-transformers, such as ColBERTv2.

    A score is the sum over the tokens of the query of the greatest inner product with a token
    of the document, over every document. The checkpoint says what marks queries and documents,
    how a query is filled up with mask tokens, and which tokens of a document do not count.

    model            name on the hub, or folder: as its authors, PyLate or sentence-transformers
                     saved it
    query_prompt     put before a query; None for the model's own, empty for none
    document_prompt  put before a document; likewise
    query_length     tokens of a query, to which a shorter one is filled up if the checkpoint does
                     so; None for the checkpoint's own
    document_length  tokens read of a document, the rest is cut off; likewise
    batch_size       texts encoded at once
    device           `cpu`, `cuda`, ...; empty for the best there is
    dtype        number format of the weights; auto is float32 on a processor
    revision         branch, tag or commit on the hub
    cache            keep vectors on disk, by text, model and setting

    Raises InputError when a value is out of its range or the model cannot be found, and
    MissingExtraError without torch and sentence-transformers.
    Source: Khattab and Zaharia, ColBERT, eq. 3; Santhanam et al., ColBERTv2.
    """
    checkpoint = Checkpoint(model, revision, device, dtype, trust_remote_code)
    prompts = {"query": query_prompt, "document": document_prompt}
    lengths = {"query_length": query_length, "document_length": document_length}
    return _LateInteraction(checkpoint, prompts, lengths, batch_size, cache)


class _LateInteraction(RowsOfTexts):
    name, kind = "late_interaction", "MultiVectorEncoder"
    folder, doing = "token_vectors", "Encoding"

    def index(self, corpus: Corpus) -> _Index:
        return _Index(self, corpus)

    def encode(self, texts: Sequence[str], side: str) -> list[Any]:
        encode = self.model.encode_query if side == "query" else self.model.encode_document
        vectors = encode(
            texts,
            prompt=self.prompts[side],
            batch_size=self.batch_size,
            show_progress_bar=False,
        )
        return [each.float().cpu().numpy() for each in vectors]

    def adjust(self, model: Any) -> None:
        first, length = model[0], self.lengths["query_length"]
        if self.lengths["document_length"] is not None:
            first.document_length = self.lengths["document_length"]
        if length is not None:
            expansion = first.query_expansion
            first.query_expansion = None  # the library compares the two lengths at each step
            first.query_length = length
            if expansion:
                first.query_expansion = {**expansion, "length": length}

    def about(self) -> dict[str, Any]:
        first = self.model[0]
        expansion = first.query_expansion or {}
        return {
            "query_length": expansion.get("length") or first.query_length,
            "document_length": first.document_length or self.model.max_seq_length,
            "query_expansion": dict(expansion),
            "similarity": self.model.similarity_fn_name,
        }

    def tokens(self, spans: Any) -> Tokens:
        """Return the vectors that stand at the spans, one text below the other."""
        return Tokens(*self.stored.store.arrays(spans))

    def compare(self, queries: Tokens, documents: Tokens) -> Any:
        """Return the scores float32 [queries, documents]."""
        scores = max_sim(queries, documents, self.checkpoint.device)
        if self.stored.about.get("similarity") == "meanmaxsim":
            scores /= queries.lengths[:, None]
        return scores


class _Index(Index):
    def __init__(self, late: _LateInteraction, corpus: Corpus) -> None:
        self._late = late
        self._documents = EncodedCorpus(corpus, lambda texts: late.spans(texts, "document"))

    def prepare(self) -> None:
        self._documents.all()

    @property
    def index_bytes(self) -> int:
        return 4 * int(self._late.stored.about.get("dimension", 0)) * self._documents.rows

    def search(self, queries: Sequence[Query], k: int) -> Run:
        check_k(k)
        tokens = self._query_tokens(queries)
        spans = self._documents.all()
        best = [Best(k) for _ in queries]
        for first, last in runs(spans[:, 1] - spans[:, 0], _TOKENS_AT_ONCE):
            scores = self._late.compare(tokens, self._late.tokens(spans[first:last]))
            for of_query, row in zip(best, scores, strict=True):
                of_query.add(row, first)
        names = list(self._documents.corpus)
        return {query.id: each.named(names) for query, each in zip(queries, best, strict=True)}

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        of_query = self._documents.of(queries, candidates)
        tokens = self._query_tokens(queries)
        run: dict[str, dict[str, float]] = {}
        for number, query in enumerate(queries):
            spans = of_query[query.id]
            asked = tokens.part(number, number + 1)
            parts = [
                self._late.compare(asked, self._late.tokens(spans[first:last]))[0]
                for first, last in runs(spans[:, 1] - spans[:, 0], _TOKENS_AT_ONCE)
            ]
            scores = np.concatenate([*parts, np.empty(0, np.float32)])
            run[query.id] = ranking(candidates.get(query.id, ()), scores)
        return run

    def _query_tokens(self, queries: Sequence[Query]) -> Tokens:
        return self._late.tokens(self._late.spans([query.content for query in queries], "query"))


class Tokens(NamedTuple):
    """The vectors of texts, one text below the other.

    rows     float32 [tokens of all texts, D]
    lengths  int64 [texts], tokens of each
    """

    rows: Any
    lengths: Any

    @property
    def ends(self) -> Any:
        """Where the rows of each text end, int64 [texts]."""
        return np.cumsum(self.lengths)

    def part(self, first: int, last: int) -> Tokens:
        """Return the texts from `first` up to, without, `last`."""
        ends = np.concatenate([[0], self.ends])
        return Tokens(self.rows[ends[first] : ends[last]], self.lengths[first:last])


def max_sim(queries: Tokens, documents: Tokens, device: str = "") -> Any:
    """Return the scores float32 [queries, documents].

    A score is the sum over the query's tokens of the greatest inner product with a token of the
    document; a document without tokens has -1 for each, the least between vectors of length 1.

    device  where vectors are compared; empty for the best there is

    Memory grows with the scores, not with the product of tokens.
    Source: Khattab and Zaharia, ColBERT, eq. 3.
    """
    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    scores = np.empty((len(queries.lengths), len(documents.lengths)), np.float32)
    scores[:] = -queries.lengths[:, None]
    full = np.flatnonzero(documents.lengths)
    asked = np.flatnonzero(queries.lengths)
    if not len(full) or not len(asked):
        return scores
    queries = Tokens(queries.rows, queries.lengths[asked])
    documents = Tokens(documents.rows, documents.lengths[full])
    compare = _on_processor if device == "cpu" else _on_accelerator
    scores[np.ix_(asked, full)] = compare(queries, documents, device)
    return scores


def _on_processor(queries: Tokens, documents: Tokens, device: str) -> Any:
    # Reductions of numpy over a flat product take half the time of padded products.
    return np.concatenate(
        [
            np.concatenate(
                [_product(some, others) for others in _parts(documents, _DOCUMENT_TOKENS)], axis=1
            )
            for some in _parts(queries, _QUERY_TOKENS)
        ]
    )


def _product(queries: Tokens, documents: Tokens) -> Any:
    similar = (torch.from_numpy(queries.rows) @ torch.from_numpy(documents.rows).T).numpy()
    nearest = np.maximum.reduceat(similar, documents.ends - documents.lengths, axis=1)
    return np.add.reduceat(nearest, queries.ends - queries.lengths, axis=0)


def _on_accelerator(queries: Tokens, documents: Tokens, device: str) -> Any:
    # Documents of similar length stand together, so that little is padding.
    order = np.argsort(documents.lengths, kind="stable")
    texts = torch.from_numpy(documents.rows).split(documents.lengths.tolist())
    scores = maxsim(
        list(torch.from_numpy(queries.rows).split(queries.lengths.tolist())),
        [texts[place] for place in order.tolist()],
        chunk_elements=_NUMBERS_AT_ONCE,
        device=device,
    )
    return scores.cpu().numpy()[:, np.argsort(order)]


def _parts(texts: Tokens, most: int) -> list[Tokens]:
    """Return runs of texts that together have at most `most` tokens, or are one text."""
    return [texts.part(first, last) for first, last in runs(texts.lengths, most)]


def runs(lengths: Any, most: int) -> list[tuple[int, int]]:
    """Return first and last place (last not included) of runs that sum to `most` at most.

    A single length above `most` is a run of its own.
    """
    ends = np.cumsum(lengths)
    found: list[tuple[int, int]] = []
    first = 0
    while first < len(ends):
        before = int(ends[first - 1]) if first else 0
        last = max(int(np.searchsorted(ends, before + most, side="right")), first + 1)
        found.append((first, last))
        first = last
    return found
