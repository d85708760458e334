"""Uncertainty of means and differences: bootstrap intervals, randomization tests, corrections.

`clusters` gives every value a label, such as its source document or topic. The values of one
cluster are not independent, so whole clusters are resampled. Results depend on the seed and the
values, but not on their order.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean
from typing import TYPE_CHECKING, TypeAlias

from leadline.errors import InputError
from leadline.metrics.names import record_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
Clusters: TypeAlias = Sequence[Hashable]

Bounds: TypeAlias = tuple[float | None, float | None]
"""Smallest and largest value of a metric, or None."""
SHARE: Bounds = (0.0, 1.0)

FEWEST = 5
"""With fewer units, a mean is shown without an interval."""
ENOUGH = 10
"""From this many units on, one mean may be called better than another."""
NOTICED = 0.05
"""Reports warn if the cases are too few to detect a difference of this size."""
RESAMPLES = 1000
_LEVEL = 0.05
_POWER = 0.8
_ONE_DRAW = 9.68
RANDOMIZATIONS = 10_000
_EXACT = 14  # up to this many clusters all 2^14 sign patterns are tried
_CELLS = 1 << 20  # random numbers drawn at once: bounds the memory to tens of MB
_ROUNDING = 1e-10  # share of the sum of absolute differences: closer sums count as equal


def bootstrap_interval(
    values: Iterable[float],
    seed: int = 0,
    *,
    clusters: Clusters | None = None,
    resamples: int = RESAMPLES,
    level: float = _LEVEL,
) -> tuple[float, float]:
    """Return the percentile bootstrap interval of the mean: 95 % for `level` 0.05.

    A single cluster gives (mean, mean). Raises InputError without values, or if one is not finite.
    Source: Efron and Tibshirani 1993, chapter 13.
    """
    labels = None if clusters is None else [clusters]
    return _of_parts([list(values)], seed, labels, resamples, level)


def bootstrap_interval_over_parts(
    parts: Iterable[Iterable[float]], seed: int = 0, *, clusters: Iterable[Clusters] | None = None
) -> tuple[float, float]:
    """Return the 95 % percentile bootstrap interval of the unweighted mean of the means of parts.

    Values are resampled within each part. Clusters are given by part too.
    """
    labels = None if clusters is None else list(clusters)
    return _of_parts([list(part) for part in parts], seed, labels, RESAMPLES, _LEVEL)


def _of_parts(
    parts: Sequence[Sequence[float]],
    seed: int,
    clusters: Sequence[Clusters] | None,
    resamples: int,
    level: float,
) -> tuple[float, float]:
    import numpy as np

    if resamples < 1:
        raise InputError(f"resamples must be at least 1, got {resamples}.")
    rng = np.random.default_rng(seed)
    labels = [range(len(each)) for each in parts] if clusters is None else clusters
    if len(labels) != len(parts):
        raise InputError(f"Got {len(parts)} parts, but clusters for {len(labels)}.")
    means = [_resampled(*_sums(*each), resamples, rng) for each in zip(parts, labels, strict=True)]
    if not means:
        raise InputError("An interval needs at least one part.")
    low, high = np.quantile(np.mean(means, axis=0), (level / 2, 1 - level / 2))
    return float(low), float(high)


def interval_of_mean(
    values: Sequence[float],
    seed: int = 0,
    *,
    bounds: Bounds,
    clusters: Clusters | None = None,
) -> tuple[float, float]:
    """Return a 95 % interval of a mean, which never has zero width.

    It is the bootstrap interval, except in two cases where resamples are too similar:

    * Fewer than `FEWEST` clusters: the whole range of the metric.
    * Clusters that all have the same mean v. If a share q of all clusters had another mean, n of
      them would all give v with probability (1 - q)^n. That is below 2.5 % for q above
      p = 1 - 0.025^(1/n). So v may be wrong for a share p, by as much as the bounds allow: from
      v - p (v - least) to v + p (greatest - v). For shares of 0 or 1 this is the Clopper-Pearson
      interval. It assumes nothing about the distribution.

    Without bounds, as for ranks, the mean is treated as one draw of a normal distribution of
    unknown
    spread: mean ± 9.68 |mean| contains the true mean in 95 % of cases (Wall, Boen and Tweedie 2001,
    An effective confidence interval for the mean with samples of size one and two). For a mean of 0
    it is ± 9.68.
    """
    labels = range(len(values)) if clusters is None else clusters
    low, high = bootstrap_interval(values, seed, clusters=clusters)
    if len(set(labels)) >= FEWEST and high - low > _ROUNDING:
        return low, high
    return _widened(fmean(values), len(set(labels)), bounds)


def interval_of_mean_over_parts(
    parts: Sequence[Sequence[float]],
    seed: int = 0,
    *,
    bounds: Bounds,
    clusters: Sequence[Clusters],
) -> tuple[float, float]:
    """Return a 95 % interval of the unweighted mean of the means of parts, never of zero width.

    It is the bootstrap interval. If there are too few clusters, a part has only one, or every part
    has only equal values, it reaches from the mean of the parts' lower bounds to that of the upper
    ones, which is wider.
    """
    low, high = bootstrap_interval_over_parts(parts, seed, clusters=clusters)
    sizes = [len(set(labels)) for labels in clusters]
    if sum(sizes) >= FEWEST and min(sizes) > 1 and high - low > _ROUNDING:
        return low, high
    both = [
        interval_of_mean(values, seed, bounds=bounds, clusters=labels)
        for values, labels in zip(parts, clusters, strict=True)
    ]
    return fmean(low for low, _ in both), fmean(high for _, high in both)


def _widened(mean: float, clusters: int, bounds: Bounds) -> tuple[float, float]:
    """Return the interval of a mean of few clusters, or of clusters with equal means."""
    least, greatest = bounds
    if least is not None and greatest is not None:
        wrong = 1.0 if clusters < FEWEST else 1 - (_LEVEL / 2) ** (1 / clusters)
        return mean - wrong * (mean - least), mean + wrong * (greatest - mean)
    reach = _ONE_DRAW * (abs(mean) or 1.0)
    low = mean - reach if least is None else max(least, mean - reach)
    return low, mean + reach if greatest is None else min(greatest, mean + reach)


def interval_of_change(
    values: Sequence[float],
    seed: int = 0,
    *,
    bounds: Bounds,
    clusters: Clusters | None = None,
) -> tuple[float, float]:
    """Return a 95 % interval of the mean of paired differences of two systems.

    It is that of `interval_of_mean`. If all differences are equal, it ends at 0 when the
    randomization test (5 %) is significant: six gains of the same size are a gain.
    """
    low, high = interval_of_mean(values, seed, bounds=bounds, clusters=clusters)
    mean, zeros = fmean(values), [0.0] * len(values)
    alike = max(values) - min(values) <= _ROUNDING
    if not (alike and mean and low <= 0 <= high):
        return low, high
    if paired_randomization(values, zeros, seed, clusters=clusters) > _LEVEL:
        return low, high
    return (_ROUNDING, high) if mean > 0 else (low, -_ROUNDING)


def interval_of_differences(
    values: Sequence[float],
    seed: int = 0,
    *,
    bounds: Bounds = (-1.0, 1.0),
    clusters: Clusters | None = None,
) -> tuple[float, float]:
    """Return a 95 % interval of a mean of differences that are symmetric around 0 by chance.

    It is that of `interval_of_mean`, extended to 0 if a randomization test (5 %) is not
    significant. If few units differ from 0, they are often on one side, and the bootstrap alone
    would leave out 0 too often.
    """
    low, high = interval_of_mean(values, seed, bounds=bounds, clusters=clusters)
    if low <= 0 <= high:
        return low, high
    if paired_randomization(values, [0.0] * len(values), seed, clusters=clusters) <= _LEVEL:
        return low, high
    return min(low, 0.0), max(high, 0.0)


def paired_randomization(
    a: Sequence[float],
    b: Sequence[float],
    seed: int = 0,
    *,
    clusters: Clusters | None = None,
    resamples: int = RANDOMIZATIONS,
) -> float:
    """Return the two-sided p-value of the difference of two means over the same units.

    It is the probability of a difference at least as large if the scores of the two systems were
    swapped at random in each unit or cluster. It is exact for up to 14 units that differ, else
    estimated from `resamples` random swaps and the observed one.

    Raises InputError if the numbers of values differ, or there are none.
    Source: Smucker et al. 2007, A comparison of statistical significance tests.
    """
    import numpy as np

    if resamples < 1:
        raise InputError(f"resamples must be at least 1, got {resamples}.")
    differences = paired_differences(a, b)
    sums, _ = _sums(differences, range(len(differences)) if clusters is None else clusters)
    sums = sums[sums != 0]
    slack = float(np.abs(sums).sum()) * _ROUNDING
    least = abs(float(sums.sum())) - slack
    if sums.size <= _EXACT:
        patterns = np.arange(1 << sums.size)[:, None] >> np.arange(sums.size) & 1
        signed = np.abs((2 * patterns - 1) @ sums)
        return float(np.mean(signed >= least))
    rng = np.random.default_rng(seed)
    extreme = 1
    for start, stop in _blocks(resamples, sums.size):
        tosses = rng.integers(0, 2, size=(stop - start, sums.size), dtype=np.int8)
        totals = 2 * (tosses.astype(np.float64) @ sums) - sums.sum()
        extreme += int(np.count_nonzero(np.abs(totals) >= least))
    return extreme / (resamples + 1)


def least_noticed(low: float, high: float, *, tests: int = 1, alpha: float = _LEVEL) -> float:
    """Return the smallest true difference that this many units detect in 4 of 5 cases.

    This assumes a normal mean: simulations of 12 to 200 units gave 73 to 77 %.

    low, high  the 95 % interval of a difference, which gives its standard error
    tests      number of tests to correct for; `alpha` is the two-sided level of all together
    """
    normal = NormalDist()
    error = (high - low) / (2 * normal.inv_cdf(1 - _LEVEL / 2))
    return error * (normal.inv_cdf(1 - alpha / (2 * tests)) + normal.inv_cdf(_POWER))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values with Holm's correction for multiple tests, in the given order.

    Raises InputError if one is outside [0, 1].
    Source: Holm 1979.
    """
    _checked(p_values)
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for done, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - done) * p_values[index]))
        adjusted[index] = highest
    return adjusted


