"""What means and intervals say, in plain sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from leadline.metrics.meanings import is_better, meaning_of
from leadline.metrics.names import read_name

ByMetric: TypeAlias = Mapping[str, Any]
"""Metric -> its entry in report.json."""

FEW = 30
"""Units below which a mean of a slice is not worth a sentence."""
FEWEST = 5
"""Units below which a slice is not named as the weakest, and a mean is called of too few."""


def leading_sentences(by_system: Mapping[str, ByMetric], metric: str) -> list[str]:
    """Say which system does best, and how far the next one is."""
    return following_sentences(by_system, metric)[1]


def following_sentences(by_system: Mapping[str, ByMetric], metric: str) -> tuple[str, list[str]]:
    """Return the best system, and a sentence on it and on the others.

    A kind of test puts words of its own in the place of the first.
    """
    best = best_of(by_system, metric)
    metrics = by_system[best]
    sentences = [
        _leading(best, metric, metrics[metric], alone=len(by_system) == 1),
        _others(by_system, best, metric),
    ]
    return best, [sentence for sentence in sentences if sentence]


def best_of(by_system: Mapping[str, ByMetric], metric: str) -> str:
    """Return the system with the best mean, the first of equals."""
    best = next(iter(by_system))
    for system, metrics in by_system.items():
        if is_better(metric, metrics[metric]["mean"], by_system[best][metric]["mean"]):
            best = system
    return best


def _leading(system: str, metric: str, entry: Mapping[str, Any], *, alone: bool) -> str:
    whole = meaning_of(metric).span is not None
    figures = f"{metric} {figures_of(entry)}" if whole else f"{metric} {entry['mean']:.1f}"
    return f"{system} reaches {figures}." if alone else f"{system} does best: {figures}."


def _others(by_system: Mapping[str, ByMetric], best: str, metric: str) -> str:
    """Say how far the next system is, and whether the intervals keep the two apart."""
    rest = {system: metrics for system, metrics in by_system.items() if system != best}
    if not rest:
        return ""
    second = best_of(rest, metric)
    mine, theirs = by_system[best][metric], rest[second][metric]
    value = _value(metric, theirs["mean"])
    if mine["mean"] == theirs["mean"]:
        return f"{second} does exactly as well."
    if overlap(mine, theirs):
        return f"{second} is close ({value}): the intervals overlap, so their order is not settled."
    last = _worst(rest, metric)
    tail = f", and {last} last ({_value(metric, rest[last][metric]['mean'])})"
    return f"{second} is next ({value}){tail if last != second else ''}."


def _worst(by_system: Mapping[str, ByMetric], metric: str) -> str:
    worst = next(iter(by_system))
    for system, metrics in by_system.items():
        if is_better(metric, by_system[worst][metric]["mean"], metrics[metric]["mean"]):
            worst = system
    return worst


def too_few(entry: Mapping[str, Any]) -> str:
    """Say that a mean is of too few units for its interval to mean anything; empty where not."""
    if entry["n"] >= FEWEST:
        return ""
    units = "one topic" if entry["n"] == 1 else f"{entry['n']} topics"
    return f"only {units} could be built and scored: too few to conclude anything"


def overlap(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Tell whether two intervals overlap."""
    return bool(one["low"] <= other["high"] and other["low"] <= one["high"])


def weakest_slice(metric: str, metrics: ByMetric) -> str:
    """Say which value of a facet a system is worst at: "weakest edit negation (0.05)".

    Slices of fewer than `FEWEST` units are passed over, those of fewer than `FEW` say how many
    they have. Empty where the metric is not divided, or no slice is worse than the whole.
    """
    slices = [
        (parts, entry)
        for name, entry in metrics.items()
        if (parts := read_name(name)).plain == metric and parts.facet and entry["n"] >= FEWEST
    ]
    if not slices:
        return ""
    name, entry = slices[0]
    for other, candidate in slices:
        if is_better(metric, entry["mean"], candidate["mean"]):
            name, entry = other, candidate
    if not is_better(metric, metrics[metric]["mean"], entry["mean"]):
        return ""
    few = f", of {entry['n']} only" if entry["n"] < FEW else ""
    return f"weakest {name.facet} “{name.value}” ({_value(metric, entry['mean'])}{few})"


def _value(metric: str, mean: float) -> str:
    if read_name(metric).stem == "WinRate":
        return percent(mean)
    return f"{mean:.1f}" if meaning_of(metric).span is None else f"{mean:.2f}"


def figures_of(entry: Mapping[str, Any]) -> str:
    """Return a mean with its interval, in words."""
    interval = f"95\u00a0% interval {entry['low']:.2f} to {entry['high']:.2f}"
    return f"{entry['mean']:.2f} ({interval})"


def percent(value: float) -> str:
    """Return a fraction as a percentage."""
    if 0 < value < 0.005:
        return "under 1\u00a0%"
    return f"{100 * value:.0f}\u00a0%"
