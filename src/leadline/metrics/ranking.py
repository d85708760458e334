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
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

from leadline.errors import InputError, unknown
from leadline.metrics import judged as plain
from leadline.metrics import judged_arrays as arrays
from leadline.metrics.judged import Gain, checked_gain
from leadline.metrics.ranks import Ties, checked_k, checked_ties
from leadline.metrics.topics import Where, matching
from leadline.types import Metric, Qrels, Query, Run

Absent: TypeAlias = Literal["zero", "leave_out"]
NoRelevant: TypeAlias = Literal["leave_out", "zero"]

_LARGE = 20_000  # retrieved documents from which arrays repay the import of numpy


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
    return _one(run, qrels, _ndcg(k, gain), ties, absent, no_relevant)


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
    return _one(run, qrels, _reciprocal_rank(k), ties, absent, no_relevant)


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
    return _one(run, qrels, _average_precision(k), ties, absent, no_relevant)


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
    return _one(run, qrels, _recall(k), ties, absent, no_relevant)


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
    return _one(run, qrels, _precision(k), ties, absent, no_relevant)


def measure(
    run: Run,
    qrels: Qrels,
    names: Iterable[str],
    *,
    ties: Ties = "trec",
    absent: Absent = "zero",
    no_relevant: NoRelevant = "leave_out",
) -> dict[str, dict[str, float]]:
    """Several measures of one run for little more than the price of one: name -> query -> value.

    names  `nDCG@10`, `MRR@10`, `MAP@100`, `Recall@100`, `P@1`

    Raises InputError on any other name.
    """
    names = tuple(names)
    formulas = [_formula(name) for name in names]
    values = _each(run, qrels, formulas, ties, absent, no_relevant)
    return dict(zip(names, values, strict=True))


