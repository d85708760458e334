"""What the results say, in a few plain sentences computed from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leadline.kinds.registry import is_own, kind_or_ranking
from leadline.kinds.wording import percent, too_few, weakest_slice
from leadline.metrics.meanings import label_of
from leadline.pages.tables import (
    Results,
    headline,
    kind_of,
    metrics_by_system,
    probes_of,
    unranked_systems,
)
from leadline.report import failing, unranked

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
        metric = headline(results, probe)
        by_system = {
            system: metrics
            for system, metrics in metrics_by_system(results, probe).items()
            if metric in metrics and system not in unranked_systems(results, probe)
        }
        said = [*_failing(results, probe)] if metric else []
        if by_system:
            said += _said(results, probe, by_system, metric)
        if said:
            systems = tuple(
                (system, told)
                for system, metrics in by_system.items()
                if (told := _of_system(results, probe, system, metric, metrics))
            )
            found.append(Finding(probe, tuple(said), systems))
    return found


def _said(
    results: Results, probe: str, by_system: Mapping[str, Mapping[str, Any]], metric: str
) -> Sequence[str]:
    """Return how the systems compare; of those with too few units only that, and their means."""
    few = {
        system: told for system, metrics in by_system.items() if (told := too_few(metrics[metric]))
    }
    enough = {system: metrics for system, metrics in by_system.items() if system not in few}
    sentences = []
    if few:
        told = next(iter(few.values())) if not enough else "too few topics to conclude anything"
        means = ", ".join(
            f"{system} {by_system[system][metric]['mean']:.2f} (n {by_system[system][metric]['n']})"
            for system in few
        )
        sentences.append(f"{told[0].upper()}{told[1:]}. {label_of(metric)}: {means}.")
    kind = kind_or_ranking(kind_of(results, probe))
    if enough or not is_own(kind):
        sentences += kind.sentences(enough or by_system, metric)
    return sentences


def _failing(results: Results, probe: str) -> list[str]:
    """Return what has to be known before any score of a system is read."""
    return [
        f"{result['system']}: {told}"
        for result in results
        if result["benchmark"] == probe
        for told in (
            *filter(None, [unranked(result.get("settings", {}))]),
            *failing(result.get("asked", {}), result.get("failures", {})),
        )
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
