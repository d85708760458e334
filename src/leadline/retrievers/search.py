"""Exact search over vectors, in blocks: memory does not grow with the corpus."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from leadline.errors import needs

with needs("dense"):
    import numpy as np
    import torch

QUERIES_AT_ONCE = 64


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
            scores, places = _best(batch @ documents.T, k)
            # Earlier documents stand first, so a stable sort keeps corpus order.
            best[number] = _joined(best[number], (scores, places + seen), k)
        seen += len(documents)
    if not best:
        return np.empty((0, 0), np.float32), np.empty((0, 0), np.int64)
    scores = torch.cat([scores for scores, _ in best])
    places = torch.cat([places for _, places in best])
    return scores.cpu().numpy(), places.cpu().numpy()


def best_device() -> str:
    """Return `cuda` where there is one, else `mps`, else `cpu`."""
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _nothing(queries: int, device: str) -> tuple[Any, Any]:
    return (
        torch.empty((queries, 0), dtype=torch.float32, device=device),
        torch.empty((queries, 0), dtype=torch.int64, device=device),
    )


def _best(scores: Any, k: int) -> tuple[Any, Any]:
    """Return the k greatest of each row and their places, equal scores by place."""
    if scores.shape[1] <= k:
        return _sorted(scores, k)
    values, places = torch.topk(scores, k + 1)  # one more shows whether equal ones were left out
    crowded = values[:, k - 1] == values[:, k]
    values, places = values[:, :k], places[:, :k]
    places, order = torch.sort(places)
    values, again = torch.sort(values.gather(1, order), descending=True, stable=True)
    places = places.gather(1, again)
    for row in torch.nonzero(crowded).flatten().tolist():
        row_values, row_places = _sorted(scores[row : row + 1], k)
        values[row], places[row] = row_values[0], row_places[0]
    return values, places


def _joined(one: tuple[Any, Any], other: tuple[Any, Any], k: int) -> tuple[Any, Any]:
    values, order = _sorted(torch.cat([one[0], other[0]], dim=1), k)
    return values, torch.cat([one[1], other[1]], dim=1).gather(1, order)


def _sorted(scores: Any, k: int) -> tuple[Any, Any]:
    values, order = torch.sort(scores, dim=1, descending=True, stable=True)
    return values[:, :k], order[:, :k]
