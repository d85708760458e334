import csv
from pathlib import Path

from leadline.benchmark import Benchmark
from leadline.diagnosis.causes import ErrorCase, Judgement, Shown, misranked
from leadline.diagnosis.review import COLUMNS, write_review
from leadline.diagnosis.slices import failing_slices
from leadline.types import Document, Query


def case(text: str, *, category: str = "word overlap", decided: bool = True) -> ErrorCase:
    return ErrorCase(
        "retrieval", "bm25", "facts/a", "q", f"lighthouse {text}", text, "",
        Shown("d1", text), Shown("d2", f"the lighthouses {text}"),
        Judgement(category, decided, text),
    )  # fmt: skip


def page(folder: Path, cases: list[ErrorCase], counted: list[ErrorCase]) -> str:
    return write_review(folder, "errors", "T", cases, counted).read_text()


def test_whatever_a_corpus_holds_stays_text(tmp_path: Path) -> None:
    html = page(tmp_path, [case("<script>alert(1)</script>")], [case("x")])
    assert "<script>" not in html
    assert "&lt;" in html
    assert "http" not in html.replace("http-equiv", "")


def test_words_of_the_question_are_marked(tmp_path: Path) -> None:
    assert '<mark class="shared">lighthouses</mark>' in page(tmp_path, [case("x")], [])


def test_the_table_counts_all_and_tells_what_is_open(tmp_path: Path) -> None:
    cases = [case("a"), case("b", category="unknown", decided=False)]
    html = page(tmp_path, cases[:1], cases)
    assert '<td>1 <span class="n">50%</span></td>' in html
    assert "<td>2</td><td>1</td>" in html
    assert "Cases (1)" in html


def test_a_sheet_without_errors_says_so(tmp_path: Path) -> None:
    assert "No errors." in page(tmp_path, [], [])
    assert (tmp_path / "errors.csv").read_text().count("\n") == 1


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as lines:
        return list(csv.DictReader(lines))


def test_a_person_fills_the_category_where_no_rule_decides(tmp_path: Path) -> None:
    write_review(tmp_path, "s", "T", [case("x"), case("x", decided=False)], [])
    first, second = rows(tmp_path / "s.csv")
    assert tuple(first) == COLUMNS
    assert (first["proposed"], first["by rule"], first["category"]) == (
        "word overlap", "decided", "word overlap",
    )  # fmt: skip
    assert (second["by rule"], second["category"]) == ("to be reviewed", "")


def test_line_breaks_and_quotes_of_a_corpus_stay_in_their_cell(tmp_path: Path) -> None:
    write_review(tmp_path, "s", "T", [case('a "b",\nc')], [])
    assert rows(tmp_path / "s.csv")[0]["gold answer"] == 'a "b",\nc'


def test_no_text_of_a_corpus_becomes_a_formula(tmp_path: Path) -> None:
    write_review(tmp_path, "s", "T", [case("=1+1")], [])
    assert rows(tmp_path / "s.csv")[0]["gold answer"] == "'=1+1"


def test_failures_are_counted_by_facet_and_by_length() -> None:
    # Twenty queries, every second one negated; the negated ones fail.
    kinds = ("x", "no")
    queries = [
        Query(f"q{n}", "a b" if n % 2 else "a b c", f"t{n}", facets={"edit": kinds[n % 2]})
        for n in range(20)
    ]
    mine = Benchmark(
        "mine", {"d": Document("d", "one two")}, queries, {q.id: {"d": 1} for q in queries}, ()
    )
    slices = failing_slices(mine, {query.id for query in queries if query.facets["edit"] == "no"})
    by_name = {(each.facet, each.value): each for each in slices}
    assert by_name["edit", "no"].share == 1.0 and by_name["edit", "no"].queries == 10
    assert by_name["edit", "x"].share == 0.0
    # All of them, then the worst.
    assert [(each.queries, each.share) for each in slices[:2]] == [(20, 0.5), (10, 1.0)]
    assert by_name["words of the query", "2"].share == 1.0
    assert ("words of the document", "2 and more") not in by_name  # all are alike: no slices


def test_a_query_whose_answer_is_not_in_the_corpus_has_no_length_and_no_cause() -> None:
    corpus = {id: Document(id, f"{id} one two") for id in ("d1", "d2")}
    queries = [Query(f"q{n}", "a b", f"t{n}") for n in range(4)]
    qrels = {query.id: {"d1": 1, "gone": 2} for query in queries} | {"q3": {"gone": 1}}
    mine = Benchmark("mine", corpus, queries, qrels, ())
    assert [each.queries for each in failing_slices(mine, {"q0"})] == [3]
    run = {query.id: {"d2": 2.0, "d1": 1.0} for query in queries}
    cases = misranked(mine, run, "bm25")
    assert [(each.query_id, each.positive.id) for each in cases] == [
        ("q0", "d1"), ("q1", "d1"), ("q2", "d1"),
    ]  # fmt: skip
