from __future__ import annotations

from pathlib import Path

from leadline.diagnosis.causes import ErrorCase, Judgement, Shown
from leadline.diagnosis.review import render_review, write_review


def case(text: str, *, category: str = "word overlap", decided: bool = True) -> ErrorCase:
    return ErrorCase(
        "retrieval", "bm25", "facts/a", "q", f"lighthouse {text}", text, "",
        Shown("d1", text), Shown("d2", f"the lighthouses {text}"),
        Judgement(category, decided, text),
    )  # fmt: skip


def test_whatever_a_corpus_holds_stays_text() -> None:
    html = render_review("T", [case("<script>alert(1)</script>")], [case("x")])
    assert "<script>" not in html
    assert "&lt;" in html
    assert "http" not in html.replace("http-equiv", "")


def test_words_of_the_question_are_marked() -> None:
    assert '<mark class="shared">lighthouses</mark>' in render_review("T", [case("x")], [])


def test_the_table_counts_all_and_tells_what_is_open() -> None:
    cases = [case("a"), case("b", category="unknown", decided=False)]
    html = render_review("T", cases[:1], cases)
    assert '<td>1 <span class="n">50%</span></td>' in html
    assert "<td>2</td><td>1</td>" in html
    assert "Cases (1)" in html


def test_a_sheet_without_errors_says_so(tmp_path: Path) -> None:
    path = write_review(tmp_path, "errors", "T", [], [])
    assert "No errors." in path.read_text()
    assert (tmp_path / "errors.csv").read_text().count("\n") == 1
