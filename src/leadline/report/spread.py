"""Means with ± over queries and ± over runs, as the Coherence-Ranking paper prints them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean, stdev

from leadline.report import Report

_SEED = re.compile(r"\bseed-\d+")


@dataclass(frozen=True)
class Spread:
    """A metric of one system, or of several that differ in the seed of their training alone.

    mean          over the means of the runs
    over_queries  standard deviation over the queries (or topics) of a run, mean over runs; None
                  with one query
    over_runs     standard deviation over the means of the runs; None with one run

    Both deviations are of a sample, with n - 1.
    """

    benchmark: str
    metric: str
    system: str
    mean: float
    over_queries: float | None
    over_runs: float | None
    queries: int
    runs: int


def spreads(reports: Iterable[Report]) -> list[Spread]:
    """Return the spread of each plain metric; runs whose names differ in `seed-N` are one."""
    groups: dict[tuple[str, str, str], list[list[float]]] = {}
    for report in reports:
        system = _SEED.sub("seed-*", report.system)
        for metric, values in report.scores.items():
            if values and "[" not in metric:
                group = groups.setdefault((report.benchmark, metric, system), [])
                group.append(list(values.values()))
    return [_spread(*names, runs) for names, runs in groups.items()]


def _spread(benchmark: str, metric: str, system: str, runs: list[list[float]]) -> Spread:
    means = [fmean(each) for each in runs]
    inside = [stdev(each) for each in runs if len(each) > 1]
    return Spread(
        benchmark, metric, system, fmean(means), fmean(inside) if inside else None,
        stdev(means) if len(means) > 1 else None, max(map(len, runs)), len(runs),
    )  # fmt: skip
