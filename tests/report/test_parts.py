from __future__ import annotations

from html.parser import HTMLParser

from sample_page import entry, result, results

from leadline.report import Report
from leadline.report.page import Page, render
from leadline.report.tables import breakdowns


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


def test_parts_of_a_whole_keep_their_order() -> None:
    assert RESULTS.parts("pools") == ["pools/one", "pools/two"]


def test_a_table_has_a_row_for_each_part_and_a_gap_where_a_system_did_not_run() -> None:
    [table] = breakdowns(RESULTS, "pools")
    assert table.title == "nDCG@10 by part"
    assert table.columns == ("bm25", "minilm")
    assert [head for head, _ in table.rows] == ["one", "two"]
    (_, first), (_, second) = table.rows
    assert [cell and cell.mean for cell in first] == ["0.100", "0.200"]
    assert [cell and cell.mean for cell in second] == ["0.300", None]


def test_a_benchmark_without_parts_has_no_such_table() -> None:
    assert breakdowns(RESULTS, "alone/part") == []


class Headings(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._inside = tag == "h2"
        if self._inside:
            self.found.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "h2"

    def handle_data(self, data: str) -> None:
        if self._inside or (self.found and self.found[-1] == "In detail: "):
            self.found[-1] += data


def test_the_page_has_one_section_for_a_benchmark_in_parts() -> None:
    headings = Headings()
    page = Page(title="t", created="2026-01-01", version="0", command="", reports=REPORTS)
    headings.feed(render(page))
    sections = [each for each in headings.found if each.startswith("In detail: ")]
    assert sections == ["In detail: pools", "In detail: alone/part"]
