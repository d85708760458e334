"""Links from the report to the files of documents: relative and encoded, or none."""

import json
from pathlib import Path
from urllib.parse import unquote, urljoin

import pytest
from hostile import HOSTILE

from commands import run
from leadline.report.links import link_to, safe
from leadline.types import Document
from notes import NOTES
from tables import each_row


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "my notes"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "50% & <b>#1?.md").write_text("A text.", encoding="utf-8")
    (folder / "javascript:alert(1)").write_text("A text.", encoding="utf-8")
    (tmp_path / "secret.txt").write_text("A text.", encoding="utf-8")
    return folder


def test_a_document_of_a_folder_of_texts_is_linked_from_where_the_report_stands(
    notes: Path, tmp_path: Path
) -> None:
    out = tmp_path / "results" / "today"
    link = link_to(Document("deep/50% & <b>#1?.md", "t"), notes, out)
    assert link == "../../my%20notes/deep/50%25%20%26%20%3Cb%3E%231%3F.md"
    there = urljoin(f"{out.as_uri()}/report.html", link)
    assert Path(unquote(there.removeprefix("file://"))).read_text() == "A text."


def test_a_name_like_a_script_is_a_path(notes: Path, tmp_path: Path) -> None:
    link = link_to(Document("javascript:alert(1)", "t"), notes, notes)
    assert link == "javascript%3Aalert%281%29"


def test_nothing_is_linked_where_no_file_is_known(notes: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("{}", encoding="utf-8")
    for id in ("deep", "missing.md", "../secret.txt", f"{tmp_path}/secret.txt", "\x00", "\ud800"):
        assert link_to(Document(id, "t"), notes, tmp_path) == ""
    assert link_to(Document("secret.txt", "t"), corpus, tmp_path) == ""  # an id, not a path
    assert link_to(Document("a", "t", facets={"path": "../secret.txt"}), notes, tmp_path) == ""
    assert link_to(Document("deep/50% & <b>#1?.md", "t"), None, tmp_path) == ""


@each_row
def test_a_record_may_tell_an_address_of_the_web(value: str, link: str, tmp_path: Path) -> None:
    document = Document("a", "t", facets={"url": value})
    assert link_to(document, tmp_path / "corpus.jsonl", tmp_path) == link


def test_a_record_may_tell_a_file_beside_its_corpus(notes: Path, tmp_path: Path) -> None:
    for path in ("secret.txt", f"{tmp_path}/secret.txt"):
        document = Document("a", "t", facets={"path": path})
        assert link_to(document, tmp_path / "corpus.jsonl", tmp_path / "out") == "../secret.txt"


@pytest.mark.parametrize("name", HOSTILE)
def test_no_hostile_text_is_a_safe_link(name: str) -> None:
    assert safe(HOSTILE[name]) == ""
    for link in ("javascript:alert(1)", " javascript:alert(1)", "/etc/passwd", "//example.org", ""):
        assert safe(link) == ""


def test_check_links_the_files_of_its_cases(tmp_path: Path) -> None:
    folder, out = tmp_path / "notes", tmp_path / "out"
    folder.mkdir()
    for name, (title, text) in NOTES.items():
        (folder / f"{name} note.md").write_text(f"# {title}\n\n{text}\n", encoding="utf-8")
    run("check", folder, "-s", "bm25", "--out", out)
    html = (out / "report.html").read_text(encoding="utf-8")
    linked = {name for name in NOTES if f'href="../notes/{name}%20note.md"' in html}
    assert linked
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert "../notes" not in json.dumps(report)
