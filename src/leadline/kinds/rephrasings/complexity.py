"""Which queries are hard to rank: those whose scores barely differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leadline.errors import InputError
from leadline.metrics.ranks import check_scores, checked_k
from leadline.metrics.topics import Where, is_original, topic_of
from leadline.types import Metric, Qrels, Query, Run


def complex_queries(run: Run, *, k: int = 50, below: float = 0.1) -> list[str]:
    """Return the queries whose first and k-th scores differ by less than `below`.

    The threshold is on the scale of the scores: 0.1 was meant for cosines. Queries with fewer
    than k documents are left out.

    Source: Campese et al., Improving Document Retrieval Coherence, section 4.4.
    """
    if not below > 0:
        raise InputError(f"below must be above 0, got {below}.")
    checked_k(k)
    found = []
    for query_id, ranking in run.items():
        check_scores(query_id, ranking)
        scores = sorted(ranking.values(), reverse=True)
        if len(scores) >= k and scores[0] - scores[k - 1] < below:
            found.append(query_id)
    return found


@dataclass(frozen=True)
class OnComplex(Metric):
    """A metric over the topics whose original query is complex for the system at hand.

    k, below  as `complex_queries` has them: on the scale of the scores, so for cosines only
    """

    metric: Metric
    below: float = 0.1
    k: int = 50

    @property
    def name(self) -> str:
        """`RBO@5[complex=0.1]`."""
        return f"{self.metric.name}[complex={self.below:g}]"

    @property
    def where(self) -> Where:
        """The queries that the metric is about; those that are not complex are left out."""
        return self.metric.where

    @property
    def why_empty(self) -> str:
        """Why no unit has a value, where none has."""
        return (
            f"no query's first and {self.k}th scores differ by less than {self.below:g}, a measure "
            "for cosines"
        )

    @property
    def unit(self) -> str:
        """The unit of the metric."""
        return self.metric.unit

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> Mapping[str, float]:
        """Return what the metric gives for these topics."""
        originals = {query.id: topic_of(query) for query in queries if is_original(query)}
        found = {query_id: run.get(query_id, {}) for query_id in originals}
        hard = complex_queries(found, k=self.k, below=self.below)
        topics = {originals[query_id] for query_id in hard}
        kept = [query for query in queries if topic_of(query) in topics]
        judged = {query.id: qrels[query.id] for query in kept if query.id in qrels}
        return self.metric(kept, judged, run)
