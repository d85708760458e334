"""What one report page shows: the contract between whoever checks systems and the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Passage:
    """A document as evidence.

    text    any length; the page cuts it around what differs
    rank    place in the system's result, from 1; None when it was not retrieved
    score   what the system gave it; None when it gave none
    """

    id: str
    text: str
    title: str = ""
    rank: int | None = None
    score: float | None = None


@dataclass(frozen=True)
class Case:
    """One failure of one system on one probe, with its evidence.

    headline        one sentence: what went wrong
    query           what the system was asked
    expected        what it should have put first
    retrieved       what it put first instead
    compared        the other form of the query, where two forms are compared
    compared_label  what kind of form that is, for example `typo`
    facts           where the case came from: source document, span, edit, ...
    """

    system: str
    probe: str
    headline: str
    query: str
    expected: Passage
    retrieved: Passage
    compared: str = ""
    compared_label: str = ""
    expected_label: str = "Expected"
    retrieved_label: str = "Retrieved"
    facts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Interval:
    """A mean over n units with the bounds of its 95 % interval; low <= mean <= high."""

    mean: float
    low: float
    high: float
    n: int = 0


@dataclass(frozen=True)
class Curve:
    """One figure: a line for each system over the same places on the x axis.

    probe   the benchmark it belongs to; empty for a figure about none in particular
    x       ascending places
    lines   system -> one interval for each place, None where there is no value
    chance  what a coin would score, drawn as a line of its own; None for no such line
    """

    title: str
    x_label: str
    y_label: str
    x: tuple[int, ...]
    lines: Mapping[str, tuple[Interval | None, ...]]
    note: str = ""
    chance: float | None = None
    probe: str = ""


@dataclass(frozen=True)
class ProbeNote:
    """How one probe was made, and how much of it was usable.

    name        of the benchmark, as in the results
    tests       one line: what the probe asks of a system
    considered  topics looked at
    kept        topics that passed every check of the builder
    dropped     reason -> number of topics (or cases) given up for it
    """

    name: str
    kind: str
    built_by: str
    tests: str = ""
    considered: int | None = None
    kept: int | None = None
    dropped: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Page:
    """Everything on one report page.

    created   when, as ISO 8601
    version   of leadline
    command   as typed
    facts     what was run: corpus, documents, seed, ...
    results   the entries of `results` in report.json
    quoted    those of `quoted`: what others published, shown apart from what was measured
    """

    title: str
    created: str
    version: str
    command: str
    results: Sequence[Mapping[str, Any]]
    facts: Mapping[str, str] = field(default_factory=dict)
    curves: Sequence[Curve] = ()
    cases: Sequence[Case] = ()
    probes: Sequence[ProbeNote] = ()
    quoted: Sequence[Mapping[str, Any]] = ()