@dataclass(frozen=True)
class RankingMetric(Metric):
    """A measure at k of every query that matches `where`, a tuple of (facet, value).

    least        grade from which a document is relevant; lower ones count 0
    no_relevant  what a query without relevant documents counts: `zero`, as in trec_eval, BEIR and
                 MTEB, or nothing (`leave_out`)
    """

    stem: ClassVar[str]
    k: int
    ties: Ties = "trec"
    where: Where = ()
    least: int = 1
    no_relevant: NoRelevant = "zero"
    unit: str = field(default="query", init=False)

    @property
    def name(self) -> str:
        """`nDCG@10`."""
        return f"{self.stem}@{self.k}"

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the value by query id."""
        asked = self.asked(queries, qrels)
        options = {"ties": self.ties, "no_relevant": self.no_relevant}
        return measure(run, asked, [self.name], **options)[self.name]  # type: ignore[arg-type]

    def asked(self, queries: Sequence[Query], qrels: Qrels) -> dict[str, Mapping[str, int]]:
        """Return the judgements of the queries that the metric is about."""
        judged = {
            each.id: qrels[each.id] for each in matching(queries, self.where) if each.id in qrels
        }
        if self.least == 1:
            return judged
        return {
            query: {id: grade if grade >= self.least else 0 for id, grade in grades.items()}
            for query, grades in judged.items()
        }


@dataclass(frozen=True)
class NDCG(RankingMetric):
    """nDCG@k."""

    stem = "nDCG"
    k: int = 10


@dataclass(frozen=True)
class MRR(RankingMetric):
    """Reciprocal rank at k; its mean is MRR@k."""

    stem = "MRR"
    k: int = 10


@dataclass(frozen=True)
class MAP(RankingMetric):
    """Average precision at k; its mean is MAP@k."""

    stem = "MAP"
    k: int = 100


@dataclass(frozen=True)
class Recall(RankingMetric):
    """Recall@k."""

    stem = "Recall"
    k: int = 100


@dataclass(frozen=True)
class Precision(RankingMetric):
    """Precision at k."""

    stem = "P"
    k: int = 1


class _Formula(NamedTuple):
    """One measure twice: of one query in plain Python, and of many over arrays."""

    of_one: Callable[[plain.Judged], float]
    of_all: Callable[[arrays.JudgedQueries], Any]


def _ndcg(k: int | None, gain: Gain = "linear") -> _Formula:
    checked_k(k)
    checked_gain(gain)
    return _Formula(
        lambda one: plain.ndcg_of(one, k, gain), lambda many: arrays.ndcg_of_all(many, k, gain)
    )


def _reciprocal_rank(k: int | None) -> _Formula:
    checked_k(k)
    return _Formula(
        lambda one: plain.reciprocal_rank_of(one, k),
        lambda many: arrays.reciprocal_rank_of_all(many, k),
    )


def _average_precision(k: int | None) -> _Formula:
    checked_k(k)
    return _Formula(
        lambda one: plain.average_precision_of(one, k),
        lambda many: arrays.average_precision_of_all(many, k),
    )


def _recall(k: int | None) -> _Formula:
    checked_k(k)
    return _Formula(lambda one: plain.recall_of(one, k), lambda many: arrays.recall_of_all(many, k))


def _precision(k: int) -> _Formula:
    checked_k(k)
    return _Formula(
        lambda one: plain.precision_of(one, k), lambda many: arrays.precision_of_all(many, k)
    )


_BY_STEM: dict[str, Callable[[int], _Formula]] = {
    "nDCG": _ndcg,
    "MRR": _reciprocal_rank,
    "MAP": _average_precision,
    "Recall": _recall,
    "P": _precision,
}


def _formula(name: str) -> _Formula:
    stem, _, k = name.partition("@")
    if stem not in _BY_STEM or not k.isdecimal():
        raise unknown("ranking measure", name, [f"{each}@10" for each in _BY_STEM])
    return _BY_STEM[stem](int(k))


def _one(
    run: Run,
    qrels: Qrels,
    formula: _Formula,
    ties: Ties,
    absent: Absent,
    no_relevant: NoRelevant,
) -> dict[str, float]:
    return _each(run, qrels, [formula], ties, absent, no_relevant, stacklevel=5)[0]


def _each(
    run: Run,
    qrels: Qrels,
    formulas: Sequence[_Formula],
    ties: Ties,
    absent: Absent,
    no_relevant: NoRelevant,
    stacklevel: int = 4,
) -> list[dict[str, float]]:
    """Return the values of each formula for the queries that have one."""
    checked_ties(ties)
    if no_relevant not in ("leave_out", "zero"):
        raise InputError(f"no_relevant must be 'leave_out' or 'zero', got {no_relevant!r}.")
    measured = _measured(run, qrels, absent, no_relevant, stacklevel)
    if sum(len(run.get(query_id, ())) for query_id in measured) >= _LARGE:
        judged = arrays.judge_all(run, qrels, measured, ties)
        return [
            dict(zip(measured, formula.of_all(judged).tolist(), strict=True))
            for formula in formulas
        ]
    values: list[dict[str, float]] = [{} for _ in formulas]
    for query_id in measured:
        one = plain.judge(query_id, run.get(query_id, {}), qrels[query_id], ties)
        for each, formula in zip(values, formulas, strict=True):
            each[query_id] = formula.of_one(one) if one.grades else 0.0
    return values


def _measured(
    run: Run, qrels: Qrels, absent: Absent, no_relevant: NoRelevant, stacklevel: int
) -> list[str]:
    """Return the queries that get a value."""
    if absent not in ("zero", "leave_out"):
        raise InputError(f"absent must be 'zero' or 'leave_out', got {absent!r}.")
    wanted = [
        query_id
        for query_id, grades in qrels.items()
        if no_relevant == "zero" or any(grade > 0 for grade in grades.values())
    ]
    missing = [query_id for query_id in wanted if query_id not in run]
    if not missing:
        return wanted
    if absent == "leave_out":
        return [query_id for query_id in wanted if query_id in run]
    warnings.warn(
        f"{len(missing)} of {len(wanted)} queries are not in the run and count 0 "
        f"(the first is {missing[0]!r}).",
        stacklevel=stacklevel,
    )
    return wanted
