"""The documentation builds without a warning, and its links lead somewhere."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from browser import Browser, installed

from notes import NOTES
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


class Runner:
    """Runs the steps of a workflow as GitHub does, with the caches it documents.

    A cache is found by its list of paths, and by its key or the newest with the start of it.
    """

    def __init__(self, workflow: dict[str, Any], folder: Path) -> None:
        self.workflow = workflow
        self.folder = folder
        self.caches: list[tuple[str, str, Path]] = []

    def run(self, event: str, sha: str) -> dict[str, str]:
        """Run every step in a fresh checkout; return the key restored, and the summary."""
        checkout = self.folder / f"{event}-{sha}"
        write_notes_folder(checkout / "docs")
        (checkout / "search.yaml").write_text("chain: bm25\n")
        told = {"restored": "", "summary": ""}
        for step in self.workflow["jobs"]["retrieval"]["steps"]:
            condition = step.get("if", "")
            if ("'push'" in condition and event != "push") or (
                "'pull_request'" in condition and (event != "pull_request" or not told["restored"])
            ):
                continue
            if "hashFiles" in condition and not (checkout / "gate.md").exists():
                continue
            action, given = step.get("uses", ""), step.get("with", {})
            if action.startswith("actions/cache/"):
                key = given["key"].replace("${{ github.sha }}", sha)
                if "/restore@" in action:
                    told["restored"] = self.restore(checkout, given, key)
                else:
                    self.save(checkout, given["path"], key)
            elif "run" in step and not step["run"].startswith("pip "):
                self.shell(step["run"], checkout)
        if (checkout / "summary").exists():
            told["summary"] = (checkout / "summary").read_text()
        return told

    def restore(self, checkout: Path, given: dict[str, str], key: str) -> str:
        for start in (key, given.get("restore-keys", key)):
            for name, paths, kept in reversed(self.caches):
                if paths == given["path"] and name.startswith(start):
                    shutil.copytree(kept, checkout, dirs_exist_ok=True)
                    return name
        return ""

    def save(self, checkout: Path, paths: str, key: str) -> None:
        kept = self.folder / "caches" / str(len(self.caches))
        for path in paths.split():
            shutil.copytree(checkout / path, kept / path)
        self.caches.append((key, paths, kept))

    def shell(self, command: str, checkout: Path) -> None:
        programs = self.folder / "bin"
        programs.mkdir(exist_ok=True)
        (programs / "leadline").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m leadline "$@"\n')
        (programs / "leadline").chmod(0o755)
        more = {
            **{name: str(value) for name, value in self.workflow["env"].items()},
            "GITHUB_STEP_SUMMARY": str(checkout / "summary"),
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        }
        subprocess.run(
            ["bash", "-e", "-c", command], cwd=checkout, env=environment() | more, check=True
        )


def write_notes_folder(folder: Path) -> None:
    folder.mkdir(parents=True)
    for name, (title, text) in NOTES.items():
        (folder / f"{name}.md").write_text(f"# {title}\n\n{text}\n")


def test_the_recipe_for_a_gate_restores_what_main_kept(tmp_path: Path) -> None:
    (text,) = re.findall(
        r"```yaml\n(on:.*?)```", (ROOT / "docs" / "how-to" / "gate-in-ci.md").read_text(), re.DOTALL
    )
    runner = Runner(yaml.safe_load(text), tmp_path)
    steps = runner.workflow["jobs"]["retrieval"]["steps"]
    restore, save = (
        next(each["with"] for each in steps if f"cache/{verb}@" in each.get("uses", ""))
        for verb in ("restore", "save")
    )
    assert restore["path"] == save["path"]
    assert save["key"].startswith(restore["restore-keys"])
    assert runner.workflow["env"]["LEADLINE_CACHE"] in restore["path"].split()
    # Nothing is kept yet, so nothing is judged.
    assert runner.run("push", "b2") == {"restored": "", "summary": ""}
    second = runner.run("pull_request", "c3")
    assert second["restored"] == "retrieval-b2"
    assert "Retrieval gate: passed" in second["summary"]
