"""Where the relevant document stands: its mean rank, and its rank among its own kind."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from leadline.metrics.ranks import Ties, check_scores, ranks_of
from leadline.metrics.topics import Where, matching
from leadline.types import Metric, Qrels, Query, Run


@dataclass(frozen=True)
class MeanRank(Metric):
    """Rank of the first relevant document; one that was not retrieved has the rank after the last.

    Lower is better. The value depends on the depth of the run: compare runs of one depth only.
    """

    ties: Ties = "stable"
    where: Where = ()
    unit: str = field(default="query", init=False)

    @property
    def name(self) -> str:
        """`MeanRank`."""
        return "MeanRank"

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the rank by query id; a query that is not in the run is left out."""
        ranks = {}
        for query in matching(queries, self.where):
            relevant = _relevant(query, qrels)
            if relevant and query.id in run:
                check_scores(query.id, run[query.id])
                found = ranks_of(run[query.id], relevant, self.ties).values()
                ranks[query.id] = float(min(found, default=len(run[query.id]) + 1))
        return ranks


@dataclass(frozen=True)
class SetRank(Metric):
    """Rank of the first relevant document among the documents of its tuple set only.

    The set are the documents relevant to any query with the same value of a facet. A document
    that was not retrieved has the rank after those of the set that were. Lower is better: half the
    size of the set, and a half, is what guessing gives.

    sets  value of the facet -> its documents; None takes them from the queries at hand
    """

    facet: str = "tuple_set"
    ties: Ties = "stable"
    sets: Mapping[str, Collection[str]] | None = field(default=None, repr=False, compare=False)
    unit: str = field(default="query", init=False)

    @property
    def name(self) -> str:
        """`SetRank`."""
        return "SetRank"

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the rank by query id; a query without the facet or a ranking is left out."""
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
        """Return the metric with the sets of all these queries, for use on some of them."""
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
