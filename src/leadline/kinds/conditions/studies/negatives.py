"""Two strategies of hard negatives side by side: a fact altered, or key terms kept.

Source: Lu et al., MultiConIR (the strategies by domain; here by the edit of each condition).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from leadline.benchmark import Benchmark
from leadline.errors import InputError
from leadline.metrics.pairs import WinRate
from leadline.metrics.significance import SHARE
from leadline.report import Report, interval_over
from leadline.report.shapes import Curve, Mean

ALTERED, KEPT = "fact altered", "terms kept"
STRATEGIES = (ALTERED, KEPT)


@dataclass(frozen=True)
class NegativesStudy:
    """One system, by strategy.

    win_rate  strategy -> share of comparisons won; a source document is a unit
    by_k      strategy -> number of conditions in the query -> the same
    """

    system: str
    win_rate: Mapping[str, Mean]
    by_k: Mapping[str, Mapping[int, Mean]]

    def as_json(self) -> dict[str, Any]:
        """Return what a file tells of it."""
        return {
            "system": self.system,
            "strategies": [
                {
                    "strategy": name,
                    "WinRate": dataclasses.asdict(self.win_rate[name]),
                    "by_k": {str(k): dataclasses.asdict(each) for k, each in by_k.items()},
                }
                for name, by_k in self.by_k.items()
            ],
        }


def of_strategy(benchmark: Benchmark, strategy: str, style: str) -> Benchmark | None:
    """Return the queries whose last condition is broken in one way; None where there is none."""
    queries = [
        each
        for each in benchmark.queries
        if each.facets.get("style") == style
        and (each.facets.get("edit") == "dummy") == (strategy == KEPT)
    ]
    if not queries:
        return None
    most = max(int(each.facets["k"]) for each in queries)
    metrics = [WinRate(k, style) for k in range(1, most + 1)]
    return dataclasses.replace(benchmark.only(queries), metrics=metrics, breakdowns=())


def study_negatives(
    system: str, reports: Mapping[str, Sequence[Report]], *, seed: int = 0
) -> NegativesStudy:
    """Return how often a system notices each strategy; all domains pooled.

    reports  strategy -> its reports on the benchmarks of `of_strategy`

    Raises InputError where the data know one strategy alone.
    """
    missing = [name for name in STRATEGIES if not reports.get(name)]
    if missing:
        raise InputError(
            f"No condition of these ladders is broken by the strategy '{missing[0]}'. Ladders need "
            "edits of both sorts: 'dummy' where terms are kept, any other where a fact is altered."
        )
    by_k = {name: _by_k(parts) for name, parts in reports.items()}
    return NegativesStudy(
        system,
        {name: interval_over(_by_topic(found), seed, SHARE) for name, found in by_k.items()},
        {
            name: {
                k: interval_over(list(values.values()), seed, SHARE) for k, values in found.items()
            }
            for name, found in by_k.items()
        },
    )


def figures(studies: Sequence[NegativesStudy]) -> list[Curve]:
    """Return the win rates of both strategies by the number of conditions."""
    places = tuple(sorted({k for each in studies for found in each.by_k.values() for k in found}))
    return [
        Curve(
            title=f"Win rate, {name}",
            x_label="conditions in the query",
            y_label="share of comparisons won",
            x=places,
            lines={each.system: tuple(map(each.by_k[name].get, places)) for each in studies},
            chance=0.5,
        )
        for name in STRATEGIES
    ]


def _by_k(reports: Sequence[Report]) -> dict[int, dict[str, float]]:
    found: dict[int, dict[str, float]] = {}
    for report in reports:
        for k, values in enumerate(report.scores.values(), 1):
            found.setdefault(k, {}).update(values)
    return {k: values for k, values in found.items() if values}


def _by_topic(by_k: Mapping[int, Mapping[str, float]]) -> list[float]:
    topics: dict[str, list[float]] = {}
    for values in by_k.values():
        for topic, value in values.items():
            topics.setdefault(topic, []).append(value)
    return [fmean(values) for values in topics.values()]
