"""What the results say, in a few plain sentences computed from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leadline.metrics.names import label_of
from leadline.report import Mean, failing
from leadline.report.results import Results
from leadline.report.wording import percent, too_few, weakest_slice

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
    for probe in results.probes:
        metric = results.headline(probe)
        by_system = {
            system: means for system, means in results.means(probe).items() if metric in means
        }
        said = _failing(results, probe) if metric else []
        if by_system:
            said += _said(results, probe, by_system, metric)
        if said:
            systems = tuple(
                (system, f"{'; '.join(told)}.")
                for system, means in by_system.items()
                if (told := [*_weakest(metric, means), *_advice(results, probe, system)])
            )
            found.append(Finding(probe, tuple(said), systems))
    return found


def _said(
    results: Results, probe: str, by_system: Mapping[str, Mapping[str, Mean]], metric: str
) -> Sequence[str]:
    """Return how the systems compare; of those with too few units only that, and their means."""
    few = {system: told for system, means in by_system.items() if (told := too_few(means[metric]))}
    enough = {system: means for system, means in by_system.items() if system not in few}
    sentences = []
    if few:
        told = next(iter(few.values())) if not enough else "too few topics to conclude anything"
        means = ", ".join(
            f"{system} {by_system[system][metric].mean:.2f} (n {by_system[system][metric].n})"
            for system in few
        )
        sentences.append(f"{told[0].upper()}{told[1:]}. {label_of(metric)}: {means}.")
    return sentences + (results.kind(probe).sentences(enough, metric) if enough else [])


def _failing(results: Results, probe: str) -> list[str]:
    """Return what has to be known before any score of a system is read."""
    return [
        f"{report.system}: {told}"
        for report in results.on(probe)
        for told in failing(report.asked, report.failures)
    ]


def _weakest(metric: str, means: Mapping[str, Mean]) -> list[str]:
    return [told for told in (weakest_slice(metric, means),) if told]


def _advice(results: Results, probe: str, system: str) -> list[str]:
    """Say what most failures of a system come from, and what to do."""
    return [
        f"{cause['text']} ({percent(cause['share'])} of cases): {cause['advice']}"
        for report in results.on(probe)
        if report.system == system
        for cause in report.examined.get("causes", [])[:_MOST_CAUSES]
    ]
