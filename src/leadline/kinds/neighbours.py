"""Neighbours: whether conditions bring their document before the real ones near it."""

from __future__ import annotations

from collections.abc import Sequence

from leadline.kinds.kind import Kind, Probe
from leadline.metrics.ranking import MRR, NDCG, Precision, Recall
from leadline.report import Report
from leadline.report.evidence import Figure
from leadline.report.figures import bars_by_facet


def _figures(benchmark: str, reports: Sequence[Report]) -> list[Figure]:
    bars = bars_by_facet("MRR@10", "k", benchmark, reports)
    return [] if bars is None else [bars]


KIND = Kind(
    name="neighbours",
    question="Do all conditions together bring their document before the real ones near it?",
    metrics=(Precision(1), MRR(10), NDCG(10), Recall(100)),
    main=("P@1", "MRR@10", "nDCG@10"),
    breakdowns=("P@1[k]", "MRR@10[k]"),
    strict=True,
    figures=_figures,
    probe=Probe(
        "leadline.kinds.conditions.neighbours:build",
        "the document that meets all conditions must come before the real ones near it. Asked in "
        "place of conditions where a search cannot be given edited documents.",
        by_default=False,
        caution="only the document that a query was made of counts as right. Others may meet all "
        "conditions in other words, so figures are lower bounds. Whether a broken condition is "
        "noticed is not measured",
    ),
)
