from leadline.kinds.registry import by_name
from leadline.report import Report, wholes
from leadline.report.figures import radar_by_facet
from leadline.report.outcome import Outcome
from leadline.report.page import page_of
from leadline.report.shapes import Radar

WISE = {"audience": 0.2, "format": 0.4, "length": -0.3}
PARTS = [
    Report(
        "bm25", f"instructions/{part}",
        {name: {"t": value} for name in ("WISE", f"WISE[dimension={part}]")},
        kind="instructions",
    )
    for part, value in WISE.items()
]  # fmt: skip


def test_a_radar_of_a_whole_has_an_axis_for_what_each_part_measures() -> None:
    (whole,) = wholes(PARTS)
    radar = radar_by_facet("WISE", "dimension", "instructions", [whole])
    assert radar is not None and radar.axes == tuple(WISE)
    assert [each.mean for each in radar.lines["bm25"] if each] == list(WISE.values())
    # What two parts measure is the mean of both.
    both = {name: {"more": 0.6} for name in PARTS[0].scores}
    more = [*PARTS, Report("bm25", "instructions/more", both, kind="instructions")]
    radar = radar_by_facet("WISE", "dimension", "instructions", wholes(more))
    assert radar is not None and radar.lines["bm25"][0] is not None
    assert radar.lines["bm25"][0].mean == (next(iter(WISE.values())) + 0.6) / 2


def test_the_page_of_all_parts_draws_it() -> None:
    reports = [*PARTS, *wholes(PARTS)]
    page = page_of(Outcome([], reports, [], "2026-01-01", kinds=by_name()), "t", "c", {})
    radars = [each for each in page.figures if isinstance(each, Radar)]
    assert [(each.title, each.probe) for each in radars] == [("WISE by dimension", "instructions")]
