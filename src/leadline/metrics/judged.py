"""Compute the measures of `ranking` with arrays over many queries at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from leadline.metrics.ranks import Ties, check_scores
from leadline.types import Qrels, Run

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]

_BLOCK = 1 << 18  # documents in a block, which limits memory to tens of MB


@dataclass(frozen=True)
class _Hits:
    """Relevant documents of Q queries, by query (0..Q-1) and rank from 1."""

    query: Ints
    rank: Ints
    grade: Ints


@dataclass(frozen=True)
class Judged:
    """The judgements of Q queries as arrays.

    found     relevant documents that were retrieved
    ideal     all relevant documents, by falling grade
    relevant  [Q] how many are relevant
    """

    found: _Hits
    ideal: _Hits
    relevant: Ints


def _ndcg(judged: Judged, k: int | None, gain: str = "linear") -> Floats:
    gained, ideal = (_discounted(each, judged, k, gain) for each in (judged.found, judged.ideal))
    return gained / _at_least_one(ideal, judged)


def _reciprocal_rank(judged: Judged, k: int | None) -> Floats:
    first = np.full(judged.relevant.size, np.inf)
    np.minimum.at(first, judged.found.query, judged.found.rank)
    return np.where(_within(first, k), 1.0 / first, 0.0)


def _average_precision(judged: Judged, k: int | None) -> Floats:
    found = judged.found
    weights = _position_in_query(found.query) / found.rank * _within(found.rank, k)
    return _summed(found, weights, judged) / _at_least_one(judged.relevant, judged)


def _recall(judged: Judged, k: int | None) -> Floats:
    return _counted(judged, k) / _at_least_one(judged.relevant, judged)


def _precision(judged: Judged, k: int) -> Floats:
    return _counted(judged, k) / k


FORMULAS: Mapping[str, Callable[..., Floats]] = {
    "nDCG": _ndcg,
    "MRR": _reciprocal_rank,
    "MAP": _average_precision,
    "Recall": _recall,
    "P": _precision,
}


def judged(run: Run, qrels: Qrels, query_ids: Sequence[str], ties: Ties) -> Judged:
    """Join the rankings with their grades. Raises InputError if a score is not finite."""
    blocks = [_block_hits(run, qrels, ids, start, ties) for start, ids in _blocks(run, query_ids)]
    query, rank, grade = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    order = np.lexsort((rank, query))
    return Judged(_Hits(query[order], rank[order], grade[order]), *_ideal(qrels, query_ids))


def _blocks(run: Run, query_ids: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
    """Cut the queries so that each block, padded to its longest ranking, stays small."""
    start, widest = 0, 0
    for position, query_id in enumerate(query_ids):
        width = len(run.get(query_id, ()))
        if position > start and max(widest, width) * (position + 1 - start) > _BLOCK:
            yield start, query_ids[start:position]
            start, widest = position, 0
        widest = max(widest, width)
    yield start, query_ids[start:]


def _block_hits(
    run: Run, qrels: Qrels, ids: Sequence[str], start: int, ties: Ties
) -> tuple[Ints, Ints, Ints]:
    """Return query position, rank and grade of the hits of consecutive queries."""
    rankings = [run.get(query_id, {}) for query_id in ids]
    lengths = np.fromiter(map(len, rankings), np.int64, len(ids))
    total = int(lengths.sum())
    scores = np.fromiter(chain.from_iterable(r.values() for r in rankings), np.float64, total)
    if not np.isfinite(scores).all():
        for query_id, ranking in zip(ids, rankings, strict=True):
            check_scores(query_id, ranking)
    grades = np.fromiter(
        chain.from_iterable(
            map(qrels[query_id].get, ranking, repeat(0))
            for query_id, ranking in zip(ids, rankings, strict=True)
        ),
        np.int64,
        total,
    )  # fmt: skip
    row = np.repeat(np.arange(len(ids)), lengths)
    column = np.arange(total) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    with np.errstate(over="ignore"):
        falling = -(scores.astype(np.float32) if ties == "trec" else scores)
    table = np.full((len(ids), int(lengths.max(initial=0))), np.nan, falling.dtype)
    table[row, column] = falling  # NaN after the end of a ranking: it sorts last and never ties
    hits = grades > 0
    row, column, grades = row[hits], column[hits], grades[hits]
    if ties == "stable":
        ranks = _ranks(np.argsort(table, axis=1, kind="stable"))
    else:
        order = np.argsort(table, axis=1)
        ranks = _ranks(order)
        unsure = np.unique(row[_tied(table, order)[row, column]])
        by_id = _columns_by_id([rankings[each] for each in unsure.tolist()], table.shape[1], ties)
        in_turn = np.argsort(np.take_along_axis(table[unsure], by_id, axis=1), 1, kind="stable")
        ranks[unsure] = _ranks(np.take_along_axis(by_id, in_turn, axis=1))
    return row + start, ranks[row, column], grades


def _ranks(order: Ints) -> Ints:
    """Return the rank of each column of a row, from the columns in the order of their ranks."""
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(1, order.shape[1] + 1)[None, :], axis=1)
    return ranks


def _tied(table: NDArray[Any], order: Ints) -> NDArray[np.bool_]:
    """Return which cells of a row equal another one."""
    ascending = np.take_along_axis(table, order, axis=1)
    same = ascending[:, 1:] == ascending[:, :-1]
    in_turn = np.zeros(table.shape, np.bool_)
    in_turn[:, 1:] |= same
    in_turn[:, :-1] |= same
    tied = np.empty_like(in_turn)
    np.put_along_axis(tied, order, in_turn, axis=1)
    return tied


def _columns_by_id(rankings: Sequence[Mapping[str, float]], width: int, ties: Ties) -> Ints:
    """Return the columns of each ranking in the order in which ties put their document ids."""
    columns = np.tile(np.arange(width), (len(rankings), 1))
    for row, ranking in enumerate(rankings):
        ids = list(ranking)
        columns[row, : len(ids)] = sorted(
            range(len(ids)), key=ids.__getitem__, reverse=ties == "trec"
        )
    return columns


def _ideal(qrels: Qrels, query_ids: Sequence[str]) -> tuple[_Hits, Ints]:
    lengths = np.fromiter((len(qrels[each]) for each in query_ids), np.int64, len(query_ids))
    judged = (qrels[each].values() for each in query_ids)
    grade = np.fromiter(chain.from_iterable(judged), np.int64, int(lengths.sum()))
    query = np.repeat(np.arange(len(query_ids)), lengths)[grade > 0]
    grade = grade[grade > 0]
    order = np.lexsort((-grade, query))
    query, grade = query[order], grade[order]
    relevant = np.bincount(query, minlength=len(query_ids))
    return _Hits(query, _position_in_query(query), grade), relevant


def _position_in_query(query: Ints) -> Ints:
    """Return 1, 2, 3, ... within each run of equal values of a sorted array."""
    return np.arange(1, query.size + 1) - np.searchsorted(query, query, side="left")


def _discounted(hits: _Hits, judged: Judged, k: int | None, gain: str) -> Floats:
    gains = hits.grade if gain == "linear" else np.exp2(hits.grade) - 1
    return _summed(hits, gains / np.log2(hits.rank + 1) * _within(hits.rank, k), judged)


def _counted(judged: Judged, k: int | None) -> Floats:
    return _summed(judged.found, _within(judged.found.rank, k), judged)


def _summed(hits: _Hits, weights: Any, judged: Judged) -> Floats:
    sums = np.bincount(hits.query, weights=weights, minlength=judged.relevant.size)
    return sums.astype(np.float64, copy=False)  # without any weights, the result would be integers


def _at_least_one(divisor: Any, judged: Judged) -> Floats:
    return np.where(judged.relevant > 0, divisor, 1.0)


def _within(rank: Any, k: int | None) -> Any:
    return rank > 0 if k is None else rank <= k
