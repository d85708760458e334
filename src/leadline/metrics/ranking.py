"""How high the relevant documents stand: nDCG, reciprocal rank, precision, recall.

The functions return a value by query id, in the order of the qrels; queries that are in the run
only are ignored. Three keyword options are common to all:

ties         `trec` (32-bit scores, then document id descending), `stable` (order of the run) or
             `id` (document id ascending)
absent       a query with qrels but not in the run: `zero` (with a warning), or `leave_out`
no_relevant  a query without relevant documents: `leave_out`, or `zero` as trec_eval counts it

A document is relevant when its grade is above 0. Every score must be finite: InputError names the
query and the document otherwise, and is raised for k < 1.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log2
from typing import Literal, NamedTuple, TypeAlias

from leadline.errors import InputError
from leadline.metrics.ranks import Ties, check_scores, checked_k, ranks_of
from leadline.metrics.topics import Where, matching
from leadline.types import Qrels, Query, Run

Absent: TypeAlias = Literal["zero", "leave_out"]
NoRelevant: TypeAlias = Literal["leave_out", "zero"]
Gain: TypeAlias = Literal["linear", "exponential"]


class Judged(NamedTuple):
    """What one query comes down to.

    hits    (rank, grade) of the relevant documents that were retrieved, best rank first
    grades  grades of all relevant documents, highest first
    """

    hits: Sequence[tuple[int, int]]
    grades: Sequence[int]


def ndcg(
    run: Run,
    qrels: Qrels,
    k: int | None,
    *,
    ties: Ties = "trec",
    absent: Absent = "zero",
    no_relevant: NoRelevant = "leave_out",
    gain: Gain = "linear",
) -> dict[str, float]:
    """Normalised discounted cumulated gain at k, in [0, 1].

    gain  `linear` is the grade; `exponential` is 2^grade - 1

    Source: trec_eval `ndcg_cut`; the exponential gain: Burges et al. 2005.
    """
    checked_k(k)
    return _each(run, qrels, lambda judged: ndcg_of(judged, k, gain), ties, absent, no_relevant)


def reciprocal_rank(
    run: Run,
    qrels: Qrels,
    k: int | None = None,
    *,
    ties: Ties = "trec",
    absent: Absent = "zero",
    no_relevant: NoRelevant = "leave_out",
) -> dict[str, float]:
    """One over the rank of the first relevant document, 0 when it stands below k.

    Source: trec_eval `recip_rank` (no cut-off); BEIR `MRR@k`.
    """
    checked_k(k)
    return _each(run, qrels, lambda judged: reciprocal_of(judged, k), ties, absent, no_relevant)


def average_precision(
    run: Run,
    qrels: Qrels,
    k: int | None = None,
    *,
    ties: Ties = "trec",
    absent: Absent = "zero",
    no_relevant: NoRelevant = "leave_out",
) -> dict[str, float]:
    """Mean, over all relevant documents, of the precision at the rank of each.

    Documents below k add nothing; the divisor stays the number of relevant documents.
    Source: trec_eval `map_cut`.
    """
    checked_k(k)
    return _each(
        run, qrels, lambda judged: average_precision_of(judged, k), ties, absent, no_relevant
    )


def recall(
    run: Run,
    qrels: Qrels,
    k: int | None,
    *,
    ties: Ties = "trec",
    absent: Absent = "zero",
    no_relevant: NoRelevant = "leave_out",
) -> dict[str, float]:
    """Share of the relevant documents that stand in the first k. Source: trec_eval `recall`."""
    checked_k(k)
    return _each(run, qrels, lambda judged: recall_of(judged, k), ties, absent, no_relevant)


def precision(
    run: Run,
    qrels: Qrels,
    k: int,
    *,
    ties: Ties = "trec",
    absent: Absent = "zero",
    no_relevant: NoRelevant = "leave_out",
) -> dict[str, float]:
    """Relevant documents in the first k, divided by k. Source: trec_eval `P`."""
    checked_k(k)
    return _each(run, qrels, lambda judged: precision_of(judged, k), ties, absent, no_relevant)


def ndcg_of(judged: Judged, k: int | None, gain: Gain = "linear") -> float:
    """Return the nDCG of one query that has a relevant document."""
    if gain not in ("linear", "exponential"):
        raise InputError(f"gain must be 'linear' or 'exponential', got {gain!r}.")
    hits, ideal = judged.hits, list(enumerate(judged.grades[:k], 1))
    if gain == "exponential":
        hits = [(rank, 2**grade - 1) for rank, grade in hits]
        ideal = [(rank, 2**grade - 1) for rank, grade in ideal]
    return _discounted(hits, k) / _discounted(ideal, k)


def reciprocal_of(judged: Judged, k: int | None) -> float:
    """Return the reciprocal rank of one query."""
    if not judged.hits or (k is not None and judged.hits[0][0] > k):
        return 0.0
    return 1.0 / judged.hits[0][0]


def average_precision_of(judged: Judged, k: int | None) -> float:
    """Return the average precision of one query that has a relevant document."""
    precisions = [
        number / rank for number, (rank, _) in enumerate(judged.hits, 1) if k is None or rank <= k
    ]
    return sum(precisions) / len(judged.grades)


def recall_of(judged: Judged, k: int | None) -> float:
    """Return the recall of one query that has a relevant document."""
    return _hits_above(judged, k) / len(judged.grades)


def precision_of(judged: Judged, k: int) -> float:
    """Return the precision of one query."""
    return _hits_above(judged, k) / k


def judge(run: Run, qrels: Qrels, *, ties: Ties, absent: Absent) -> dict[str, Judged]:
    """Join a run with its judgements, once for all the metrics that read them."""
    if absent not in ("zero", "leave_out"):
        raise InputError(f"absent must be 'zero' or 'leave_out', got {absent!r}.")
    judged, missing = {}, []
    for query_id, grades in qrels.items():
        ranking = run.get(query_id)
        if ranking is None:
            missing.append(query_id)
            if absent == "leave_out":
                continue
            ranking = {}
        judged[query_id] = _judge(query_id, ranking, grades, ties)
    if missing and absent == "zero":
        warnings.warn(
            f"{len(missing)} of {len(qrels)} queries are not in the run and count 0 "
            f"(the first is {missing[0]!r}).",
            stacklevel=4,
        )
    return judged


@dataclass(frozen=True)
class NDCG:
    """nDCG@k of every query that matches `where`, a tuple of (facet, value)."""

    k: int = 10
    ties: Ties = "trec"
    where: Where = ()
    unit: str = field(default="query", init=False)

    @property
    def name(self) -> str:
        """`nDCG@10`."""
        return f"nDCG@{self.k}"

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return nDCG@k by query id."""
        return ndcg(run, _asked(queries, qrels, self.where), self.k, ties=self.ties)


