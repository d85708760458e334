import os

import pytest
from typer.testing import CliRunner

from leadline import progress
from leadline.cli.main import app
from leadline.data.documents import read_corpus
from leadline.data.markdown import title_and_text
from leadline.data.texts import read_texts
from leadline.errors import InputError
from leadline.types import Document
from tables import each_row


def written(folder, **files):
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
    return folder


def page(tmp_path, html):
    return read_corpus(written(tmp_path, p_html=html))["p.html"]


def test_ids_are_paths_below_the_folder_in_their_order(tmp_path):
    written(tmp_path, b_txt="2", a__z_md="1", a__b__c_html="<p>0", B_TXT="3")
    assert list(read_corpus(tmp_path)) == ["B.TXT", "a/b/c.html", "a/z.md", "b.txt"]


def test_hidden_files_and_other_endings_are_ignored(tmp_path):
    written(tmp_path, a_txt="x", b_pptx="x", _git__c_txt="x", _d_txt="x")
    documents, ignored = read_texts(tmp_path)
    assert list(documents) == ["a.txt"]
    assert (
        ignored == "2 other files were ignored (.pptx, hidden)"
    )  # b.pptx and .d.txt; a hidden folder is not looked into


def test_the_other_endings_of_html_and_markdown_are_read_as_such(tmp_path):
    written(tmp_path, a_htm="<title>T</title><p>one", B_MARKDOWN="# Head\n\ntwo *words*")
    assert list(read_corpus(tmp_path).values()) == [
        Document("B.MARKDOWN", "two words", "Head"), Document("a.htm", "one", "T"),
    ]  # fmt: skip


@pytest.mark.parametrize("command", ["search", "check"])
def test_every_command_says_how_many_other_files_it_ignored(tmp_path, command):
    folder = written(tmp_path / "docs", a_txt="A library.", b_log="x", c_log="x", d_pptx="x")
    words = {
        "search": ["-s", "bm25", folder, "library"],
        "check": [folder, "-s", "bm25", "--dry-run"],
    }[command]
    done = CliRunner().invoke(app, [command, *map(str, words)])
    assert "3 other files were ignored (.log, .pptx)." in " ".join(done.stderr.split())


def test_plain_text_has_no_title(tmp_path):
    written(tmp_path, a_txt="\ufeffone\r\n\r\ntwo\n")
    assert read_corpus(tmp_path)["a.txt"] == Document("a.txt", "one\n\ntwo")


def test_the_heading_that_markdown_begins_with_is_the_title(tmp_path):
    written(tmp_path, a_md="\n# Big *trip* ##\n\nText\n# Next\n", b_md="Text\n# Late\n", c_md="# ")
    corpus = read_corpus(tmp_path)
    assert corpus["a.md"] == Document("a.md", "Text\n\nNext", "Big trip")
    assert corpus["b.md"] == Document("b.md", "Text\n\nLate")
    assert corpus["c.md"] == Document("c.md", "")


def test_html_is_reduced_to_what_a_reader_sees(tmp_path):
    html = """<!doctype html><html><head><title>A &amp; B</title><style>p {}</style>
    <script>if (1 < 2) { "<p>no</p>" }</script></head><body><!-- no --><h1>Head</h1>
    <p>One <b>t</b>wo&nbsp;three<br>four</p><ul><li>x<li>y</ul></body></html>"""
    assert page(tmp_path, html) == Document("p.html", "Head\nOne two three\nfour\nx\ny", "A & B")


def test_the_first_heading_stands_in_for_a_missing_title(tmp_path):
    html = "<h1>The <i>first</i></h1><h1>second</h1>text"
    assert page(tmp_path, html) == Document("p.html", "The first\nsecond\ntext", "The first")


def test_a_page_without_closing_tags_keeps_its_text(tmp_path):
    assert page(tmp_path, "<head><title>T</title><p>a<p>b").text == "a\nb"


def test_a_text_file_in_another_encoding_is_named(tmp_path):
    (tmp_path / "a.txt").write_bytes("one\ntwö".encode("latin-1"))
    with pytest.raises(InputError, match=r"a.txt:2: not UTF-8. Save the file as UTF-8"):
        read_corpus(tmp_path, strict=True)


def test_a_file_that_cannot_be_read_is_left_out_and_told(tmp_path, capsys):
    (tmp_path / "a.txt").write_bytes("one\ntwö".encode("latin-1"))
    (tmp_path / "b.txt").write_text("another")
    with progress.shown(quiet=True):
        assert list(read_corpus(tmp_path)) == ["b.txt"]
    assert "a.txt (not UTF-8 in line 2)" in capsys.readouterr().err


def test_a_name_that_is_not_unicode_is_refused(tmp_path):
    try:
        with open(os.fsencode(tmp_path) + b"/\xff.txt", "wb"):  # noqa: PTH123
            pass
    except OSError:
        pytest.skip("this file system refuses such names")
    with pytest.raises(InputError, match=r"The name '\\udcff.txt' in .* is not UTF-8. Rename it"):
        read_corpus(tmp_path)


def text(markdown: str) -> str:
    return title_and_text(markdown)[1]


def test_front_matter_is_not_seen_and_gives_the_title_where_no_heading_does() -> None:
    front = '---\ntitle: "Port rules"\ntags: [a, b]\n---\n'
    assert title_and_text("Big trip\n===\ntext") == ("Big trip", "text")
    assert title_and_text(front + "text") == ("Port rules", "text")
    assert title_and_text(front + "# Rules\ntext") == ("Rules", "text")
    assert title_and_text("---\n\ntext: below a rule\n\n---\n") == ("", "text: below a rule")


@each_row
def test_markdown_is_read_as_its_reader_sees_it(written: str, seen: str) -> None:
    assert text(written) == seen
