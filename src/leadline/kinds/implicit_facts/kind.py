"""Implicit facts: whether a system finds a document that only implies the requested fact."""

from __future__ import annotations

from collections.abc import Sequence

from leadline.kinds.kind import Kind
from leadline.metrics.ranking import MRR, NDCG, MeanRank, Recall, SetRank
from leadline.report import Report
from leadline.report.figures import bars_by_facet
from leadline.report.shapes import Figure


def _figures(benchmark: str, reports: Sequence[Report]) -> list[Figure]:
    bars = bars_by_facet("nDCG@10", "fact", benchmark, reports)
    return [] if bars is None else [bars]


KIND = Kind(
    name="implicit-facts",
    question="Does the system find a document that only implies the fact asked for?",
    metrics=(
        NDCG(10, "stable"),
        MRR(10, "stable"),
        Recall(10, "stable"),
        SetRank(),
        MeanRank(),
    ),
    main=("nDCG@10", "MRR@10", "SetRank"),
    breakdowns=("nDCG@10[fact]", "nDCG@10[category]", "MRR@10[category]"),
    ties="stable",
    figures=_figures,
)
