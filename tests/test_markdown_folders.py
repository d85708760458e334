"""A folder of Markdown as people keep it gives the same probes as the same texts unwrapped."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from leadline.checking import build_probes
from leadline.data.documents import read_corpus
from notes import NOTES

ENDINGS = (".md", ".txt")


def written(folder: Path, ending: str, width: int | None) -> Path:
    """Write the notes as pages, hard-wrapped where a width is given."""
    folder.mkdir()
    for name, (title, text) in NOTES.items():
        body = textwrap.fill(text, width) if width else text
        heading = f"# {title}\n\n" if ending == ".md" else ""
        (folder / f"{name}{ending}").write_text(f"{heading}{body}\n")
    return folder


def asked(folder: Path) -> list[str]:
    """Return the queries of all probes of a folder."""
    return [query.content for probe in build_probes(read_corpus(folder)) for query in probe.queries]


@pytest.mark.parametrize("ending", ENDINGS)
def test_hard_wraps_change_no_question(tmp_path: Path, ending: str) -> None:
    flat = asked(written(tmp_path / "flat", ending, None))
    assert len(flat) > 20
    assert asked(written(tmp_path / "wrapped", ending, 72)) == flat


def test_a_few_long_pages_are_read_whole(tmp_path: Path) -> None:
    filler = "Some people walk there now and then, and others do not, which is how it goes. "
    facts = [text for _, text in NOTES.values()]
    for page in range(2):
        told = facts[page::2]
        (tmp_path / f"{page}.md").write_text(
            "\n\n".join(f"{each}\n\n{12 * filler}" for each in told)
        )
    conditions = build_probes(read_corpus(tmp_path), ["conditions"])[0]
    words = len((tmp_path / "1.md").read_text().split())
    deepest = max(int(query.facets["at"]) for query in conditions.queries)
    assert deepest > words // 2
