"""Write report.json, and report.html for people."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from leadline import __version__
from leadline.benchmark import Benchmark, notes_on
from leadline.data.writing import atomic_file
from leadline.metrics.names import glossary
from leadline.report import Report, tables
from leadline.report.difference import Comparison, compare
from leadline.report.drawing import Drawn, drawn
from leadline.report.figures import cost_figures
from leadline.report.findings import Finding, findings
from leadline.report.links import Links, links_of, safe
from leadline.report.outcome import Outcome, quoted_beside
from leadline.report.reasoning import Reasoned, reasoned
from leadline.report.results import Results, Shown
from leadline.report.shapes import Case, Figure
from leadline.report.templates import filled, shorten

OPENED = 3
"""Failing cases are unfolded for this many systems."""

LARGE = 8
"""With more systems times probes, the printed page leaves out the details of each."""

_NOWHERE = 1_000_000
"""Rank of a document that was not retrieved."""


@dataclass(frozen=True)
class ProbeNote:
    """How one probe was built, and how much of it was usable.

    name        name of the benchmark, as in the results
    tests       one line: what the probe tests
    considered  topics that the builder considered
    kept        topics that passed every check of the builder
    dropped     reason -> number of topics or cases dropped for it
    notes       how unusable data were handled, in sentences
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
    facts     the inputs: corpus, documents, seed, ...
    reports   one for each system and benchmark
    kinds     how each kind of test presents its reports, by name
    quoted    published results, shown separately from measured ones
    reasoned  what reasoning changed, for systems that reason
    links     addresses of the documents in cases: only http(s) and relative ones are shown
    """

    title: str
    created: str
    version: str
    command: str
    reports: Sequence[Report]
    kinds: Mapping[str, Shown] = field(default_factory=dict)
    facts: Mapping[str, str] = field(default_factory=dict)
    figures: Sequence[Figure] = ()
    cases: Sequence[Case] = ()
    probes: Sequence[ProbeNote] = ()
    quoted: Sequence[Mapping[str, Any]] = ()
    reasoned: Sequence[Reasoned] = ()
    links: Links = field(default_factory=dict)


@dataclass(frozen=True)
class Exhibit:
    """One case with its comparisons.

    number    place on the page, from 1, for links to it
    forms     the two forms of the query, compared; None if there is only one
    links     document id -> address of its file
    """

    number: int
    case: Case
    passages: Comparison
    forms: Comparison | None
    links: Mapping[str, str]

    @property
    def drop(self) -> int:
        """How many ranks the expected document is below the retrieved one."""
        expected, retrieved = self.case.expected.rank, self.case.retrieved.rank
        return (_NOWHERE if expected is None else expected) - (retrieved or _NOWHERE)


@dataclass(frozen=True)
class Group:
    """The cases of one system on one probe."""

    probe: str
    system: str
    exhibits: tuple[Exhibit, ...]


def grouped(cases: Sequence[Case], links: Links) -> list[tuple[str, list[Group]]]:
    """Return the cases by system and probe, in the order of their first case."""
    by_probe: dict[str, dict[str, str]] = {}
    for (probe, id), link in links.items():
        by_probe.setdefault(probe, {})[id] = safe(link)
    gathered: dict[str, dict[str, list[Exhibit]]] = {}
    systems = list(dict.fromkeys(case.system for case in cases))
    in_order = sorted(cases, key=lambda case: systems.index(case.system))
    for number, case in enumerate(in_order, start=1):
        exhibit = _exhibit(number, case, by_probe.get(case.probe, {}))
        gathered.setdefault(case.system, {}).setdefault(case.probe, []).append(exhibit)
    return [
        (system, [Group(probe, system, tuple(shown)) for probe, shown in of_system.items()])
        for system, of_system in gathered.items()
    ]


def _exhibit(number: int, case: Case, links: Mapping[str, str]) -> Exhibit:
    query, compared = shorten(case.query), shorten(case.compared)
    return Exhibit(
        number=number,
        case=case,
        passages=compare(case.expected.text, case.retrieved.text, f"{query} {compared}"),
        forms=compare(query, compared) if compared else None,
        links=links,
    )


def write_report(
    out: Path,
    outcome: Outcome,
    *,
    title: str,
    command: str,
    facts: Mapping[str, str],
    source: Path | None = None,
) -> Path:
    """Write report.json and report.html, and return the path of the page.

    source  path of the corpus, so that the page can link to the files of documents
    """
    with atomic_file(out / "report.json") as file:
        json.dump(outcome.as_json(), file, ensure_ascii=False, indent=1)
        file.write("\n")
    with atomic_file(out / "report.html") as file:
        links = links_of(outcome.cases, outcome.benchmarks, source, out)
        file.write(
            render(dataclasses.replace(page_of(outcome, title, command, facts), links=links))
        )
    return out / "report.html"


def page_of(outcome: Outcome, title: str, command: str, facts: Mapping[str, str]) -> Page:
    """Return what report.html shows of an outcome."""
    results = Results(outcome.reports, outcome.kinds)
    return Page(
        title=title,
        created=outcome.created,
        version=__version__,
        command=command,
        facts={**facts, **_left_out(outcome)},
        reports=outcome.reports,
        kinds=outcome.kinds,
        quoted=quoted_beside(outcome.benchmarks),
        figures=[figure for name in results.probes for figure in _figures(results, name)],
        cases=outcome.cases,
        probes=_notes(outcome, results),
        reasoned=list(reasoned(outcome.reports)),
    )


def _left_out(outcome: Outcome) -> dict[str, str]:
    """Return which systems have no figures on which benchmarks, grouped by reason."""
    pairs: dict[str, list[str]] = {}
    for each in outcome.not_measured:
        pairs.setdefault(each.why, []).append(f"{each.system} on {each.benchmark}")
    told = "; ".join(f"{', '.join(who)}: {why.rstrip('.')}" for why, who in pairs.items())
    return {"skipped or left out": told} if told else {}


def _figures(results: Results, name: str) -> list[Figure]:
    reports = results.on(name)
    kind = results.kind(name)
    own = kind.figures(name, reports)
    if any(each.parts for each in reports):
        return own
    return [*own, *cost_figures(name, reports, kind.main)]


def _notes(outcome: Outcome, results: Results) -> list[ProbeNote]:
    """Return how every benchmark was built. For a whole in parts return only what it tests."""
    made = {each.name: each for each in outcome.benchmarks}
    notes = [_note(each, results.kind(each.name).question) for each in outcome.benchmarks]
    wholes = [report for report in outcome.reports if report.benchmark not in made]
    return notes + [
        ProbeNote(each.benchmark, each.kind, each.built_by, results.kind(each.benchmark).question)
        for each in wholes
    ]


def _note(benchmark: Benchmark, tests: str) -> ProbeNote:
    built = benchmark.built
    return ProbeNote(
        name=benchmark.name,
        kind=benchmark.kind,
        built_by=benchmark.built_by,
        tests=tests,
        considered=built.get("considered"),
        kept=built.get("kept"),
        dropped=built.get("dropped", {}),
        notes=notes_on(benchmark),
    )


def render(page: Page) -> str:
    """Return the page as HTML."""
    every = Results(page.reports, page.kinds)
    wholes = every.wholes
    said = {finding.probe: finding for finding in findings(wholes)}
    figures = [drawn(number, figure) for number, figure in enumerate(page.figures, 1)]
    return filled(
        "report.html.j2",
        "report.js",
        page=page,
        created=_in_words(page.created),
        results=[
            (tables.overview(wholes, probe), said.get(probe, Finding(probe, (), ())))
            for probe in wholes.probes
        ],
        notes=_notes_shown(page, wholes),
        sections=[_section(page, every, probe, figures) for probe in wholes.probes],
        loose=[each for each in figures if each.figure.probe not in wholes.probes],
        evidence=grouped(page.cases, page.links),
        opened=OPENED if len(wholes.systems) <= 2 * OPENED else 1,
        reference=any(report.is_reference for report in page.reports),
        settings=tables.settings(every),
        large=len(wholes.probes) * len(wholes.systems) > LARGE,
        glossary=glossary(name for report in page.reports for name in report.means()),
    )


def _in_words(created: str) -> str:
    try:
        moment = datetime.fromisoformat(created)
    except ValueError:
        return created
    return f"{moment.day} {moment:%B %Y, %H:%M} {moment:%Z}".rstrip()


def _notes_shown(page: Page, wholes: Results) -> list[ProbeNote]:
    """Return a note for each benchmark, including those built without one."""
    names = wholes.probes
    notes = {note.name: note for note in page.probes if note.name in names or not names}
    for report in wholes.reports:
        note = ProbeNote(report.benchmark, report.kind, report.built_by)
        notes.setdefault(report.benchmark, note)
    return list(notes.values())


def _section(page: Page, every: Results, probe: str, figures: Sequence[Drawn]) -> dict[str, Any]:
    return {
        "probe": probe,
        "figures": [each for each in figures if each.figure.probe == probe],
        "breakdowns": tables.breakdowns(every, probe),
        "every_metric": [tables.every_metric(every, name) for name in (probe, *every.parts(probe))],
        "quoted": tables.quoted_tables(page.quoted, probe),
    }
