"""The same measures as `judged`, over arrays of many queries at once: for large runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, TypeAlias

from leadline.metrics.judged import Gain, judge
from leadline.metrics.ranks import Ties, check_scores
from leadline.types import Qrels, Run

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]
    Floats: TypeAlias = NDArray[np.float64]
    Hits: TypeAlias = tuple[Ints, Ints, Ints]

_BLOCK = 1 << 18  # documents read at once: bounds the memory to tens of MB


@dataclass(frozen=True)
class JudgedQueries:
    """What Q queries come down to, as arrays; `*_query` holds positions in 0..Q-1.

    hit_*    the relevant documents that were retrieved, by query and rank
    ideal_*  all relevant documents, by query and falling grade; ranks from 1
    relevant [Q] the number of relevant documents
    """

    hit_query: Ints
    hit_rank: Ints
    hit_grade: Ints
    ideal_query: Ints
    ideal_rank: Ints
    ideal_grade: Ints
    relevant: Ints


def judge_all(run: Run, qrels: Qrels, query_ids: Sequence[str], ties: Ties) -> JudgedQueries:
    """Join the rankings of queries with their grades; a query not in the run has none.

    Raises InputError when a score is not finite, ValueError on no query at all.
    """
    import numpy as np

    blocks = [_block_hits(run, qrels, ids, start, ties) for start, ids in _blocks(run, query_ids)]
    query, rank, grade = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    order = np.lexsort((rank, query))
    return JudgedQueries(query[order], rank[order], grade[order], *_ideal(qrels, query_ids))


def ndcg_of_all(judged: JudgedQueries, k: int | None, gain: Gain) -> Floats:
    """Return the nDCG at k of each query; meaningless where nothing is relevant."""
    gained = _discounted(judged.hit_query, judged.hit_rank, judged.hit_grade, judged, k, gain)
    ideal = _discounted(judged.ideal_query, judged.ideal_rank, judged.ideal_grade, judged, k, gain)
    return gained / _at_least_one(ideal, judged)


def reciprocal_rank_of_all(judged: JudgedQueries, k: int | None) -> Floats:
    """Return the reciprocal of the first relevant rank of each query, 0 below k."""
    import numpy as np

    first = np.full(judged.relevant.size, np.inf)
    np.minimum.at(first, judged.hit_query, judged.hit_rank)
    return np.where(_within(first, k), 1.0 / first, 0.0)


def average_precision_of_all(judged: JudgedQueries, k: int | None) -> Floats:
    """Return the average precision at k of each query."""
    number = _position_in_query(judged.hit_query)
    weights = number / judged.hit_rank * _within(judged.hit_rank, k)
    return _summed(judged.hit_query, weights, judged) / _at_least_one(judged.relevant, judged)


def recall_of_all(judged: JudgedQueries, k: int | None) -> Floats:
    """Return the recall at k of each query."""
    return _hits_within(judged, k) / _at_least_one(judged.relevant, judged)


def precision_of_all(judged: JudgedQueries, k: int) -> Floats:
    """Return the precision at k of each query."""
    return _hits_within(judged, k) / k


def _blocks(run: Run, query_ids: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
    """Cut the queries so that each block, padded to its longest ranking, stays small."""
    start, widest = 0, 0
    for position, query_id in enumerate(query_ids):
        width = len(run.get(query_id, ()))
        if position > start and max(widest, width) * (position + 1 - start) > _BLOCK:
            yield start, query_ids[start:position]
            start, widest = position, 0
        widest = max(widest, width)
    if start < len(query_ids):
        yield start, query_ids[start:]


def _block_hits(run: Run, qrels: Qrels, ids: Sequence[str], start: int, ties: Ties) -> Hits:
    """Return query position, rank and grade of the hits of consecutive queries."""
    import numpy as np

    rankings = [run.get(query_id, {}) for query_id in ids]
    lengths = np.fromiter(map(len, rankings), np.int64, len(ids))
    total = int(lengths.sum())
    scores = np.fromiter(chain.from_iterable(r.values() for r in rankings), np.float64, total)
    if not np.isfinite(scores).all():
        for query_id, ranking in zip(ids, rankings, strict=True):
            check_scores(query_id, ranking)
    grades = np.fromiter(_grades(rankings, qrels, ids), np.int64, total)
    row = np.repeat(np.arange(len(ids)), lengths)
    column = np.arange(total) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    ranks, tied = _ranks(scores, row, column, (len(ids), int(lengths.max(initial=0))), ties)
    relevant = grades > 0
    unsure = np.unique(row[relevant & tied])
    sure = relevant & ~np.isin(row, unsure) if unsure.size else relevant
    query, rank, grade = _settled(rankings, qrels, ids, unsure.tolist(), start, ties)
    return (
        np.concatenate((row[sure] + start, query)),
        np.concatenate((ranks[sure], rank)),
        np.concatenate((grades[sure], grade)),
    )


def _grades(rankings: Sequence[Mapping[str, float]], qrels: Qrels, ids: Sequence[str]) -> Any:
    return chain.from_iterable(
        map(qrels[query_id].get, ranking, repeat(0))
        for query_id, ranking in zip(ids, rankings, strict=True)
    )


def _ranks(
    scores: Floats, row: Ints, column: Ints, shape: tuple[int, int], ties: Ties
) -> tuple[Ints, NDArray[np.bool_]]:
    """Return the rank of each score in its row, and whether a tie leaves it unsettled."""
    import numpy as np

    with np.errstate(over="ignore"):
        falling = -(scores.astype(np.float32) if ties == "trec" else scores)
    table = np.full(shape, np.nan, falling.dtype)  # NaN sorts last and equals nothing
    table[row, column] = falling
    order = np.argsort(table, axis=1, kind="stable" if ties == "stable" else None)
    ranks = np.empty(shape, np.int64)
    np.put_along_axis(ranks, order, np.arange(1, shape[1] + 1)[None, :], axis=1)
    if ties == "stable" or shape[1] < 2:
        return ranks[row, column], np.zeros(scores.size, np.bool_)
    ascending = np.take_along_axis(table, order, axis=1)
    same = ascending[:, 1:] == ascending[:, :-1]
    in_tie = np.zeros(shape, np.bool_)
    in_tie[:, 1:] |= same
    in_tie[:, :-1] |= same
    tied = np.zeros(shape, np.bool_)
    np.put_along_axis(tied, order, in_tie, axis=1)
    return ranks[row, column], tied[row, column]


def _settled(
    rankings: Sequence[Mapping[str, float]],
    qrels: Qrels,
    ids: Sequence[str],
    rows: Sequence[int],
    start: int,
    ties: Ties,
) -> Hits:
    """Return the hits of queries whose relevant documents tie, by the plain implementation."""
    import numpy as np

    hits = [
        (start + row, rank, grade)
        for row in rows
        for rank, grade in judge(ids[row], rankings[row], qrels[ids[row]], ties).hits
    ]
    query, rank, grade = np.array(hits, np.int64).reshape(-1, 3).T
    return query, rank, grade


def _ideal(qrels: Qrels, query_ids: Sequence[str]) -> tuple[Ints, Ints, Ints, Ints]:
    import numpy as np

    lengths = np.fromiter((len(qrels[each]) for each in query_ids), np.int64, len(query_ids))
    judged = (qrels[each].values() for each in query_ids)
    grade = np.fromiter(chain.from_iterable(judged), np.int64, int(lengths.sum()))
    query = np.repeat(np.arange(len(query_ids)), lengths)[grade > 0]
    grade = grade[grade > 0]
    order = np.lexsort((-grade, query))
    query, grade = query[order], grade[order]
    relevant = np.bincount(query, minlength=len(query_ids))
    return query, _position_in_query(query), grade, relevant


def _position_in_query(query: Ints) -> Ints:
    """Return 1, 2, 3, ... within each run of equal values of a sorted array."""
    import numpy as np

    return np.arange(1, query.size + 1) - np.searchsorted(query, query, side="left")


def _discounted(
    query: Ints, rank: Ints, grade: Ints, judged: JudgedQueries, k: int | None, gain: Gain
) -> Floats:
    import numpy as np

    gains = grade if gain == "linear" else np.exp2(grade) - 1
    return _summed(query, gains / np.log2(rank + 1) * _within(rank, k), judged)


def _hits_within(judged: JudgedQueries, k: int | None) -> Floats:
    return _summed(judged.hit_query, _within(judged.hit_rank, k), judged)


def _summed(query: Ints, weights: Any, judged: JudgedQueries) -> Floats:
    import numpy as np

    sums = np.bincount(query, weights=weights, minlength=judged.relevant.size)
    return sums.astype(np.float64, copy=False)  # no weights at all give integers


def _at_least_one(divisor: Any, judged: JudgedQueries) -> Floats:
    import numpy as np

    return np.where(judged.relevant > 0, divisor, 1.0)


def _within(rank: Any, k: int | None) -> Any:
    return rank > 0 if k is None else rank <= k
