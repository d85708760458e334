"""Describe means and intervals in plain sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from leadline.metrics.names import is_better, label_of, read_name, record_of
from leadline.metrics.significance import ENOUGH, FEWEST
from leadline.report import Mean, percentiles

ByMetric: TypeAlias = Mapping[str, Mean]
"""Metric -> its mean."""

FEW = 30
"""A slice with fewer units gets no sentence."""
_MOST_CLOSE = 3


def leading_sentences(by_system: Mapping[str, ByMetric], metric: str) -> list[str]:
    """Return sentences on the best system and the next ones."""
    return following_sentences(by_system, metric)[1]


def following_sentences(by_system: Mapping[str, ByMetric], metric: str) -> tuple[str, list[str]]:
    """Return the system with the best mean, a sentence on it, and one on the others.

    A kind of test may replace the first sentence. It calls a system best only if it is `settled`.
    """
    best = best_of(by_system, metric)
    lead = "does best:" if settled(by_system, metric) else "reaches"
    whole = record_of(metric).span is not None
    entry = by_system[best][metric]
    figures = figures_of(entry) if whole else f"{entry.mean:.1f}"
    sentences = [
        f"{best} {lead} {label_of(metric)} {figures}.",
        _others(by_system, best, metric),
    ]
    return best, [sentence for sentence in sentences if sentence]


def settled(by_system: Mapping[str, ByMetric], metric: str) -> bool:
    """Return whether one system is significantly better than every other."""
    best = by_system[best_of(by_system, metric)][metric]
    others = [metrics[metric] for metrics in by_system.values() if metrics[metric] is not best]
    return bool(others) and all(surely_better(metric, best, other) for other in others)


def surely_better(metric: str, one: Mean, other: Mean) -> bool:
    """Return whether one mean is better: it has enough units, and the intervals do not overlap."""
    return (
        min(one.n, other.n) >= ENOUGH
        and is_better(metric, one.mean, other.mean)
        and not overlap(one, other)
    )


def best_of(by_system: Mapping[str, ByMetric], metric: str) -> str:
    """Return the system with the best mean, the first if several are equal."""
    best = next(iter(by_system))
    for system, metrics in by_system.items():
        if is_better(metric, metrics[metric].mean, by_system[best][metric].mean):
            best = system
    return best


def _others(by_system: Mapping[str, ByMetric], best: str, metric: str) -> str:
    """Return a sentence on the next systems, and whether their order is certain."""
    rest = {system: metrics for system, metrics in by_system.items() if system != best}
    if not rest:
        return ""

    def value(system: str) -> str:
        return _value(metric, rest[system][metric].mean)

    mine = by_system[best][metric]
    close = [s for s, metrics in rest.items() if not surely_better(metric, mine, metrics[metric])]
    if close:
        few = min(each[metric].n for each in by_system.values()) < ENOUGH
        why = (
            f"with fewer than {ENOUGH} topics their order is uncertain"
            if few
            else "the intervals overlap, so their order is uncertain"
        )
        if len(close) == 1:
            return f"{close[0]} is close ({value(close[0])}): {why}."
        named = ", ".join(f"{system} ({value(system)})" for system in close[:_MOST_CLOSE])
        more = f" and {len(close) - _MOST_CLOSE} more" if len(close) > _MOST_CLOSE else ""
        return f"{named}{more} are close: {why}."
    second = best_of(rest, metric)
    if len(rest) == 1 or settled(rest, metric):
        return f"{second} is next ({value(second)})."
    named = ", ".join(f"{system} ({value(system)})" for system in list(rest)[:_MOST_CLOSE])
    return f"Below it: {named}{', …' if len(rest) > _MOST_CLOSE else ''}."


def against(reference: Mean, by_system: Mapping[str, ByMetric], metric: str) -> str:
    """Return how the reference compares with the best system, if there are enough topics."""
    best = by_system[best_of(by_system, metric)][metric]
    if min(best.n, reference.n) < ENOUGH:
        return ""
    better, worse = (surely_better(metric, *two) for two in ((reference, best), (best, reference)))
    does = "does better" if better else "does worse" if worse else "is close"
    return f"The reference, bm25, {does} ({_value(metric, reference.mean)})."


def latency(seconds: Mapping[str, float]) -> str:
    """Return p50 and p95 of query times as text, if there are any."""
    return " / ".join(
        f"{1000 * value:,.1f} ms" if value < 1 else f"{value:,.2f} s"
        for value in percentiles(seconds).values()
    )


def too_few(entry: Mean) -> str:
    """Return a warning if a mean has too few units for a useful interval."""
    if entry.n >= FEWEST:
        return ""
    units = "one topic" if entry.n == 1 else f"{entry.n} topics"
    return f"only {units} could be built and scored: too few to conclude anything"


def overlap(one: Mean, other: Mean) -> bool:
    """Return whether two intervals overlap."""
    return one.low <= other.high and other.low <= one.high


def weakest_slice(metric: str, metrics: ByMetric) -> str:
    """Return the facet value a system is worst at: "weakest edit negation (0.05, n 31)".

    Slices with fewer than `ENOUGH` units are skipped. Empty if the metric is not divided, or the
    worst slice is not significantly worse than every other one.
    """
    facets: dict[str, list[tuple[str, Mean]]] = {}
    for name, entry in metrics.items():
        parts = read_name(name)
        if parts.plain == metric and parts.facet and entry.n >= ENOUGH:
            facets.setdefault(parts.facet, []).append((parts.value, entry))
    found = [
        (facet, value, entry)
        for facet, slices in facets.items()
        for value, entry in slices
        if is_weakest(metric, entry, [other for _, other in slices])
    ]
    if not found:
        return ""
    facet, value, entry = found[0]
    for each in found:
        if is_better(metric, entry.mean, each[2].mean):
            facet, value, entry = each
    return f"weakest {facet} “{value}” ({_value(metric, entry.mean)}, n {entry.n})"


def is_weakest(metric: str, entry: Mean, all_of_them: Iterable[Mean]) -> bool:
    """Return whether a mean is significantly worse than every other with enough units."""
    others = [each for each in all_of_them if each is not entry and each.n >= ENOUGH]
    return bool(others) and all(surely_better(metric, other, entry) for other in others)


def _value(metric: str, mean: float) -> str:
    if read_name(metric).stem == "WinRate":
        return percent(mean)
    return f"{mean:.1f}" if record_of(metric).span is None else f"{mean:.2f}"


def figures_of(entry: Mean) -> str:
    """Return a mean with its interval in words, without the interval if there are few units."""
    if entry.n < FEWEST:
        return f"{entry.mean:.2f} (n {entry.n}, too few)"
    interval = f"95\u00a0% interval {entry.low:.2f} to {entry.high:.2f}"
    return f"{entry.mean:.2f} ({interval})"


def percent(value: float) -> str:
    """Return a fraction as a percentage."""
    if 0 < value < 0.005:
        return "under 1\u00a0%"
    return f"{100 * value:.0f}\u00a0%"
