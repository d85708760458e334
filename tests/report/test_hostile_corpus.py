"""Hostile texts in every page, in a real browser with a listener: nothing runs, nothing leaves."""

import dataclasses
import json
from pathlib import Path

import pytest
from browser import Browser, Heard
from hostile import ELSEWHERE, HOSTILE, NOTICED
from sample_page import page

from commands import run
from leadline.diagnosis.causes import ErrorCase, Judgement, Shown
from leadline.diagnosis.review import write_review
from leadline.report.page import render
from leadline.report.sheets import Asked, Study, write_annotation, write_study
from notes import NOTES

ACTING = (
    "document.querySelectorAll('details').forEach(each => each.open = true)",
    # As a reader who points at everything, clicks every button and types into every field.
    "document.querySelectorAll('body *').forEach(each => {"
    "for (const name of ['mouseover', 'focus', 'pointerenter', 'toggle'])"
    "each.dispatchEvent(new Event(name, {bubbles: true}))})",
    "document.querySelectorAll('button, a[href^=javascript]').forEach(each => each.click())",
    "document.querySelectorAll('select').forEach(each => {"
    "each.value = each.options[each.options.length - 1].value;"
    "each.dispatchEvent(new Event('input', {bubbles: true}))})",
    "document.querySelectorAll('input').forEach(each => {"
    "each.value = each.type == 'number' ? '3' : document.title;"
    "each.dispatchEvent(new Event('input', {bubbles: true}))})",
)


# test_render.py looks for the marks of all of them without a browser.
FIRST = {"script", "events", "attributes", "elements", "scripts of the page", "parsed twice"}
NAMES = [each if each in FIRST else pytest.param(each, marks=pytest.mark.slow) for each in HOSTILE]


def visited(browser: Browser, folder: Path, html: str, *steps: str) -> Heard:
    path = folder / "page.html"
    path.write_text(html, encoding="utf-8")
    return browser.visit(path.as_uri(), *steps)


def check_nothing_happened(heard: Heard, address: str) -> None:
    assert heard.dialogs == []
    assert heard.console == []
    # Saving a CSV makes an address of the page's own content, which is fetched from nowhere.
    asked = [each for each in heard.requests if not each.startswith("blob:null/")]
    assert asked == [address]
    assert heard.moves == [address]


def report(text: str) -> str:
    return render(page(text, cases=2))


def review(text: str, folder: Path) -> str:
    case = ErrorCase(
        "retrieval", text, text, text, text, text, text, Shown(text, text), Shown(text, text),
        Judgement("word overlap", True, text),
    )  # fmt: skip
    cases = [case, dataclasses.replace(case, stage="reading")]
    return write_review(folder, "errors", text, cases, [case]).read_text("utf-8")


def annotation(text: str, folder: Path) -> str:
    asked = [Asked(text, text, (text, text), text), Asked("two", "query", (), "plain")]
    return write_annotation(folder / "sheet.html", text, text, asked).read_text("utf-8")


def study(text: str, folder: Path) -> str:
    figures = page(text).figures
    shown = Study("study", text, text, {text: text}, [text], figures, {})
    return write_study(folder, shown).read_text("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_hostile_text_does_nothing_in_the_report(
    browser: Browser, tmp_path: Path, name: str
) -> None:
    heard = visited(browser, tmp_path, report(HOSTILE[name]), *ACTING)
    check_nothing_happened(heard, (tmp_path / "page.html").as_uri())
    assert "of 4 cases" in heard.html  # its own script ran
    assert str(7 * 191) not in heard.html  # no template was filled in


@pytest.mark.parametrize("name", NAMES)
def test_hostile_text_does_nothing_in_sheets_and_studies(
    browser: Browser, tmp_path: Path, name: str
) -> None:
    text = HOSTILE[name]
    for html in (review(text, tmp_path), annotation(text, tmp_path), study(text, tmp_path)):
        heard = visited(browser, tmp_path, html, *ACTING)
        check_nothing_happened(heard, (tmp_path / "page.html").as_uri())
        assert str(7 * 191) not in heard.html


def test_a_document_opens_its_file(browser: Browser, tmp_path: Path) -> None:
    note, out = tmp_path / "notes" / "a note.txt", tmp_path / "out"
    for folder in (note.parent, out):
        folder.mkdir()
    note.write_text("The note itself.", encoding="utf-8")
    step = "document.querySelector('a[rel=noreferrer]').click()"
    heard = visited(browser, out, render(page()), step)
    assert heard.moves == [(out / "page.html").as_uri(), note.as_uri()]


def test_the_listener_hears_what_hostile_text_would_do(browser: Browser, tmp_path: Path) -> None:
    heard = visited(browser, tmp_path, f"<p>{HOSTILE['script']}<style>{HOSTILE['style']}")
    assert heard.dialogs == ["1"]
    assert "['ran']" in heard.console
    assert f"{ELSEWHERE}/ran" in heard.requests
    assert {f"{ELSEWHERE}/a.css", f"{ELSEWHERE}/c.css"} <= set(heard.requests)
    heard = visited(browser, tmp_path, f"<p>{HOSTILE['elements']}")
    assert any(each.startswith(ELSEWHERE) for each in heard.moves + heard.requests)
    heard = visited(browser, tmp_path, f"<p title=\"{HOSTILE['attributes']}'>x", *ACTING)
    assert heard.dialogs
    heard = visited(browser, tmp_path, f"<p>{HOSTILE['addresses']}", *ACTING)
    assert heard.dialogs


def test_a_hostile_corpus_does_nothing_in_what_check_writes(
    browser: Browser, tmp_path: Path
) -> None:
    # Each hostile text stands in the title and between the sentences of notes that probes use.
    lines = []
    hostile = list(HOSTILE.values())
    for number, (name, (title, text)) in enumerate(NOTES.items()):
        one, two = hostile[number % len(hostile)], hostile[(number + 7) % len(hostile)]
        first, _, rest = text.partition(". ")
        record = {"_id": f"{name} {' '.join(one.split())}", "title": f"{title} {two}",
                  "text": f"{one} {first}. {two} {rest}", "metadata": {one[:40]: two}}  # fmt: skip
        lines.append(json.dumps(record))
    corpus = tmp_path / f"a{NOTICED[:9]}<b>.jsonl"
    corpus.write_text("\n".join(lines) + "\n", encoding="utf-8")
    out = tmp_path / "out"
    run("check", corpus, "-s", "bm25", "--out", out)
    address = (out / "report.html").as_uri()
    heard = browser.visit(address, *ACTING)
    check_nothing_happened(heard, address)
    assert "alert(1)" in heard.html  # it was there
