"""Questions: whether the documents that answer a natural query are ranked first."""

from __future__ import annotations

from collections.abc import Sequence

from leadline.kinds.kind import Kind
from leadline.metrics.ranking import MRR, NDCG, Recall
from leadline.report import Report
from leadline.report.figures import bars_by_facet
from leadline.report.shapes import Figure


def _figures(benchmark: str, reports: Sequence[Report]) -> list[Figure]:
    bars = bars_by_facet("nDCG@10", "form", benchmark, reports)
    return [] if bars is None else [bars]


KIND = Kind(
    name="questions",
    question="Are the documents that answer a natural query ranked first?",
    metrics=(NDCG(10), Recall(10), MRR(10)),
    main=("nDCG@10", "Recall@10", "MRR@10"),
    breakdowns=("nDCG@10[form]", "nDCG@10[found]"),
    figures=_figures,
)
