"""Which probes a search with an index of its own can be asked, and what stands in the way."""

from __future__ import annotations

from collections.abc import Sequence

from leadline.benchmark import Benchmark
from leadline.system import System
from leadline.types import Corpus

WHY_NOT = (
    "its documents are edited copies, which a service that searches an index of its own does not "
    "have"
)


def can_be_asked(system: System, probe: Benchmark, corpus: Corpus) -> bool:
    """Tell whether a system can find what a probe judges.

    corpus  the documents that the probe was made from, which the user's index holds
    """
    if not system.own_corpus:
        return True
    return all(id in corpus for grades in probe.qrels.values() for id in grades)


def cannot_be_asked(
    systems: Sequence[System], probes: Sequence[Benchmark], corpus: Corpus
) -> list[tuple[str, str]]:
    """Return (system, probe) where a probe judges documents that the system has not indexed."""
    return [
        (system.name, probe.name)
        for system in systems
        for probe in probes
        if not can_be_asked(system, probe, corpus)
    ]
