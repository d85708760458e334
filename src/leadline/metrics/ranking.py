"""Ranking metrics: nDCG, reciprocal rank, precision, recall, mean rank.

The functions return a value by query id, in the order of the qrels. Queries without qrels are
ignored. A document is relevant if its grade is above 0. They raise InputError for k < 1, and for
a score that is not finite, with its query and document.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias, TypedDict, Unpack

from leadline.errors import InputError, unknown
from leadline.metrics.ranks import Ties, check_scores, checked_k, checked_ties, ranks_of
from leadline.metrics.record import Measure
from leadline.metrics.topics import Where, matching
from leadline.types import Qrels, Query, Run

Absent: TypeAlias = Literal["zero", "leave_out"]
NoRelevant: TypeAlias = Literal["leave_out", "zero"]
Gain: TypeAlias = Literal["linear", "exponential"]

_STEMS = ("nDCG", "MRR", "MAP", "Recall", "P")


class Options(TypedDict, total=False):
    """Options of all functions below.

    ties         `trec` (32-bit scores, then document id descending), `stable` (order of the run)
                 or `id` (document id ascending)
    absent       a query with qrels that is not in the run: `zero` (with a warning), or `leave_out`
    no_relevant  a query without relevant documents: `leave_out`, or `zero` as trec_eval counts it
    """

    ties: Ties
    absent: Absent
    no_relevant: NoRelevant


def ndcg(
    run: Run, qrels: Qrels, k: int | None, *, gain: Gain = "linear", **options: Unpack[Options]
) -> dict[str, float]:
    """Return the normalised discounted cumulated gain at k, in [0, 1].

    gain  `linear` is the grade; `exponential` is 2^grade - 1

    Source: trec_eval `ndcg_cut`; the exponential gain: Burges et al. 2005.
    """
    if gain not in ("linear", "exponential"):
        raise InputError(f"gain must be 'linear' or 'exponential', got {gain!r}.")
    return _values(run, qrels, [("nDCG", checked_k(k), {"gain": gain})], **options)[0]


def reciprocal_rank(
    run: Run, qrels: Qrels, k: int | None = None, **options: Unpack[Options]
) -> dict[str, float]:
    """Return one over the rank of the first relevant document, 0 if it is below k.

    Source: trec_eval `recip_rank` (no cut-off); BEIR `MRR@k`.
    """
    return _values(run, qrels, [("MRR", checked_k(k), {})], **options)[0]


def average_precision(
    run: Run, qrels: Qrels, k: int | None = None, **options: Unpack[Options]
) -> dict[str, float]:
    """Return the mean over all relevant documents of the precision at their rank.

    Documents below k add 0. The divisor is the number of relevant documents.
    Source: trec_eval `map_cut`.
    """
    return _values(run, qrels, [("MAP", checked_k(k), {})], **options)[0]


def recall(run: Run, qrels: Qrels, k: int | None, **options: Unpack[Options]) -> dict[str, float]:
    """Return the share of relevant documents in the first k. Source: trec_eval `recall`."""
    return _values(run, qrels, [("Recall", checked_k(k), {})], **options)[0]


def precision(run: Run, qrels: Qrels, k: int, **options: Unpack[Options]) -> dict[str, float]:
    """Return the relevant documents in the first k, divided by k. Source: trec_eval `P`."""
    return _values(run, qrels, [("P", checked_k(k), {})], **options)[0]


def measure(
    run: Run, qrels: Qrels, names: Iterable[str], **options: Unpack[Options]
) -> dict[str, dict[str, float]]:
    """Return several measures of one run in one pass: name -> query -> value.

    names  `nDCG@10`, `MRR@10`, `MAP@100`, `Recall@100`, `P@1`

    Raises InputError for any other name.
    """
    names = tuple(names)
    values = _values(run, qrels, [_formula(name) for name in names], **options)
    return dict(zip(names, values, strict=True))


@dataclass(frozen=True)
class RankingMetric(Measure):
    """A measure at k of every query that matches `where`, a tuple of (facet, value).

    least        the lowest relevant grade; lower grades count 0
    no_relevant  a query without relevant documents: `zero` counts it as 0, as trec_eval, BEIR and
                 MTEB do, `leave_out` leaves it out
    """

    k: int
    ties: Ties = "trec"
    where: Where = ()
    least: int = 1
    no_relevant: NoRelevant = "zero"

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the value by query id."""
        asked = self.asked(queries, qrels)
        (values,) = _values(
            run, asked, [_formula(self.name)], ties=self.ties, no_relevant=self.no_relevant
        )
        return values

    def counts(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, Any]:
        """Count queries whose first result is relevant, and those without one to rank k."""
        relevant = {
            query: count
            for query, grades in self.asked(queries, qrels).items()
            if (count := sum(grade > 0 for grade in grades.values()))
        }
        firsts, shares = _values(
            run, self.asked(queries, qrels), [("MRR", self.k, {}), ("Recall", self.k, {})],
            ties=self.ties, absent="leave_out",
        )  # fmt: skip
        return {
            "n": len(relevant),
            "k": self.k,
            "first": sum(each == 1 for each in firsts.values()),
            "missing": len(relevant) - sum(each > 0 for each in firsts.values()),
            "relevant": sum(relevant.values()),
            "found": round(sum(share * relevant[query] for query, share in shares.items())),
        }

    def asked(self, queries: Sequence[Query], qrels: Qrels) -> dict[str, Mapping[str, int]]:
        """Return the judgements of the queries that the metric applies to."""
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