def simes(p_values: Sequence[float]) -> float:
    """Return one p-value for the hypothesis that none of several tests has an effect.

    The tests must be independent or positively dependent, as metrics of one ranking are.

    Raises InputError without p-values, or if one is outside [0, 1].
    Source: Simes 1986, An improved Bonferroni procedure for multiple tests of significance.
    """
    if not p_values:
        raise InputError("Got no p-values to combine.")
    _checked(p_values)
    return min(len(p_values) * p / rank for rank, p in enumerate(sorted(p_values), start=1))


def paired_differences(a: Sequence[float], b: Sequence[float]) -> list[float]:
    """Return a - b for each unit.

    Raises InputError if the numbers of values differ, there are none, or one is not finite.
    """
    if len(a) != len(b):
        raise InputError(f"Paired values must come from the same units, got {len(a)} and {len(b)}.")
    if not a:
        raise InputError("A difference needs at least one unit.")
    differences = [x - y for x, y in zip(a, b, strict=True)]
    if not all(map(math.isfinite, differences)):
        raise InputError("A comparison needs finite values. Leave out undefined units.")
    return differences


def _checked(p_values: Sequence[float]) -> None:
    for p in p_values:
        if not 0 <= p <= 1:
            raise InputError(f"A p-value must be in [0, 1], got {p}.")


