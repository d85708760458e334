"""A sheet of questions as one self-contained HTML file; answers are saved as a CSV."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from leadline.pages.render import write_sheet


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
    return write_sheet(path, "annotation", title=title, column=column, asked=asked)
