from leadline.report.curves import bar, charts, order_at_the_end
from leadline.report.shapes import Curve, Mean


def curve(lines: dict[str, tuple[Mean | None, ...]], chance: float | None = None) -> Curve:
    return Curve(
        title="Wins", x_label="k", y_label="share", x=(1, 2, 3), lines=lines, chance=chance
    )


def flat(mean: float, n: int = 0) -> tuple[Mean, ...]:
    return (Mean(mean, mean - 0.1, mean + 0.1, n),) * 3


def test_points_stand_where_their_values_say() -> None:
    # x: from 64 + 16 = 80 to 624 - 16 = 608, so 80, 344, 608.
    # y: 286 at 0 and 16 at 1, so 0.5 -> 151, 0.6 -> 124, 0.4 -> 178.
    (chart,) = charts(curve({"a": flat(0.5)}, chance=0.5))
    (line,) = chart.lines
    assert line.paths == ("80,151 344,151 608,151",)
    assert line.bands == ("80,124 344,124 608,124 608,178 344,178 80,178",)
    assert line.marks == ((80.0, 151.0), (344.0, 151.0), (608.0, 151.0))
    assert chart.chance == 151.0
    assert chart.y_ticks[0] == (286.0, "0")
    assert chart.y_ticks[-1] == (16.0, "1")


def test_a_missing_value_leaves_a_gap() -> None:
    half = Mean(0.5, 0.4, 0.6)
    (chart,) = charts(curve({"a": (half, None, half)}))
    assert chart.lines[0].paths == ("80,151", "608,151")


def test_values_below_zero_widen_the_axis_to_minus_one() -> None:
    # From -1 (286) to 1 (16): 0 is half way, 151.
    (chart,) = charts(curve({"a": flat(0.0)}))
    assert chart.lines[0].marks[0] == (80.0, 151.0)
    assert chart.y_ticks[0] == (286.0, "-1")


def test_more_than_three_lines_stand_apart_with_whiskers_instead_of_bands() -> None:
    (chart,) = charts(curve({name: flat(0.5) for name in "abcd"}))
    # Four lines, 4 apart: -6, -2, 2, 6 beside 80.
    assert [line.marks[0][0] for line in chart.lines] == [74.0, 78.0, 82.0, 86.0]
    assert chart.lines[0].whiskers[0] == (74.0, 124.0, 178.0)
    assert chart.lines[0].bands == ()


def test_more_than_eight_systems_get_a_chart_each_with_the_others_behind() -> None:
    drawn = charts(curve({f"system {n}": flat(0.5) for n in range(9)}))
    assert len(drawn) == 9
    assert [line.behind for line in drawn[4].lines] == [True] * 8 + [False]
    assert drawn[4].lines[-1].system == "system 4"
    assert drawn[4].title == "system 4: Wins"


def test_the_legend_lists_the_lines_as_they_end() -> None:
    order = order_at_the_end(curve({"low": flat(0.2), "high": flat(0.8), "mid": flat(0.5)}))
    assert order == [("high", 1), ("mid", 2), ("low", 0)]


def test_n_is_the_smallest_where_systems_differ() -> None:
    (chart,) = charts(curve({"a": flat(0.5, n=9), "b": flat(0.5, n=7)}))
    assert chart.n_label == "n ≥"
    assert [n for _, _, n in chart.x_ticks] == ["7", "7", "7"]


def test_the_figure_is_told_in_words() -> None:
    (chart,) = charts(curve({"a": flat(0.5)}))
    assert chart.summary == "share by k. a: 0.50 at 1, 0.50 at 3."


def test_a_bar_places_mean_and_bounds_between_floor_and_one() -> None:
    found = bar(0.5, 0.4, 0.6, floor=0.0, chance=0.5)
    assert (found.low, found.mean, found.high, found.chance) == (40, 50, 60, 50)
    # From -1 to 1, zero is half way; what is out of range is cut at the end.
    found = bar(0.0, -0.5, 1.5, floor=-1.0, chance=None)
    assert (found.low, found.mean, found.high, found.chance) == (25, 50, 100, None)
