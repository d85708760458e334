"""Whether a system notices what an edit says, or only that something changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Literal, TypeAlias

from leadline.metrics.ranks import score_of
from leadline.metrics.sight import CONTROL, SEEN, YES, pair_of
from leadline.metrics.topics import topic_of
from leadline.types import Metric, Qrels, Query, Run

_FIGURES = re.compile(r"[\d.,]+")

Unnoticed: TypeAlias = Literal["left_out", "missed"]


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
        unseen = [reason for reason in reasons if reason not in (YES, "")]
        found.append(
            Compared(
                topic=topic_of(query),
                edit=query.facets.get("edit", ""),
                k=int(query.facets["k"]),
                place=int(query.facets.get("at", 0)),
                met=score_of(scores, pair[0]),
                broken=score_of(scores, pair[1]),
                control_met=score_of(beside, other[0]),
                control=score_of(beside, other[1]),
                seen=unseen[0] if unseen else reasons[0],
                digits=_changes_digits(query.facets),
            )
        )
    return found


def _changes_digits(facets: Mapping[str, str]) -> bool:
    """Tell whether an edit changes digits and nothing else: `4 days`, not `WorkLife4You`."""
    before, after = facets.get("before", ""), facets.get("after", "")
    return before != after and _FIGURES.sub("", before) == _FIGURES.sub("", after)


@dataclass(frozen=True)
class Noticed(Metric):
    """Win rate on the edits minus win rate on their controls, over the cases the system could see.

    Unit: topic with such a case. A tie is no win on either side. 0 is a system that only marks
    that something changed, 1 one that marks every broken condition and no control.

    unseen  `missed` counts a case that the system could not see as one that it did not notice, so
            that systems which see different cases can be compared
    """

    unseen: Unnoticed = "left_out"
    unit: str = field(default="topic", init=False)

    @property
    def name(self) -> str:
        """`Noticed` or `Noticed[unseen=missed]`."""
        return "Noticed" if self.unseen == "left_out" else f"Noticed[unseen={self.unseen}]"

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
class Unseen(Metric):
    """Share of the cases that the system could not see, of those of which that is known.

    Unit: topic. Reads the facet `seen` of queries in list style.
    """

    unit: str = field(default="topic", init=False)

    @property
    def name(self) -> str:
        """`Unseen`."""
        return "Unseen"

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the share by topic."""
        by_topic: dict[str, list[bool]] = {}
        for query in queries:
            if query.facets.get("style") == "list" and SEEN in query.facets:
                unseen = query.facets[SEEN] != YES
                by_topic.setdefault(topic_of(query), []).append(unseen)
        return {topic: fmean(held) for topic, held in by_topic.items()}
