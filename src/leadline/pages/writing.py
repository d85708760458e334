"""The report of an outcome: report.json, and report.html for people."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path

from leadline import __version__
from leadline.benchmark import Benchmark
from leadline.data.writing import atomic_file
from leadline.evaluation import notes_on
from leadline.evidence import Figure
from leadline.kinds.figures import cost_figures
from leadline.kinds.registry import kind_or_ranking
from leadline.pages.links import links_of
from leadline.pages.page import Page, ProbeNote
from leadline.pages.reasoned import reasoned
from leadline.pages.render import render
from leadline.results.outcome import Outcome


def write_report(
    out: Path,
    outcome: Outcome,
    *,
    title: str,
    command: str,
    facts: Mapping[str, str],
    source: Path | None = None,
) -> Path:
    """Write report.json and report.html; return the path of the page.

    source  path that the corpus was read from, so that the page links to the files of documents
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
    entries = outcome.as_json()
    return Page(
        title=title,
        created=outcome.created,
        version=__version__,
        command=command,
        facts={**facts, **_left_out(outcome)},
        results=entries["results"],
        quoted=entries.get("quoted", ()),
        figures=[
            figure
            for name, kind in {
                **{each.name: each.kind for each in outcome.benchmarks},
                **{each.benchmark: each.kind for each in outcome.reports if each.parts},
            }.items()
            for figure in _figures(name, kind, outcome)
        ],
        cases=outcome.cases,
        probes=[*map(_note, outcome.benchmarks), *_notes_on_wholes(outcome)],
        reasoned=list(reasoned(outcome.reports)),
    )


def _left_out(outcome: Outcome) -> dict[str, str]:
    """Say which systems have no figures on which benchmarks, a reason once."""
    pairs: dict[str, list[str]] = {}
    for each in outcome.not_measured:
        pairs.setdefault(each.why, []).append(f"{each.system} on {each.benchmark}")
    told = "; ".join(f"{', '.join(who)}: {why.rstrip('.')}" for why, who in pairs.items())
    return {"not asked, or left out": told} if told else {}


def _figures(name: str, kind: str, outcome: Outcome) -> list[Figure]:
    reports = [report for report in outcome.reports if report.benchmark == name]
    own = kind_or_ranking(kind).figures(name, reports)
    return own if any(each.parts for each in reports) else [*own, *cost_figures(name, reports)]


def _notes_on_wholes(outcome: Outcome) -> list[ProbeNote]:
    names = {benchmark.name for benchmark in outcome.benchmarks}
    return [
        ProbeNote(
            report.benchmark, report.kind, report.built_by, kind_or_ranking(report.kind).question
        )
        for report in outcome.reports
        if report.benchmark not in names
    ]


def _note(benchmark: Benchmark) -> ProbeNote:
    built = benchmark.built
    return ProbeNote(
        name=benchmark.name,
        kind=benchmark.kind,
        built_by=benchmark.built_by,
        tests=kind_or_ranking(benchmark.kind).question,
        considered=built.get("considered"),
        kept=built.get("kept"),
        dropped=built.get("dropped", {}),
        notes=notes_on(benchmark),
    )
