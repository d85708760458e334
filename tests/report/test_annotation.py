"""Tests of the page that readers of ladders fill in."""

from leadline.report.sheets import Asked, write_annotation


def test_texts_of_a_corpus_stay_text(tmp_path):
    asked = [Asked("a 1", "query", ("<b>one</b>",), "<script>alert(1)</script>")]
    page = write_annotation(tmp_path / "sheet.html", "A <i>title</i>", "how many", asked)
    html = page.read_text()
    assert "<b>one" not in html and "<i>title" not in html
    assert html.count("<script>") == 1  # our own
    assert 'data-item="a 1"' in html and 'data-column="how many"' in html
