"""Beside WISE: what it could be, and where the documents asked for stand in each mode."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean

from leadline.metrics.compliance import MODES, WISEMode, ideal_wise, topics_in
from leadline.metrics.naming import labelled
from leadline.types import Metric, Qrels, Query, Run


@dataclass(frozen=True)
class IdealWISE(Metric):
    """WISE of a topic if each gold document came first when asked for, and fell when refused.

    Source: Zhou et al., InfoSearch, whose tables set WISE against it.
    """

    mode: WISEMode = "paper"
    k: int = 20
    depth: int = 0
    unit: str = field(default="topic", init=False)

    @property
    def name(self) -> str:
        """`IdealWISE`, `IdealWISE[mode=code_head]`."""
        return labelled(self, "IdealWISE", "mode")

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the mean over a topic's gold documents by topic."""
        return {
            topic.name: fmean(
                ideal_wise(
                    topic.ranks(each)[0],
                    len(topic.gold) + len(topic.became),
                    k=self.k,
                    mode=self.mode,
                )
                for each in topic.gold
            )
            for topic in topics_in(queries, qrels, run, depth=self.depth)
            if topic.gold
        }


@dataclass(frozen=True)
class GoldRank(Metric):
    """Mean rank of a topic's gold documents in one mode.

    The reversed mode has the gold of the topic too: there, the lower it stands the better.
    """

    mode: str = "original"
    depth: int = 0
    unit: str = field(default="topic", init=False)

    @property
    def name(self) -> str:
        """`GoldRank`, `GoldRank[mode=reversed]`."""
        return labelled(self, "GoldRank", "mode")

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the mean rank by topic; a topic that lacks a mode has none."""
        place = MODES.index(self.mode)
        return {
            topic.name: fmean(topic.ranks(each)[place] for each in topic.gold)
            for topic in topics_in(queries, qrels, run, depth=self.depth)
            if topic.gold
        }
