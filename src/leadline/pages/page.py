"""What one report page shows: the contract between whoever checks systems and the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from leadline.evidence import Case, Figure
from leadline.pages.links import Links
from leadline.pages.reasoned import Reasoned


@dataclass(frozen=True)
class ProbeNote:
    """How one probe was made, and how much of it was usable.

    name        of the benchmark, as in the results
    tests       one line: what the probe asks of a system
    considered  topics looked at
    kept        topics that passed every check of the builder
    dropped     reason -> number of topics (or cases) given up for it
    notes       what was done with data that do not fit, in sentences
    """

    name: str
    kind: str
    built_by: str
    tests: str = ""
    considered: int | None = None
    kept: int | None = None
    dropped: Mapping[str, int] = field(default_factory=dict)
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Page:
    """Everything on one report page.

    created   when, as ISO 8601
    version   of leadline
    command   as typed
    facts     what was run: corpus, documents, seed, ...
    results   the entries of `results` in report.json
    quoted    those of `quoted`: what others published, shown apart from what was measured
    reasoned  what systems that reason changed by it
    links     where the documents of cases came from; anything but http(s) and relative is not shown
    """

    title: str
    created: str
    version: str
    command: str
    results: Sequence[Mapping[str, Any]]
    facts: Mapping[str, str] = field(default_factory=dict)
    figures: Sequence[Figure] = ()
    cases: Sequence[Case] = ()
    probes: Sequence[ProbeNote] = ()
    quoted: Sequence[Mapping[str, Any]] = ()
    reasoned: Sequence[Reasoned] = ()
    links: Links = field(default_factory=dict)
