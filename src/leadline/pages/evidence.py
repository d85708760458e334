"""The failing cases, grouped and compared, ready to be shown side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leadline.evidence import Case, Passage
from leadline.pages.difference import Comparison, compare
from leadline.pages.links import Links, safe
from leadline.pages.visible import shorten

_NOWHERE = 1_000_000
"""Rank of a document that was not retrieved."""


@dataclass(frozen=True)
class Exhibit:
    """One case with its comparisons.

    number    place on the page, from 1, for links to it
    forms     the two forms of the query compared; None where there is only one
    links     document id -> where its file stands
    """

    number: int
    case: Case
    passages: Comparison
    forms: Comparison | None
    links: Mapping[str, str]

    @property
    def drop(self) -> int:
        """How many ranks the expected document stands below the one retrieved."""
        expected, retrieved = self.case.expected.rank, self.case.retrieved.rank
        return (_NOWHERE if expected is None else expected) - (retrieved or _NOWHERE)


@dataclass(frozen=True)
class Group:
    """The cases of one system on one probe."""

    probe: str
    system: str
    exhibits: tuple[Exhibit, ...]


def grouped(cases: Sequence[Case], links: Links) -> list[tuple[str, list[Group]]]:
    """Return the cases by probe and by system, each in the order of its first case."""
    gathered: dict[str, dict[str, list[Exhibit]]] = {}
    by_probe: dict[str, dict[str, str]] = {}
    for (probe, id), link in links.items():
        by_probe.setdefault(probe, {})[id] = safe(link)
    for number, case in enumerate(cases, start=1):
        of_probe = gathered.setdefault(case.probe, {})
        found = by_probe.get(case.probe, {})
        of_probe.setdefault(case.system, []).append(_exhibit(number, case, found))
    return [
        (probe, [Group(probe, system, tuple(shown)) for system, shown in by_system.items()])
        for probe, by_system in gathered.items()
    ]


def place(passage: Passage) -> str:
    """Return where a system put a passage, in words."""
    parts = [] if passage.rank is None else [f"rank {passage.rank}"]
    if passage.before is not None:
        parts.append(f"before the reasoning {passage.before}")
    if passage.score is not None:
        parts.append(f"score {passage.score:.4g}".replace("-", "−"))
    return ", ".join(parts) or "not retrieved"


def _exhibit(number: int, case: Case, links: Mapping[str, str]) -> Exhibit:
    query, compared = shorten(case.query), shorten(case.compared)
    return Exhibit(
        number=number,
        case=case,
        passages=compare(case.expected.text, case.retrieved.text, f"{query} {compared}"),
        forms=compare(query, compared) if compared else None,
        links=links,
    )
