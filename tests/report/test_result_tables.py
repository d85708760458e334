import dataclasses
import re

from sample_page import entry, page, result, results

from leadline.report import Report
from leadline.report.page import render
from leadline.report.tables import (
    _shaded,
    breakdowns,
    every_metric,
    overview,
    quoted_tables,
    settings,
)
from tables import each_row


def test_a_probe_without_known_metrics_shows_its_first_three() -> None:
    metrics = {name: entry(0.5) for name in ("A", "B[x=1]", "C", "D", "E")}
    assert results(result("a", metrics, "mine")).main("mine") == ("A", "C", "D")


def test_the_best_mean_of_a_column_is_marked_and_lower_may_be_better() -> None:
    table = overview(results(
        result("a", {"WinRate": entry(0.6), "FlipRate": entry(0.2)}),
        result("b", {"WinRate": entry(0.8), "FlipRate": entry(0.4)}),
    ), "conditions")  # fmt: skip
    best = {system: [cell.best for cell in cells if cell] for system, cells in table.rows}
    assert best == {"a": [False, True], "b": [True, False]}


@each_row
def test_no_mean_is_bold_that_is_not_surely_better(other: float, n: int, best: bool) -> None:
    table = overview(results(
        result("a", {"WinRate": entry(0.8)}), result("b", {"WinRate": entry(other, n=n)}),
    ), "conditions")  # fmt: skip
    ((_, (a,)), (_, (b,))) = table.rows
    assert a is not None and b is not None
    assert (a.best, b.best) == (best, False)


def test_the_weakest_value_is_marked_where_no_interval_overlaps() -> None:
    far = _shaded("WinRate", [entry(0.2), entry(0.6), entry(0.1, n=9)])
    assert [cell.weakest for cell in far if cell] == [True, False, False]
    near = _shaded("WinRate", [entry(0.2), entry(0.28)])
    assert not any(cell.weakest for cell in near if cell)


def test_tables_of_a_metric_where_lower_is_better_say_so() -> None:
    metrics = {"Unseen[k=1]": entry(0.1), "Unseen[k=2]": entry(0.2)}
    metrics |= {"WinRate[k=1]": entry(0.1), "WinRate[k=2]": entry(0.2)}
    tables = breakdowns(results(result("a", metrics)), "conditions")
    assert {table.title: table.lower for table in tables} == {
        "Unseen by k": True, "WinRate by k": False,
    }  # fmt: skip


def test_metrics_divided_by_a_facet_become_a_breakdown() -> None:
    metrics = {
        "WinRate": entry(0.6),
        "WinRate[edit=date]": entry(0.7),
        "WinRate[edit=number]": entry(0.1),
        "WinRate@1[edit=date]": entry(0.7),
        "WinRate@1[edit=number]": entry(0.7),
    }
    (table,) = breakdowns(results(result("a", metrics)), "conditions")
    assert table.title == "WinRate by edit"
    assert [head for head, _ in table.rows] == ["date", "number"]
    date, number = (cells[0] for _, cells in table.rows)
    assert date is not None
    assert number is not None
    # Missing to 1: 0.3 * 5 = 1.5 -> step 1; 0.9 * 5 = 4.5 -> step 4.
    assert (date.flaw, number.flaw) == (1, 4)
    assert (date.weakest, number.weakest) == (False, True)


def test_plain_win_rate_stands_for_lists_beside_prose() -> None:
    metrics = {"WinRate": entry(0.6), "WinRate[style=prose]": entry(0.5)}
    (table,) = breakdowns(results(result("a", metrics)), "conditions")
    assert [head for head, _ in table.rows] == ["list", "prose"]


def test_every_metric_of_every_system_is_listed() -> None:
    reports = [
        result("a", {"WinRate": entry(0.6)}),
        result("b", {"WinRate": entry(0.7), "Adjacent": entry(-0.25)}),
    ]
    table = every_metric(results(*reports), "conditions")
    assert table.columns == ("a", "b")
    assert [name for name, _ in table.rows] == ["WinRate", "Adjacent"]
    assert table.rows[1][1][0] is None
    assert table.rows[1][1][1].mean == "−0.250"


def test_equal_settings_are_shown_once() -> None:
    reports = [
        result("a", {"WinRate": entry(0.6)}),
        result("a", {"RBO@5": entry(0.6)}, "rephrasings"),
    ]
    ((system, shown),) = settings(results(*reports))
    assert system == "a"
    assert [each.benchmarks for each in shown] == [("conditions", "rephrasings")]
    assert shown[0].options == (("k1", "1.5"),)
    assert shown[0].seconds[0] == ("conditions", "search 1.2 s")


def test_settings_of_a_stage_are_named_after_it() -> None:
    nested = {"depth": 100, "retriever": {"name": "bm25", "stopwords": ["a", "b"]}}
    ((_, (shown,)),) = settings(results(result("a", {}, settings=nested)))
    assert shown.options == (
        ("depth", "100"), ("retriever.name", "bm25"), ("retriever.stopwords", '["a", "b"]'),
    )  # fmt: skip


def on(benchmark: str, system: str, mean: float) -> Report:
    return result(system, {"nDCG@10": entry(mean, n=50)}, benchmark, kind="implicit-facts")


REPORTS = [
    on("pools/one", "bm25", 0.1),
    on("pools/one", "minilm", 0.2),
    on("pools/two", "bm25", 0.3),
    on("pools", "bm25", 0.2),
    on("alone/part", "bm25", 0.5),
]
RESULTS = results(*REPORTS)


def test_parts_are_left_out_where_the_whole_is_there() -> None:
    assert RESULTS.wholes.probes == ["pools", "alone/part"]


def test_a_table_has_a_row_for_each_part_and_a_gap_where_a_system_did_not_run() -> None:
    [table] = breakdowns(RESULTS, "pools")
    assert table.title == "nDCG@10 by part"
    assert table.columns == ("bm25", "minilm")
    assert [head for head, _ in table.rows] == ["one", "two"]
    (_, first), (_, second) = table.rows
    assert [cell and cell.mean for cell in first] == ["0.100", "0.200"]
    assert [cell and cell.mean for cell in second] == ["0.300", None]


def test_the_page_has_one_section_for_a_benchmark_in_parts() -> None:
    html = render(dataclasses.replace(page(), reports=REPORTS, figures=(), cases=()))
    assert re.findall("In detail: <bdi>([^<]+)<", html) == ["pools", "alone/part"]


QUOTED = {
    "system": "Them & co",
    "benchmark": "facts/a",
    "metrics": {"nDCG@10": 0.1491},
    "source": "A paper, Table 8",
    "comparable": False,
    "why": "published over 1,500 documents, measured over 2",
}


def test_parts_are_shown_with_the_whole() -> None:
    [table] = quoted_tables([QUOTED], "facts")
    assert table.rows == (("Them & co", ("0.149",)),)
    assert table.why == ("published over 1,500 documents, measured over 2",)
    assert quoted_tables([QUOTED], "fact") == []


def test_a_page_marks_what_is_quoted_and_why_it_cannot_be_compared() -> None:
    measured = result(
        "bm25",
        {"nDCG@10": entry(0.2)},
        "facts/a",
    )
    html = render(dataclasses.replace(page(), reports=[measured], figures=(), quoted=[QUOTED]))
    assert 'Them &amp; co</bdi> <span class="badge">quoted</span>' in html
    assert "Not comparable with what was measured here: published over 1,500 documents" in html
