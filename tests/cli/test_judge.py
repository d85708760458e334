"""leadline judge: results marked by hand, in a real browser where there is one."""

from pathlib import Path

from typer.testing import CliRunner, Result

from leadline.cli.main import app
from leadline.data.folder import read_beir_qrels

NOTES = {
    "dues.md": "# Harbour dues\n\nDues are paid in March.",
    "old.md": "# Old dues\n\nHarbour dues were paid in April.",
    "keys.md": "# Keys\n\n<script>alert(1)</script> Rotate an API key.",
}
PRESS = (
    "for (const key of {keys!r}) "
    "document.dispatchEvent(new KeyboardEvent('keydown', {{key, bubbles: true}}));"
)
SAVED = (
    "HTMLAnchorElement.prototype.click = () => {}; "
    "URL.createObjectURL = (blob) => { blob.text().then((text) => console.log(text)); "
    "return ''; }; document.getElementById('save').click();"
)


def page(folder: Path, *more: str) -> Result:
    (folder / "notes").mkdir(exist_ok=True)
    for name, text in NOTES.items():
        (folder / "notes" / name).write_text(text)
    (folder / "q.tsv").write_text("q1\tharbour dues\nq2\tAPI key\n")
    given = [str(folder / "notes"), "--queries", str(folder / "q.tsv"), "-s", "bm25", "-k", "2"]
    return CliRunner().invoke(app, ["judge", *given, "--out", str(folder / "p.html"), *more])


def test_marks_by_keyboard_are_saved_as_qrels_and_gone_on_from(tmp_path: Path, browser) -> None:
    done = page(tmp_path)
    assert (done.exit_code, "3 results of 2 queries, 3 left to mark" in done.stderr) == (0, True)
    # to the first, "answers it", "a part", back, no mark, then "does not" and one passed over
    heard = browser.visit((tmp_path / "p.html").as_uri(), PRESS.format(keys="j32k01u"), SAVED)
    assert heard.dialogs == []
    (saved,) = [each for each in heard.console if "query-id" in each]
    rows = saved.strip("[]'").split("\\n")[1:-1]
    found = [each.split("\\t") for each in rows]
    assert {each[0] for each in found} == {"q1"}
    assert sorted(each[2] for each in found) == ["0", "2"]
    (tmp_path / "qrels.tsv").write_text("\n".join(each.replace("\\t", "\t") for each in rows))
    assert set(read_beir_qrels(tmp_path / "qrels.tsv")["q1"]) == {"dues.md", "old.md"}
    again = page(tmp_path, "--qrels", str(tmp_path / "qrels.tsv"))
    assert "3 results of 2 queries, 1 left to mark" in again.stderr
    assert (tmp_path / "p.html").read_text().count(" checked") == 2


def test_a_page_holds_texts_as_texts_and_judgements_of_other_documents(tmp_path: Path) -> None:
    (tmp_path / "known.tsv").write_text("query-id\tcorpus-id\tscore\nq1\tkeys.md\t0\n")
    assert page(tmp_path, "--qrels", str(tmp_path / "known.tsv")).exit_code == 0
    html = (tmp_path / "p.html").read_text()
    assert "<script>alert" not in html
    assert 'data-query="q1" data-document="keys.md" data-grade="0"' in html


def test_no_query_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("\n")
    done = page(tmp_path, "--queries", str(tmp_path / "empty.txt"))
    assert done.exit_code == 2
    assert "quer" in done.stderr
