"""Figures of what quality costs: over the depth of a system, and over tokens of reasoning."""

from __future__ import annotations

from collections.abc import Sequence

from leadline.evidence import Curve, Figure, Interval, Scatter
from leadline.kinds.registry import kind_or_ranking
from leadline.metrics.meanings import label_of, may_rank, meaning_of
from leadline.report import Report, interval_of


def cost_figures(benchmark: str, reports: Sequence[Report]) -> list[Figure]:
    """Return a curve over depths and a point for each system over tokens, as far as there are any.

    The curve needs a system that ran as `SYSTEM@N` for several N, the points one that reasoned.
    """
    metric = _leading(reports)
    if not metric:
        return []
    found = (_by_depth(metric, benchmark, reports), _by_tokens(metric, benchmark, reports))
    return [figure for figure in found if figure is not None]


def _leading(reports: Sequence[Report]) -> str:
    """Return the first main metric that every report has."""
    if not reports:
        return ""
    main = kind_or_ranking(reports[0].kind).main
    able = [name for name in main if may_rank(name)]
    return next((name for name in able if all(name in each.means() for each in reports)), "")


def _by_depth(metric: str, benchmark: str, reports: Sequence[Report]) -> Curve | None:
    found: dict[str, dict[int, Interval]] = {}
    for report in reports:
        chain, _, depth = report.system.rpartition("@")
        if not (chain and depth.isdecimal()):
            depth = report.settings.get("reranked", report.settings.get("depth", ""))
            chain, depth = report.system, str(depth)
        if depth.isdecimal():
            mean = report.mean(metric)
            found.setdefault(chain, {})[int(depth)] = interval_of(mean)
    lines = {chain: by_depth for chain, by_depth in found.items() if len(by_depth) > 1}
    if not lines:
        return None
    places = tuple(sorted({depth for by_depth in lines.values() for depth in by_depth}))
    return Curve(
        title=f"{label_of(metric)} by depth",
        x_label="documents that the first stage hands on",
        y_label=label_of(metric),
        x=places,
        lines={
            chain: tuple(by_depth.get(place) for place in places)
            for chain, by_depth in lines.items()
        },
        probe=benchmark,
    )


def _by_tokens(metric: str, benchmark: str, reports: Sequence[Report]) -> Scatter | None:
    """Return a point a system; one that does not reason writes nothing."""
    written = {
        report.system: report.reasoning.tokens["by query"] if report.reasoning else 0.0
        for report in reports
    }
    most = max(written.values(), default=0.0)
    if not most or len(reports) < 2:
        return None
    return Scatter(
        title=f"{label_of(metric)} by tokens of reasoning",
        x_label="tokens written for a query",
        y_label=label_of(metric),
        points={each.system: (written[each.system], each.mean(metric).mean) for each in reports},
        x=(0.0, most),
        y=meaning_of(metric).span or (0.0, 1.0),
        note="To the right: more is written, and paid, for every query. Systems that do not reason "
        "stand at 0.",
        probe=benchmark,
    )
