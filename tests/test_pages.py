"""Every command on a page of the tutorial or a how-to runs, and prints what the page shows."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SPEC = importlib.util.spec_from_file_location("pages", ROOT / "docs" / "_run.py")
assert SPEC is not None and SPEC.loader is not None
pages = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(pages)

TIMES = re.compile(r"\b[\d.]+ (ms|s|seconds|MB|kB)\b")
"""What another machine prints otherwise."""


@pytest.mark.slow
@pytest.mark.parametrize("page", pages.pages(), ids=lambda page: page.stem)
def test_a_page_shows_what_its_commands_print(page: Path, tmp_path: Path) -> None:
    for block, printed in pages.run(page, tmp_path):
        shown = block[3]
        assert "Traceback" not in printed
        today = pages.shortened(shown, printed)
        assert TIMES.sub("", today) == TIMES.sub("", shown)


def test_no_page_to_learn_or_to_do_by_is_longer_than_800_words() -> None:
    for page in pages.pages():
        assert len(page.read_text("utf-8").split()) <= 800, page
