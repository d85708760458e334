"""Metrics of edits: whether a system notices that a condition is broken, beyond any change."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from leadline.metrics.pairs import decline, pairs_by_topic
from leadline.metrics.ranking import Precision, Recall
from leadline.metrics.ranks import score_of
from leadline.metrics.record import Measure
from leadline.metrics.topics import topic_of
from leadline.types import Metric, Qrels, Query, Run

CONTROL = "control"
SEEN = "seen"
"""Facet of a query that compares two documents: `yes`, or why the system could not see its case."""

YES = "yes"
_STATES_CONDITION = frozenset({"k", "style", "document", "before", "after"})
_FIGURES = re.compile(r"[\d.,]+")


@dataclass(frozen=True, slots=True)
class Compared:
    """A case with its control: what the documents scored under the same query.

    edit     kind of edit
    place    word of the document at which the edit stands, from 1; 0 where that is not said
    met, broken, control  scores of the document that meets all conditions, of the one that
             misses one, and of the one with a change that breaks nothing
    seen     `yes`, or why the system could not see the edit or the control; empty where unknown
    digits   whether the edit changes digits and nothing else
    """

    topic: str
    edit: str
    k: int
    place: int
    met: float
    broken: float
    control_met: float
    control: float
    seen: str
    digits: bool = False

    @property
    def won(self) -> bool:
        """Whether the broken document scored lower."""
        return self.met > self.broken

    @property
    def control_won(self) -> bool:
        """Whether the control scored lower, though nothing is broken in it."""
        return self.control_met > self.control


def pair_of(query: Query, qrels: Qrels) -> tuple[str, str] | None:
    """Return the document that meets all conditions of a query, and the one it is compared with.

    None for a query that compares no two documents.
    """
    facets = query.facets
    if not facets.keys() >= _STATES_CONDITION:
        return None
    k, source, grades = int(facets["k"]), facets["document"], qrels.get(query.id, {})
    wanted = k if facets["style"] == CONTROL else k - 1
    others = [id for id, grade in grades.items() if grade == wanted and id != source]
    return (source, others[0]) if source in grades and len(others) == 1 else None


def cases(queries: Iterable[Query], qrels: Qrels, run: Run) -> list[Compared]:
    """Return the cases in list style that have a control."""
    queries = list(queries)
    controls = {
        (topic_of(query), query.facets["k"]): query
        for query in queries
        if query.facets.get("style") == CONTROL and "k" in query.facets
    }
    found = []
    for query in queries:
        control = controls.get((topic_of(query), query.facets.get("k", "")))
        if query.facets.get("style") != "list" or control is None:
            continue
        pair, other = pair_of(query, qrels), pair_of(control, qrels)
        if pair is None or other is None:
            continue
        scores, beside = run.get(query.id, {}), run.get(control.id, {})
        reasons = [query.facets.get(SEEN, ""), control.facets.get(SEEN, "")]
        found.append(
            Compared(
                topic_of(query), query.facets.get("edit", ""),
                k=int(query.facets["k"]), place=int(query.facets.get("at", 0)),
                met=score_of(scores, pair[0]), broken=score_of(scores, pair[1]),
                control_met=score_of(beside, other[0]), control=score_of(beside, other[1]),
                seen=next((each for each in reasons if each not in (YES, "")), reasons[0]),
                digits=_changes_digits(query.facets),
            )
        )  # fmt: skip
    return found


def _changes_digits(facets: Mapping[str, str]) -> bool:
    """Tell whether an edit changes digits and nothing else: `4 days`, not `WorkLife4You`."""
    before, after = facets.get("before", ""), facets.get("after", "")
    return before != after and _FIGURES.sub("", before) == _FIGURES.sub("", after)


@dataclass(frozen=True)
class Noticed(Measure):
    """Win rate on the edits minus win rate on their controls, over the cases the system could see.

    Unit: topic with such a case. A tie is no win on either side. 0 is a system that only marks
    that something changed, 1 one that marks every broken condition and no control.

    unseen  `missed` counts a case that the system could not see as one that it did not notice, so
            that systems which see different cases can be compared
    """

    stem = "Noticed"
    unseen: Literal["left_out", "missed"] = "left_out"

    def counts(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, int]:
        """Count the cases that are seen, and those where the edit, or the control, loses."""
        seen = [case for case in cases(queries, qrels, run) if case.seen in (YES, "")]
        return {
            "n": len(seen),
            "broken": sum(case.won for case in seen),
            "harmless": sum(case.control_won for case in seen),
        }

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the difference by topic, from -1 to 1."""
        by_topic: dict[str, list[int]] = {}
        for case in cases(queries, qrels, run):
            if case.seen in (YES, ""):
                by_topic.setdefault(case.topic, []).append(case.won - case.control_won)
            elif self.unseen == "missed":
                by_topic.setdefault(case.topic, []).append(0)
        return {topic: fmean(differences) for topic, differences in by_topic.items()}


@dataclass(frozen=True)
class Unseen(Measure):
    """Share of the cases that the system could not see, of those of which that is known.

    Unit: topic. Reads the facet `seen` of queries in list style.
    """

    stem = "Unseen"

    def counts(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, int]:
        """Count the cases that the system could not see; nothing where it saw all."""
        unseen = [each for held in self._by_topic(queries).values() for each in held]
        return {"n": len(unseen), "unseen": sum(unseen)} if any(unseen) else {}

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the share by topic."""
        return {topic: fmean(held) for topic, held in self._by_topic(queries).items()}

    def _by_topic(self, queries: Sequence[Query]) -> dict[str, list[bool]]:
        by_topic: dict[str, list[bool]] = {}
        for query in queries:
            if query.facets.get("style") == "list" and SEEN in query.facets:
                by_topic.setdefault(topic_of(query), []).append(query.facets[SEEN] != YES)
        return by_topic


@dataclass(frozen=True)
class Decline(Measure):
    """Win rate of the query with the fewest conditions minus that of the one with the most.

    Unit: topic with queries of one condition and of several; its value is -1, 0 or 1, and their
    mean is WR_1 - WR_10 where every topic goes from 1 to 10.
    Source: Lu et al., MultiConIR, task 1.
    """

    stem = "Decline"
    style: str = "list"

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
    unit: str = "query"

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