@dataclass(frozen=True)
class MRR:
    """Reciprocal rank at k of every query that matches `where`; its mean is MRR@k."""

    k: int = 10
    ties: Ties = "trec"
    where: Where = ()
    unit: str = field(default="query", init=False)

    @property
    def name(self) -> str:
        """`MRR@10`."""
        return f"MRR@{self.k}"

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the reciprocal rank at k by query id."""
        return reciprocal_rank(run, _asked(queries, qrels, self.where), self.k, ties=self.ties)


@dataclass(frozen=True)
class MAP:
    """Average precision at k of every query that matches `where`; its mean is MAP@k."""

    k: int = 100
    ties: Ties = "trec"
    where: Where = ()
    unit: str = field(default="query", init=False)

    @property
    def name(self) -> str:
        """`MAP@100`."""
        return f"MAP@{self.k}"

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the average precision at k by query id."""
        return average_precision(run, _asked(queries, qrels, self.where), self.k, ties=self.ties)


@dataclass(frozen=True)
class Recall:
    """Recall@k of every query that matches `where`."""

    k: int = 100
    ties: Ties = "trec"
    where: Where = ()
    unit: str = field(default="query", init=False)

    @property
    def name(self) -> str:
        """`Recall@100`."""
        return f"Recall@{self.k}"

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the recall at k by query id."""
        return recall(run, _asked(queries, qrels, self.where), self.k, ties=self.ties)


@dataclass(frozen=True)
class Precision:
    """Precision at k of every query that matches `where`."""

    k: int = 1
    ties: Ties = "trec"
    where: Where = ()
    unit: str = field(default="query", init=False)

    @property
    def name(self) -> str:
        """`P@1`."""
        return f"P@{self.k}"

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the precision at k by query id."""
        return precision(run, _asked(queries, qrels, self.where), self.k, ties=self.ties)


def _each(
    run: Run,
    qrels: Qrels,
    measure: Callable[[Judged], float],
    ties: Ties,
    absent: Absent,
    no_relevant: NoRelevant,
) -> dict[str, float]:
    if no_relevant not in ("leave_out", "zero"):
        raise InputError(f"no_relevant must be 'leave_out' or 'zero', got {no_relevant!r}.")
    values = {}
    for query_id, judged in judge(run, qrels, ties=ties, absent=absent).items():
        if judged.grades:
            values[query_id] = measure(judged)
        elif no_relevant == "zero":
            values[query_id] = 0.0
    return values


def _judge(
    query_id: str, ranking: Mapping[str, float], grades: Mapping[str, int], ties: Ties
) -> Judged:
    check_scores(query_id, ranking)
    relevant = {document_id: grade for document_id, grade in grades.items() if grade > 0}
    ranks = ranks_of(ranking, relevant, ties)
    hits = sorted((rank, relevant[document_id]) for document_id, rank in ranks.items())
    return Judged(hits, sorted(relevant.values(), reverse=True))


def _discounted(gains: Sequence[tuple[int, float]], k: int | None) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in gains if k is None or rank <= k)


def _hits_above(judged: Judged, k: int | None) -> int:
    return sum(1 for rank, _ in judged.hits if k is None or rank <= k)


def _asked(queries: Sequence[Query], qrels: Qrels, where: Where) -> Qrels:
    return {each.id: qrels[each.id] for each in matching(queries, where) if each.id in qrels}
