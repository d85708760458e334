"""Every command on a page of the tutorial or a how-to runs, and prints what the page shows."""

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from leadline.cli.main import app

ROOT = Path(__file__).resolve().parent.parent
SPEC = importlib.util.spec_from_file_location("pages", ROOT / "docs" / "_run.py")
assert SPEC is not None and SPEC.loader is not None
pages = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(pages)

TIMES = re.compile(r"\b[\d.]+ (ms|s|seconds|MB|kB)\b")
"""What another machine prints otherwise."""

LABORATORY = re.compile(
    r"\b(?:strangers?|mended|told|(?:sheet|seed)s? \d{4}|"
    r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40})\b"
)
"""Words, numbers of sheets and hashes of commits that only docs/evidence has."""


@pytest.mark.slow
@pytest.mark.parametrize("page", pages.pages(), ids=lambda page: page.stem)
def test_a_page_shows_what_its_commands_print(page: Path, tmp_path: Path) -> None:
    for block, printed in pages.run(page, tmp_path):
        shown = block[3]
        assert "Traceback" not in printed
        today = pages.shortened(shown, printed)
        assert TIMES.sub("", today) == TIMES.sub("", shown)


def test_no_page_outside_reference_and_evidence_is_longer_than_800_words() -> None:
    for page in [*pages.pages(), *(ROOT / "docs" / "explanation").glob("*.md")]:
        assert len(page.read_text("utf-8").split()) <= 800, page


def test_what_belongs_to_the_evidence_is_nowhere_else() -> None:
    read = [*ROOT.glob("*.md"), *(ROOT / "packages").glob("*/README.md")]
    read += [*(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]
    for page in read:
        if "evidence" not in page.parts:
            found = LABORATORY.search(page.read_text("utf-8"))
            assert found is None, f"{page.relative_to(ROOT)}: {found[0]}"
    for name, command in _commands(typer.main.get_command(app), "leadline"):
        helps = [command.help or "", *(getattr(each, "help", "") or "" for each in command.params)]
        found = LABORATORY.search("\n".join(helps))
        assert found is None, f"{name} --help: {found[0]}"


def _commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    yield name, command
    for each in command.list_commands(None) if hasattr(command, "list_commands") else ():
        yield from _commands(command.get_command(None, each), f"{name} {each}")


def test_every_command_and_option_on_a_page_exists() -> None:
    root: Any = typer.main.get_command(app)
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        if "evidence" in page.parts:
            continue
        text = page.read_text("utf-8").replace("\\\n", " ")
        for line in re.findall(r"^(?: {4}|\$ |)(leadline [a-z].*)", text, re.MULTILINE):
            command, words = root, line.partition("  #")[0].split()[1:]
            while hasattr(command, "get_command"):
                command, words = command.get_command(None, words[0]), words[1:]
                assert command is not None, f"{page.relative_to(ROOT)}: {line}"
            options = {name for each in command.params for name in each.opts}
            named = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", " ".join(words))) - {"--help"}
            assert named <= options, f"{page.relative_to(ROOT)}: {line}: {named - options}"
