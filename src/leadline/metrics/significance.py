"""How sure is a mean: bootstrap intervals."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from leadline.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]

RESAMPLES = 1000
_CELLS = 1 << 20  # random numbers drawn at once: bounds the memory to tens of MB


def bootstrap_interval(
    values: Iterable[float],
    seed: int = 0,
    *,
    clusters: Sequence[Hashable] | None = None,
    resamples: int = RESAMPLES,
) -> tuple[float, float]:
    """95 % percentile bootstrap interval of the mean.

    clusters  a label for each value, such as its source document; whole clusters are resampled,
              because the values of one cluster are not independent

    The result depends on the seed and on the values, not on their order. One value, or one
    cluster, gives (mean, mean). Raises InputError on no values, or on a NaN among them.
    Source: Efron and Tibshirani 1993, chapter 13.
    """
    import numpy as np

    _check_resamples(resamples)
    rng = np.random.default_rng(seed)
    array = _checked(values)
    if clusters is None:
        means = _resampled_means(array, resamples, rng)
    else:
        means = _resampled_cluster_means(array, clusters, resamples, rng)
    return _interval(means)


def bootstrap_interval_over_parts(
    parts: Iterable[Iterable[float]], seed: int = 0, *, resamples: int = RESAMPLES
) -> tuple[float, float]:
    """95 % percentile bootstrap interval of the unweighted mean of the means of parts.

    Values are resampled inside every part. Raises InputError when there is no part, or a part
    has no values.
    """
    import numpy as np

    _check_resamples(resamples)
    rng = np.random.default_rng(seed)
    means = [_resampled_means(_checked(part), resamples, rng) for part in parts]
    if not means:
        raise InputError("A mean over no parts at all has no interval.")
    return _interval(np.mean(means, axis=0))


def _check_resamples(resamples: int) -> None:
    if resamples < 1:
        raise InputError(f"resamples must be at least 1, got {resamples}.")


def _checked(values: Iterable[float]) -> Floats:
    """Return the values in ascending order, so that their own order does not matter."""
    import numpy as np

    array = np.fromiter(values, dtype=np.float64)
    if not array.size:
        raise InputError("A mean over no values at all has no interval.")
    if not np.isfinite(array).all():
        raise InputError("A bootstrap interval needs finite values; leave out undefined units.")
    return array


def _resampled_means(values: Floats, resamples: int, rng: np.random.Generator) -> Floats:
    """Draw the means of resamples of the size of the values.

    Few distinct values, as win rates have, are drawn by their counts: the same distribution at
    a fraction of the cost.
    """
    import numpy as np

    distinct, counts = np.unique(values, return_counts=True)
    size = int(values.size)
    if distinct.size == 1:
        return np.full(resamples, distinct[0])
    if distinct.size * 8 <= size:
        drawn = rng.multinomial(size, counts / size, size=resamples)
        return np.asarray(drawn @ distinct / size, dtype=np.float64)
    ascending = np.sort(values)
    means = np.empty(resamples)
    for start, stop in _blocks(resamples, size):
        picks = rng.integers(0, size, size=(stop - start, size), dtype=np.int32)
        means[start:stop] = ascending[picks].mean(axis=1)
    return means


def _resampled_cluster_means(
    values: Floats, clusters: Sequence[Hashable], resamples: int, rng: np.random.Generator
) -> Floats:
    import numpy as np

    if len(clusters) != values.size:
        raise InputError(f"Got {values.size} values and {len(clusters)} cluster labels.")
    number: dict[Any, int] = {}
    labels = np.fromiter((number.setdefault(c, len(number)) for c in clusters), dtype=np.intp)
    sums, sizes = np.bincount(labels, weights=values), np.bincount(labels).astype(np.float64)
    order = np.lexsort((sizes, sums))
    sums, sizes = sums[order], sizes[order]
    means = np.empty(resamples)
    for start, stop in _blocks(resamples, sums.size):
        picks = rng.integers(0, sums.size, size=(stop - start, sums.size), dtype=np.int32)
        means[start:stop] = sums[picks].sum(axis=1) / sizes[picks].sum(axis=1)
    return means


def _blocks(resamples: int, size: int) -> Iterable[tuple[int, int]]:
    step = max(1, _CELLS // size)
    return ((start, min(start + step, resamples)) for start in range(0, resamples, step))


def _interval(means: Floats) -> tuple[float, float]:
    import numpy as np

    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)
