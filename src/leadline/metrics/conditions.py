"""Ladders of conditions beyond single pairs: how win rates decline, and where d_n stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean

from leadline.metrics.pairs import decline, pairs_by_topic
from leadline.metrics.ranking import Precision, Recall
from leadline.types import Metric, Qrels, Query, Run


@dataclass(frozen=True)
class Decline(Metric):
    """Win rate of the query with the fewest conditions minus that of the one with the most.

    Unit: topic with queries of one condition and of several; its value is -1, 0 or 1, and their
    mean is WR_1 - WR_10 where every topic goes from 1 to 10.
    Source: Lu et al., MultiConIR, task 1.
    """

    style: str = "list"
    unit: str = field(default="topic", init=False)

    @property
    def name(self) -> str:
        """`Decline`, `Decline[style=prose]`."""
        return "Decline" if self.style == "list" else f"Decline[style={self.style}]"

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the decline by topic."""
        counts = {int(query.facets.get("k", 0)) for query in queries}
        wins: dict[str, list[float]] = {}
        for k in sorted(counts):
            for topic, pairs in pairs_by_topic(queries, qrels, run, self.style, k).items():
                if k == 1 or topic in wins:
                    wins.setdefault(topic, []).append(fmean(a > b for a, b in pairs))
        return {topic: decline(rates) for topic, rates in wins.items() if len(rates) > 1}


@dataclass(frozen=True)
class PositiveOnly(Metric):
    """A ranking metric that takes the document that meets most conditions for the relevant one."""

    metric: Metric
    unit: str = field(default="query", init=False)

    @property
    def name(self) -> str:
        """The name of the metric."""
        return self.metric.name

    @property
    def where(self) -> tuple[tuple[str, str], ...]:
        """The queries that the metric is about."""
        return self.metric.where

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the value by query."""
        positives = {
            query: {id: int(0 < grade == max(grades.values())) for id, grade in grades.items()}
            for query, grades in qrels.items()
            if grades
        }
        return dict(self.metric(queries, positives, run))


LISTS = (("style", "list"),)
FIRST = PositiveOnly(Precision(1, where=LISTS))
FOUND = PositiveOnly(Recall(10, where=LISTS))
