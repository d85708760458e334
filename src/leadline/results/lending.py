"""Which probes a search with an index of its own can be asked, and what stands in the way."""

from __future__ import annotations

from collections.abc import Sequence

from leadline.benchmark import Benchmark
from leadline.report import NotMeasured
from leadline.system import System

WHY_NOT = (
    "it asks about edited copies of documents, which are not in the index of this search. An "
    "index for tests alone takes them (scratch, ingest and remove)"
)


def can_be_asked(system: System, probe: Benchmark) -> bool:
    """Tell whether a system can find what a probe judges: it has that, or can be given it."""
    if not system.own_corpus or not probe.made:
        return True
    made = set(probe.made)
    return not any(made & grades.keys() for grades in probe.qrels.values())


def cannot_be_asked(systems: Sequence[System], probes: Sequence[Benchmark]) -> list[NotMeasured]:
    """Return where a probe judges documents that the system cannot have."""
    return [
        NotMeasured(system.name, probe.name, WHY_NOT)
        for system in systems
        for probe in probes
        if not can_be_asked(system, probe)
    ]