def _sums(values: Sequence[float], clusters: Clusters) -> tuple[Floats, Floats]:
    """Return the sum and the size of every cluster, in a fixed order."""
    import numpy as np

    array = np.asarray(values, dtype=np.float64)
    if not array.size:
        raise InputError("An interval needs at least one value.")
    if not np.isfinite(array).all():
        raise InputError("A bootstrap interval needs finite values. Leave out undefined units.")
    if len(clusters) != array.size:
        raise InputError(f"Got {array.size} values and {len(clusters)} cluster labels.")
    sums, sizes = array, np.ones_like(array)
    if not isinstance(clusters, range):
        number: dict[Hashable, int] = {}
        labels = np.array([number.setdefault(each, len(number)) for each in clusters])
        ascending = np.lexsort((array, labels))  # so that sums do not depend on the order
        sums = np.zeros(len(number))
        np.add.at(sums, labels[ascending], array[ascending])
        sizes = np.zeros(len(number))
        np.add.at(sizes, labels, 1)
    order = np.lexsort((sizes, sums))
    return sums[order], sizes[order]


def _resampled(sums: Floats, sizes: Floats, resamples: int, rng: np.random.Generator) -> Floats:
    """Draw the means of resamples of whole clusters.

    If few clusters are distinct, as for win rates, their counts are drawn, which is faster.
    """
    import numpy as np

    distinct, counts = np.unique(np.stack((sums, sizes)), axis=1, return_counts=True)
    number = sums.size
    if distinct.shape[1] == 1:
        return np.full(resamples, distinct[0, 0] / distinct[1, 0])
    if distinct.shape[1] * 8 <= number:
        drawn = rng.multinomial(number, counts / number, size=resamples)
        return np.asarray((drawn @ distinct[0]) / (drawn @ distinct[1]), dtype=np.float64)
    means = np.empty(resamples)
    for start, stop in _blocks(resamples, number):
        picks = rng.integers(0, number, size=(stop - start, number), dtype=np.int32)
        totals = sums[picks].sum(axis=1)
        means[start:stop] = totals / (number if sizes.max() == 1 else sizes[picks].sum(axis=1))
    return means


def _blocks(resamples: int, size: int) -> Iterator[tuple[int, int]]:
    step = max(1, _CELLS // size)
    return ((start, min(start + step, resamples)) for start in range(0, resamples, step))


Values: TypeAlias = Mapping[str, float]
"""Unit -> value."""


@dataclass(frozen=True)
class Difference:
    """The difference of two systems on the units for which both have a value.

    Attributes:
        a: Name of the first system.
        b: Name of the second system.
        difference: Mean of a minus mean of b.
        low: Lower end of the 95 % interval, see `interval_of_change`.
        high: Upper end of the interval.
        p: p-value of a paired randomization test.
        p_holm: The same, corrected for all comparisons.
        n: Units compared.
        left_out: Units for which one system has no value.
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
    n: int
    left_out: int


def compare(
    metric: str,
    names: tuple[str, str],
    a: Values,
    b: Values,
    *,
    clusters: Mapping[str, Hashable] | None = None,
    seed: int = 0,
) -> Difference:
    """Compare two systems on their common units. Raises InputError if there are none."""
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
        n=len(units),
        left_out=len(a.keys() | b.keys()) - len(units),
    )


def _bounds(metric: str, ours: list[float], theirs: list[float]) -> Bounds:
    """Return the bounds of a difference: those of the metric, else of the observed values."""
    low, high = record_of(metric).span or (min(*ours, *theirs), max(*ours, *theirs))
    return (low - high, high - low) if high > low else (None, None)
