"""A report page as one self-contained HTML file: no network, one script of its own, no build."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from leadline import __version__
from leadline.data.writing import atomic_file
from leadline.drawings.figures import Drawn
from leadline.drawings.figures import drawn as drawn_figure
from leadline.metrics import meanings
from leadline.pages import evidence, parts, summary, tables
from leadline.pages.page import Page, ProbeNote
from leadline.pages.quoted import quoted_tables
from leadline.pages.visible import shorten, visible

LARGE = 8
"""Systems times probes above which print leaves out what is told of each."""


def render(page: Page) -> str:
    """Return the page as HTML.

    Whatever comes from a corpus stays text: it is escaped, and characters that would hide or turn
    text around are shown.
    """
    from markupsafe import Markup

    wholes = parts.without_parts(page.results)
    probes = tables.probes_of(wholes)
    drawn = [drawn_figure(number, figure) for number, figure in enumerate(page.figures, 1)]
    html: str = (
        environment()
        .get_template("report.html.j2")
        .render(
            page=page,
            style=Markup(resource("report.css")),
            script=Markup(resource("report.js")),
            script_hash=Markup(hash_of(resource("report.js"))),
            created=_in_words(page.created),
            findings=summary.findings(wholes),
            notes=_notes(page),
            overview=tables.overview(wholes),
            sections=[_section(page, probe, drawn) for probe in probes],
            loose=[each for each in drawn if each.figure.probe not in probes],
            evidence=evidence.grouped(page.cases, page.links),
            settings=tables.settings(page.results),
            large=len(probes) * len(tables.systems_of(wholes)) > LARGE,
            glossary=meanings.entries(
                name for result in page.results for name in result["metrics"]
            ),
        )
    )
    return html


def write_sheet(path: Path, name: str, **values: Any) -> Path:
    """Write a page for people to fill in: its template and script by name, in the report's style.

    Raises InputError when the file cannot be written.
    """
    from markupsafe import Markup

    script = resource(f"{name}.js")
    html = (
        environment()
        .get_template(f"{name}.html.j2")
        .render(
            **values,
            style=Markup(resource("report.css")),
            script=Markup(script),
            script_hash=Markup(hash_of(script)),
            version=__version__,
        )
    )
    with atomic_file(path) as file:
        file.write(html)
    return path


def hash_of(script: str) -> str:
    """Return what the content security policy names the one script by that may run."""
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


def environment() -> Any:
    """Return what fills our templates: everything is escaped and made visible."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    def finalize(value: Any) -> Any:
        """Make everything that a template prints visible; only our own markup is left alone."""
        if isinstance(value, str) and not isinstance(value, Markup):
            return visible(value)
        return value

    environment = Environment(
        loader=FunctionLoader(resource),
        autoescape=True,
        finalize=finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(shorten=shorten, place=evidence.place, meaning=meanings.meaning_of)
    environment.filters["label"] = meanings.label_of
    return environment


def resource(name: str) -> str:
    """Return the text of a template or style of this folder."""
    return files("leadline.pages").joinpath(name).read_text(encoding="utf-8")


def _in_words(created: str) -> str:
    try:
        moment = datetime.fromisoformat(created)
    except ValueError:
        return created
    return f"{moment.day} {moment:%B %Y, %H:%M} {moment:%Z}".rstrip()


def _notes(page: Page) -> list[ProbeNote]:
    """Return a note for each probe, also for those that came without one."""
    wholes = parts.without_parts(page.results)
    names = tables.probes_of(wholes)
    notes = {note.name: note for note in page.probes if note.name in names or not names}
    for result in wholes:
        name = str(result["benchmark"])
        if name not in notes:
            notes[name] = ProbeNote(
                name, str(result.get("kind", "")), str(result.get("built_by", "published"))
            )
    return list(notes.values())


def _section(page: Page, probe: str, drawn: Sequence[Drawn]) -> dict[str, Any]:
    return {
        "probe": probe,
        "figures": [each for each in drawn if each.figure.probe == probe],
        "breakdowns": parts.by_part(page.results, probe) or tables.breakdowns(page.results, probe),
        "every_metric": [
            tables.every_metric(page.results, name)
            for name in (probe, *parts.parts_of(page.results, probe))
        ],
        "quoted": quoted_tables(page.quoted, probe),
    }
