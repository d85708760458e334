"""Exact search over vectors in blocks, so that memory does not grow with the corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from leadline.errors import needs
from leadline.models.checkpoints import best_device
from leadline.retrievers.parts.rankings import ranking
from leadline.retrievers.parts.store import EncodedCorpus
from leadline.types import Candidates, Index, Query, Run, check_k

with needs("dense"):
    import numpy as np
    import torch

QUERIES_AT_ONCE = 256
"""Scores of a block of 8,192 documents take 8 MiB; larger blocks are faster and take more."""

_BLOCK = 8192
_GROUP = 32
_WORTH_GROUPS = 4
"""Groups are looked at first where there are so many times more of them than are asked for."""


def top_k(queries: Any, blocks: Iterable[Any], k: int, *, device: str = "") -> tuple[Any, Any]:
    """Return the k documents with the greatest inner product for each query.

    queries  float32 [Q, D]
    blocks   float32 [n, D] each: the documents in corpus order
    device   where vectors are compared; empty for the best there is

    Returns scores [Q, min(k, N)] and places [Q, min(k, N)] in the corpus, best first; equal scores
    stand in corpus order.
    """
    device = device or best_device()
    batches = [
        torch.from_numpy(np.ascontiguousarray(queries[start : start + QUERIES_AT_ONCE])).to(device)
        for start in range(0, len(queries), QUERIES_AT_ONCE)
    ]
    best = [_nothing(len(batch), device) for batch in batches]
    seen = 0
    for block in blocks:
        documents = torch.from_numpy(np.ascontiguousarray(block)).to(device)
        for number, batch in enumerate(batches):
            scores, places = _best(documents @ batch.T, k)
            # Earlier documents stand first, so a stable sort keeps corpus order.
            best[number] = _joined(best[number], (scores, places + seen), k)
        seen += len(documents)
    if not best:
        return np.empty((0, 0), np.float32), np.empty((0, 0), np.int64)
    scores = torch.cat([scores for scores, _ in best])
    places = torch.cat([places for _, places in best])
    return scores.cpu().numpy(), places.cpu().numpy()


@dataclass
class VectorIndex(Index):
    """A corpus whose documents are encoded when a search, or their own score, needs them.

    vectors  rows of a store -> float32 [n, D]
    asked    queries -> float32 [queries, D]
    device   where vectors are compared; empty for the best there is
    """

    documents: EncodedCorpus
    vectors: Callable[[Any], Any]
    asked: Callable[[Sequence[Query]], Any]
    device: str = ""

    @property
    def index_bytes(self) -> int:
        """What the vectors of the documents take that were encoded so far."""
        rows = self.documents.rows
        return int(self.vectors(np.zeros(1, np.int64)).nbytes) * rows if rows else 0

    def prepare(self) -> None:
        """Encode every document that is not in the store yet."""
        self.documents.all()

    def search(self, queries: Sequence[Query], k: int) -> Run:
        """Return the k most similar documents; ties in corpus order."""
        check_k(k)
        if not queries:
            return {}
        self.prepare()
        rows = self.documents.all()[:, 0]
        blocks = (rows[start : start + _BLOCK] for start in range(0, len(rows), _BLOCK))
        vectors = map(self.vectors, blocks)
        scores, places = top_k(self.asked(queries), vectors, k, device=self.device)
        names = list(self.documents.corpus)
        return {
            query.id: {names[place]: score for place, score in zip(found, its, strict=True)}
            for query, found, its in zip(queries, places.tolist(), scores.tolist(), strict=True)
        }

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        """Score the candidates, encoding no other document; ties in their order."""
        if not queries:
            return {}
        spans = self.documents.of(queries, candidates)
        run: dict[str, dict[str, float]] = {}
        for query, vector in zip(queries, self.asked(queries), strict=True):
            documents = self.vectors(spans[query.id][:, 0])
            # Row by row: a product of matrices rounds equal rows differently, which parts ties.
            scores = (documents * vector).sum(axis=1)
            run[query.id] = ranking(candidates.get(query.id, ()), scores)
        return run


def _nothing(queries: int, device: str) -> tuple[Any, Any]:
    return (
        torch.empty((queries, 0), dtype=torch.float32, device=device),
        torch.empty((queries, 0), dtype=torch.int64, device=device),
    )


def _best(scores: Any, k: int) -> tuple[Any, Any]:
    """Return the k greatest of each column [n, Q] and their places, [Q, k], equal ones by place."""
    if len(scores) <= k:
        return _sorted(scores.T, k)
    values, places = _greatest(scores, k + 1)  # one more shows whether equal ones were left out
    crowded = values[:, k - 1] == values[:, k]
    values, places = values[:, :k], places[:, :k]
    places, order = torch.sort(places)
    values, again = torch.sort(values.gather(1, order), descending=True, stable=True)
    places = places.gather(1, again)
    for row in torch.nonzero(crowded).flatten().tolist():
        row_values, row_places = _sorted(scores[:, row][None], k)
        values[row], places[row] = row_values[0], row_places[0]
    return values, places


def _greatest(scores: Any, k: int) -> tuple[Any, Any]:
    """Return the k greatest of each column [n, Q] and their places, [Q, k].

    They stand in the k groups with the greatest maxima, which are found in one pass.
    """
    width = len(scores) // _GROUP
    if width < _WORTH_GROUPS * k:
        values, places = torch.topk(scores, k, dim=0)
        return values.T, places.T
    grouped = scores[: width * _GROUP].view(_GROUP, width, -1)
    groups = torch.topk(grouped.amax(0), k, dim=0).indices
    members = torch.arange(_GROUP, device=scores.device)[:, None, None] * width
    rest = torch.arange(width * _GROUP, len(scores), device=scores.device)[:, None]
    places = torch.cat([(groups + members).flatten(0, 1), rest.expand(-1, scores.shape[1])])
    values, which = torch.topk(scores.gather(0, places).T.contiguous(), k)
    return values, places.T.gather(1, which)


def _joined(one: tuple[Any, Any], other: tuple[Any, Any], k: int) -> tuple[Any, Any]:
    values, order = _sorted(torch.cat([one[0], other[0]], dim=1), k)
    return values, torch.cat([one[1], other[1]], dim=1).gather(1, order)


def _sorted(scores: Any, k: int) -> tuple[Any, Any]:
    values, order = torch.sort(scores, dim=1, descending=True, stable=True)
    return values[:, :k], order[:, :k]
