"""What the position test asks, measures and says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from leadline.kinds.kind import Kind, Probe
from leadline.metrics.names import read_name
from leadline.metrics.ranking import MRR, NDCG, Recall
from leadline.metrics.significance import FEWEST
from leadline.report import Report
from leadline.report.figures import bars_by_facet
from leadline.report.shapes import Figure
from leadline.report.wording import ByMetric, following_sentences, overlap, percent
from leadline.text.tokens import stretch_of

DEPTHS = (64, 128, 256, 512, 1024)
"""Bounds, in tokens of a document, of the stretches in which a query's words may stand."""

_NOTE = (
    "How often the document is among the first ten when the query asks for what stands at that "
    "depth, counted in words and punctuation marks from the start of its title."
)


def depth_of(tokens: int) -> str:
    """Return the stretch that a token lies in: "1-64", ..., "1025-"."""
    return stretch_of(tokens, DEPTHS)


def _figures(benchmark: str, reports: Sequence[Report]) -> list[Figure]:
    bars = bars_by_facet("Recall@10", "depth", benchmark, reports, note=_NOTE)
    return [] if bars is None else [bars]


def _sentences(by_system: Mapping[str, ByMetric], metric: str) -> list[str]:
    _, sentences = following_sentences(by_system, metric)
    return [*sentences, *filter(None, (_along(name, by_system[name]) for name in by_system))]


def _along(system: str, metrics: ByMetric) -> str:
    """Say how much less is surely found by the end of documents than by their start."""
    parts = {
        parts.value: entry
        for name, entry in metrics.items()
        if (parts := read_name(name)).plain == "Recall@10" and parts.facet == "part"
    }
    start, end = parts.get("start"), parts.get("end")
    if start is None or end is None or min(start.n, end.n) < FEWEST:
        return ""
    shares = f"{percent(start.mean)} by what stands in the first third of a document"
    other = f"{percent(end.mean)} by what stands in the last"
    if overlap(start, end):
        return ""
    return f"{system} finds {shares}, but {other}."


KIND = Kind(
    name="position",
    question="Is a document found by what stands in its middle and at its end?",
    metrics=(Recall(10), MRR(10), NDCG(10)),
    main=("Recall@10", "MRR@10", "nDCG@10"),
    decides=(Recall(10),),
    breakdowns=("Recall@10[part]", "Recall@10[depth]", "Recall@10[form]"),
    figures=_figures,
    sentences=_sentences,
    probe=Probe(
        "leadline.kinds.position.by_rules:build",
        "a document must be found by a heading or a sentence from its middle and its end.",
    ),
)
