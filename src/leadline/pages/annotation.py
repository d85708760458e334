"""A sheet of questions as one self-contained HTML file; answers are saved as a CSV."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from leadline import __version__
from leadline.files.writing import atomic_file
from leadline.pages.render import environment, hash_of, resource


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to a reader that a number answers.

    lines  what is counted
    text   where it is counted
    """

    id: str
    what: str
    lines: tuple[str, ...]
    text: str


def write_annotation(path: Path, title: str, column: str, asked: Sequence[Asked]) -> Path:
    """Write the page. Its button saves a CSV of the columns `item` and `column`.

    Answers stay in the browser until they are saved; whatever comes from a corpus stays text.
    Raises InputError when the file cannot be written.
    """
    from markupsafe import Markup

    script = resource("annotation.js")
    html = (
        environment()
        .get_template("annotation.html.j2")
        .render(
            title=title,
            column=column,
            asked=asked,
            style=Markup(resource("report.css")),
            script=Markup(script),
            script_hash=Markup(hash_of(script)),
            version=__version__,
        )
    )
    with atomic_file(path) as file:
        file.write(html)
    return path
