"""Summarise the results in a few plain sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leadline.metrics.names import label_of
from leadline.report import REFERENCE, Mean, Report, failing
from leadline.report.results import Results
from leadline.report.wording import against, percent, too_few, weakest_slice

_MOST_CAUSES = 3


@dataclass(frozen=True)
class Finding:
    """The sentences on one probe: on all systems together, and on each one."""

    probe: str
    sentences: tuple[str, ...]
    systems: tuple[tuple[str, str], ...]


def findings(results: Results) -> list[Finding]:
    """Return which system is best on each probe, and where each system breaks and what to do."""
    found = []
    for probe in results.probes:
        metric = results.headline(probe)
        by_system = {
            system: means for system, means in results.means(probe).items() if metric in means
        }
        own = {
            system: means for system, means in by_system.items() if not system.endswith(REFERENCE)
        }
        said = _failing(results, probe) if metric else []
        if own:
            said += _said(results, probe, own, metric)
            said += [
                told
                for system in by_system.keys() - own.keys()
                if (told := against(by_system[system][metric], own, metric))
            ]
        systems = [
            (report.system, told)
            for report in results.on(probe)
            if report.system in by_system and (told := _told(report, metric))
        ]
        if said:
            found.append(Finding(probe, tuple(said), tuple(systems)))
    return found


def _said(
    results: Results, probe: str, by_system: Mapping[str, Mapping[str, Mean]], metric: str
) -> Sequence[str]:
    """Return how the systems compare. With too few units, return only the means and a warning."""
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
    """Return warnings that a reader needs before the scores of a system."""
    return [
        f"{report.system}: {told}"
        for report in results.on(probe)
        for told in failing(report.asked, report.failures)
    ]


def _told(report: Report, metric: str) -> str:
    """Return what the figures of a system mean, where it is weakest, why, and what to do."""
    words = list(report.examined.get("in_words", {}).values())
    if report.is_reference:
        return " ".join(words)
    causes = [
        f"{cause['text']} ({percent(cause['share'])} of cases): {cause['advice']}"
        for cause in report.examined.get("causes", [])[:_MOST_CAUSES]
    ]
    own = [each for each in (weakest_slice(metric, report.means()), *causes) if each]
    return " ".join([*words, *(f"{each[0].upper()}{each[1:].rstrip('.')}." for each in own)])
