from __future__ import annotations

import dataclasses

from sample_page import entry, page, result

from leadline.report.page import render
from leadline.report.tables import quoted_tables

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
