"""What the results say, in a few plain sentences computed from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leadline.kinds.registry import kind_or_ranking
from leadline.kinds.wording import percent, too_few, weakest_slice
from leadline.pages.tables import Results, kind_of, main_metrics, metrics_by_system, probes_of
from leadline.report import failing

_MOST_CAUSES = 3


@dataclass(frozen=True)
class Finding:
    """What the results of one probe say: of all systems, and of each by itself."""

    probe: str
    sentences: tuple[str, ...]
    systems: tuple[tuple[str, str], ...]


def findings(results: Results) -> list[Finding]:
    """Return for each probe who is best, and for each system where it breaks and what to do."""
    found = []
    for probe in probes_of(results):
        main = main_metrics(results, probe)
        by_system = {
            system: metrics
            for system, metrics in metrics_by_system(results, probe).items()
            if main and main[0] in metrics
        }
        if by_system:
            said = (*_failing(results, probe), *_said(results, probe, by_system, main[0]))
            systems = tuple(
                (system, told)
                for system, metrics in by_system.items()
                if (told := _of_system(results, probe, system, main[0], metrics))
            )
            found.append(Finding(probe, said, systems))
    return found


def _said(
    results: Results, probe: str, by_system: Mapping[str, Mapping[str, Any]], metric: str
) -> Sequence[str]:
    """Return how the systems compare, and first whether there are too few units to say."""
    few = [too_few(metrics[metric]) for metrics in by_system.values()]
    short = [f"{few[0][0].upper()}{few[0][1:]}."] if all(few) else []
    return [*short, *kind_or_ranking(kind_of(results, probe)).sentences(by_system, metric)]


def _failing(results: Results, probe: str) -> list[str]:
    """Return what has to be known before any score of a system is read."""
    return [
        f"{result['system']}: {told}"
        for result in results
        if result["benchmark"] == probe
        for told in failing(result.get("asked", {}), result.get("failures", {}))
    ]


def _of_system(
    results: Results, probe: str, system: str, metric: str, metrics: Mapping[str, Any]
) -> str:
    """Say where a system is weakest, what most of its failures come from, and what to do."""
    told = [
        each for each in (weakest_slice(metric, metrics), _advice(results, probe, system)) if each
    ]
    return "; ".join(told) + "." if told else ""


def _advice(results: Results, probe: str, system: str) -> str:
    causes = [
        cause
        for result in results
        if (result["benchmark"], result["system"]) == (probe, system)
        for cause in result.get("causes", [])
    ]
    return "; ".join(
        f"{cause['text']} ({percent(cause['share'])} of cases): {cause['advice']}"
        for cause in causes[:_MOST_CAUSES]
    )