@dataclass(frozen=True)
class MeanRank(Measure):
    """Rank of the first relevant document, or the rank after the last if none was retrieved.

    The value depends on the depth of the run, so compare only runs of equal depth.
    """

    stem = "MeanRank"
    ties: Ties = "stable"
    where: Where = ()

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the rank by query id. Queries that are not in the run are left out."""
        ranks = {}
        for query in matching(queries, self.where):
            relevant = _relevant(query, qrels)
            if relevant and query.id in run:
                check_scores(query.id, run[query.id])
                found = ranks_of(run[query.id], relevant, self.ties).values()
                ranks[query.id] = float(min(found, default=len(run[query.id]) + 1))
        return ranks


@dataclass(frozen=True)
class SetRank(Measure):
    """Rank of the first relevant document among the documents of its tuple set only.

    The set has the documents relevant to any query with the same value of a facet. A document that
    was not retrieved ranks after the retrieved ones. Guessing gives half the size of the set, plus
    a half.

    sets  value of the facet -> its documents; None takes them from the given queries
    """

    stem = "SetRank"
    facet: str = "tuple_set"
    ties: Ties = "stable"
    sets: Mapping[str, Collection[str]] | None = field(default=None, repr=False, compare=False)

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the rank by query id. Queries without the facet or a ranking are left out."""
        sets = sets_of(queries, qrels, self.facet) if self.sets is None else self.sets
        ranks = {}
        for query in queries:
            relevant = _relevant(query, qrels)
            if relevant and query.id in run and self.facet in query.facets:
                check_scores(query.id, run[query.id])
                found = ranks_of(run[query.id], sets[query.facets[self.facet]], self.ties)
                best = min((found[each] for each in relevant if each in found), default=None)
                above = [rank for rank in found.values() if best is None or rank < best]
                ranks[query.id] = float(len(above) + 1)
        return ranks

    def within(self, queries: Sequence[Query], qrels: Qrels) -> SetRank:
        """Return the metric with the sets of all these queries, for use on a part of them."""
        return replace(self, sets=sets_of(queries, qrels, self.facet))


def sets_of(
    queries: Sequence[Query], qrels: Qrels, facet: str = "tuple_set"
) -> dict[str, dict[str, None]]:
    """Return the documents relevant to the queries that share a value of a facet, in order."""
    sets: dict[str, dict[str, None]] = {}
    for query in queries:
        if facet in query.facets:
            members = sets.setdefault(query.facets[facet], {})
            members.update(dict.fromkeys(_relevant(query, qrels)))
    return sets


def _relevant(query: Query, qrels: Qrels) -> list[str]:
    return [id for id, grade in qrels.get(query.id, {}).items() if grade > 0]


Formula: TypeAlias = tuple[str, int | None, dict[str, str]]
"""Stem of a measure, its cut-off, and further options."""


def _formula(name: str) -> Formula:
    stem, _, k = name.partition("@")
    if stem not in _STEMS or not k.isdecimal():
        raise unknown("ranking measure", name, [f"{each}@10" for each in _STEMS])
    return stem, checked_k(int(k)), {}


def _values(
    run: Run,
    qrels: Qrels,
    formulas: Sequence[Formula],
    ties: Ties = "trec",
    absent: Absent = "zero",
    no_relevant: NoRelevant = "leave_out",
) -> list[dict[str, float]]:
    """Return the values of each formula for the queries that have one."""
    checked_ties(ties)
    if no_relevant not in ("leave_out", "zero"):
        raise InputError(f"no_relevant must be 'leave_out' or 'zero', got {no_relevant!r}.")
    measured = _measured(run, qrels, absent, no_relevant)
    if not measured:
        return [{} for _ in formulas]
    from leadline.metrics.judged import FORMULAS, judged

    queries = judged(run, qrels, measured, ties)
    found = [FORMULAS[stem](queries, k=k, **more) for stem, k, more in formulas]
    return [dict(zip(measured, each.tolist(), strict=True)) for each in found]


def _measured(run: Run, qrels: Qrels, absent: Absent, no_relevant: NoRelevant) -> list[str]:
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
        stacklevel=4,
    )
    return wanted
