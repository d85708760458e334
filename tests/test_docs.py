"""The documentation builds without a warning, and its links lead somewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from browser import Browser, installed

from processes import environment

ROOT = Path(__file__).resolve().parent.parent

FETCHED = re.compile(
    r"""<(?:script|img|iframe)[^>]+src=["']?https?:|<link(?=[^>]*css)[^>]*https?:"""
)
"""What a browser would fetch from another host."""

pytest.importorskip("mkdocs")


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    done = subprocess.run(
        command, cwd=ROOT, env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    commands = (tmp_path / "reference" / "commands" / "index.html").read_text("utf-8")
    assert "leadline check" in commands and "--probe" in commands
    assert "WinRate" in (tmp_path / "reference" / "metrics" / "index.html").read_text("utf-8")
    readings = tmp_path / "evidence" / "check-readings" / "index.html"
    assert 'href="../check-before/"' in readings.read_text("utf-8")
    for page in tmp_path.rglob("*.html"):
        assert not FETCHED.search(page.read_text("utf-8")), page
    if installed() is not None:
        _check_pages_in_browser(tmp_path)


def _check_pages_in_browser(site: Path) -> None:
    """Open the pages with texts of corpora: nothing leaves, nothing asks."""
    browser = Browser(site / "profile")
    try:
        for page in [site / "index.html", *sorted(site.glob("evidence/*/index.html"))]:
            heard = browser.visit(page.as_uri())
            assert heard.dialogs == []
            assert [
                each for each in heard.requests if not each.startswith(("file://", "data:"))
            ] == []
            assert heard.moves == [page.as_uri()]
    finally:
        browser.close()
