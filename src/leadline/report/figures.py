"""Figures that several kinds of tests draw from reports, and figures of cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from leadline.metrics.names import label_of, may_rank, read_name, record_of
from leadline.report import Mean, Report
from leadline.report.shapes import Bars, Curve, Figure, Radar, Scatter

MOST_SLICES = 16
FEWEST_AXES = 3


def bars_by_facet(
    metric: str,
    facet: str,
    benchmark: str,
    reports: Sequence[Report],
    *,
    chance: float | None = None,
    note: str = "",
) -> Bars | None:
    """Return a metric by the values of a facet, or None if it has fewer than two."""
    values = _values(metric, facet, [report.means() for report in reports])
    if not 2 <= len(values) <= MOST_SLICES:
        return None
    low, high = _scale(metric)
    return Bars(
        title=f"{label_of(metric)} by {facet}",
        value_label=label_of(metric),
        groups={
            value: {report.system: report.means().get(name) for report in reports}
            for value, name in values.items()
        },
        low=low,
        high=high,
        chance=chance,
        note=note,
        probe=benchmark,
    )


def radar_by_facet(
    metric: str, facet: str, benchmark: str, reports: Sequence[Report], *, note: str = ""
) -> Radar | None:
    """Return a metric over the values of a facet as axes, or None if it has fewer than three."""
    means = {report.system: report.means() for report in reports}
    values = _values(metric, facet, means.values())
    if not FEWEST_AXES <= len(values) <= MOST_SLICES:
        return None
    low, high = _scale(metric)
    return Radar(
        title=f"{label_of(metric)} by {facet}",
        value_label=label_of(metric),
        axes=tuple(values),
        lines={
            system: tuple(of.get(name) for name in values.values()) for system, of in means.items()
        },
        low=low,
        high=high,
        note=note,
        probe=benchmark,
    )


def scatter_of(
    across: str,
    up: str,
    benchmark: str,
    reports: Sequence[Report],
    *,
    title: str,
    note: str = "",
) -> Scatter | None:
    """Return a point for each system over two metrics, or None if fewer than two have both."""
    means = {report.system: report.means() for report in reports}
    points = {
        system: (of[across].mean, of[up].mean)
        for system, of in means.items()
        if across in of and up in of
    }
    if len(points) < 2:
        return None
    return Scatter(
        title=title, x_label=across, y_label=up, points=points, x=_scale(across), y=_scale(up),
        note=note, probe=benchmark,
    )  # fmt: skip


def _values(metric: str, facet: str, every: Iterable[Mapping[str, Mean]]) -> dict[str, str]:
    """Return the values of a facet that divide a metric, with the full metric names."""
    names = dict.fromkeys(name for means in every for name in means)
    read = {name: read_name(name) for name in names}
    return {
        parts.value: name
        for name, parts in read.items()
        if parts.facet == facet and parts.plain == metric and parts.value
    }


def _scale(metric: str) -> tuple[float, float]:
    return record_of(metric).span or (0.0, 1.0)


def cost_figures(benchmark: str, reports: Sequence[Report], main: Sequence[str]) -> list[Figure]:
    """Return a curve over reranking depths, and points over tokens of reasoning.

    The curve needs a system that ran as `SYSTEM@N` for several N, the points one that reasons.
    """
    able = [name for name in main if may_rank(name)]
    metric = next((name for name in able if all(name in each.means() for each in reports)), "")
    if not metric or not reports:
        return []
    found = (_by_depth(metric, benchmark, reports), _by_tokens(metric, benchmark, reports))
    return [figure for figure in found if figure is not None]


def _by_depth(metric: str, benchmark: str, reports: Sequence[Report]) -> Curve | None:
    found: dict[str, dict[int, Mean]] = {}
    for report in reports:
        chain, _, depth = report.system.rpartition("@")
        if not (chain and depth.isdecimal()):
            depth = report.settings.get("reranked", report.settings.get("depth", ""))
            chain, depth = report.system, str(depth)
        if depth.isdecimal():
            mean = report.mean(metric)
            found.setdefault(chain, {})[int(depth)] = mean
    lines = {chain: by_depth for chain, by_depth in found.items() if len(by_depth) > 1}
    if not lines:
        return None
    places = tuple(sorted({depth for by_depth in lines.values() for depth in by_depth}))
    return Curve(
        title=f"{label_of(metric)} by depth",
        x_label="documents that the first stage passes on",
        y_label=label_of(metric),
        x=places,
        lines={
            chain: tuple(by_depth.get(place) for place in places)
            for chain, by_depth in lines.items()
        },
        probe=benchmark,
    )


def _by_tokens(metric: str, benchmark: str, reports: Sequence[Report]) -> Scatter | None:
    """Return a point for each system. One that does not reason writes 0 tokens."""
    written = {
        report.system: report.examined.get("reasoning", {}).get("tokens", {}).get("by query", 0.0)
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
        y=record_of(metric).span or (0.0, 1.0),
        note="Systems further right write more tokens for every query, and cost more. Systems "
        "that do not reason are at 0.",
        probe=benchmark,
    )
