"""Many systems on many metrics at once: paired differences, intervals, tests, effect sizes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import fmean
from typing import TypeAlias

from leadline.errors import unknown
from leadline.metrics.meanings import meaning_of
from leadline.metrics.significance import (
    Bounds,
    dominance,
    holm,
    interval_of_change,
    paired_differences,
    paired_randomization,
    standardised_difference,
)

Values: TypeAlias = Mapping[str, float]
"""Unit -> value."""


@dataclass(frozen=True)
class Difference:
    """What one system scores above another on the units that both have a value for.

    a, b         names of the systems; `difference` is the mean of a minus that of b
    low, high    95 % interval of the difference: see `significance.interval_of_change`
    p, p_holm    of a paired randomization test; corrected for all pairs of systems on the metric
    effect       difference over its standard deviation; None where that is undefined
    dominance    share of units in which a is higher minus that in which b is
    n, left_out  units compared; units for which either has no value
    """

    metric: str
    a: str
    b: str
    mean_a: float
    mean_b: float
    difference: float
    low: float
    high: float
    p: float
    p_holm: float
    effect: float | None
    dominance: float
    n: int
    left_out: int


def compare_systems(
    scores: Mapping[str, Mapping[str, Values]],
    *,
    baseline: str | None = None,
    clusters: Mapping[str, Hashable] | None = None,
    seed: int = 0,
) -> list[Difference]:
    """Compare systems pairwise on every metric that both have.

    scores    system -> metric -> unit -> value
    baseline  compare all others with this system only
    clusters  unit -> source document or topic; a unit that is not named is one of its own

    Metrics come in the order in which they are first met; a pair without a shared unit is left
    out. Raises InputError on an unknown baseline.
    """
    if baseline is not None and baseline not in scores:
        raise unknown("system", baseline, scores)
    pairs = (
        list(combinations(scores, 2))
        if baseline is None
        else [(system, baseline) for system in scores if system != baseline]
    )
    metrics = dict.fromkeys(metric for each in scores.values() for metric in each)
    return [
        difference
        for metric in metrics
        for difference in _on(metric, pairs, scores, clusters, seed)
    ]


def compare(
    metric: str,
    names: tuple[str, str],
    a: Values,
    b: Values,
    *,
    clusters: Mapping[str, Hashable] | None = None,
    seed: int = 0,
) -> Difference:
    """Compare two systems on the units that both have a value for.

    Raises InputError when there is none.
    """
    units = [unit for unit in a if unit in b]
    ours, theirs = [a[unit] for unit in units], [b[unit] for unit in units]
    differences = paired_differences(ours, theirs)
    labels = [(clusters or {}).get(unit, unit) for unit in units]
    bounds = _bounds(metric, ours, theirs)
    low, high = interval_of_change(differences, seed, bounds=bounds, clusters=labels)
    p = paired_randomization(ours, theirs, seed, clusters=labels)
    return Difference(
        metric=metric,
        a=names[0],
        b=names[1],
        mean_a=fmean(ours),
        mean_b=fmean(theirs),
        difference=fmean(differences),
        low=low,
        high=high,
        p=p,
        p_holm=p,
        effect=standardised_difference(ours, theirs),
        dominance=dominance(ours, theirs),
        n=len(units),
        left_out=len(a.keys() | b.keys()) - len(units),
    )


def _bounds(metric: str, ours: list[float], theirs: list[float]) -> Bounds:
    """Return the bounds of a difference: those of the metric, else the span of what was seen."""
    low, high = meaning_of(metric).span or (min(*ours, *theirs), max(*ours, *theirs))
    return (low - high, high - low) if high > low else (None, None)


def _on(
    metric: str,
    pairs: list[tuple[str, str]],
    scores: Mapping[str, Mapping[str, Values]],
    clusters: Mapping[str, Hashable] | None,
    seed: int,
) -> list[Difference]:
    found = []
    for pair in pairs:
        a, b = (scores[system].get(metric, {}) for system in pair)
        if a.keys() & b.keys():
            found.append(compare(metric, pair, a, b, clusters=clusters, seed=seed))
    adjusted = holm([each.p for each in found])
    return [replace(each, p_holm=p) for each, p in zip(found, adjusted, strict=True)]
