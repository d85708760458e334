"""The page of a study: what was run, what came out in a sentence or two, and its figures."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from leadline import __version__
from leadline.data.writing import atomic_file
from leadline.drawings.figures import drawn
from leadline.evidence import Figure
from leadline.pages.render import environment, resource


@dataclass(frozen=True)
class Study:
    """One study.

    name       of its files: `name.html`, `name.json`
    command    as typed
    facts      what was run
    sentences  what came out
    numbers    everything that is drawn, for `name.json`
    """

    name: str
    title: str
    command: str
    facts: Mapping[str, str]
    sentences: Sequence[str]
    figures: Sequence[Figure]
    numbers: Any


def write_study(out: Path, study: Study) -> Path:
    """Write `name.json` and `name.html`; return the path of the page."""
    with atomic_file(out / f"{study.name}.json") as file:
        told = {"title": study.title, "facts": dict(study.facts), "results": study.numbers}
        json.dump(told, file, ensure_ascii=False, indent=1)
        file.write("\n")
    path = out / f"{study.name}.html"
    with atomic_file(path) as file:
        file.write(render_study(study))
    return path


def render_study(study: Study) -> str:
    """Return the page; whatever comes from a text or a model stays text."""
    from markupsafe import Markup

    html: str = (
        environment()
        .get_template("study.html.j2")
        .render(
            study=study,
            style=Markup(resource("report.css")),
            figures=[drawn(number, each) for number, each in enumerate(study.figures, 1)],
            version=__version__,
        )
    )
    return html
