from leadline.report.drawing import Drawn, drawn
from leadline.report.shapes import Curve, Mean
from leadline.report.tables import bar


def curve(lines: dict[str, tuple[Mean | None, ...]], chance: float | None = None) -> Drawn:
    shape = Curve(
        title="Wins", x_label="k", y_label="share", x=(1, 2, 3), lines=lines, chance=chance
    )
    return drawn(1, shape)


def flat(mean: float, n: int = 0) -> tuple[Mean, ...]:
    return (Mean(mean, mean - 0.1, mean + 0.1, n),) * 3


def of_class(found: Drawn, name: str, place: int = 0) -> list[dict[str, str]]:
    parts = [dict(each.attributes) for each in found.drawings[place].elements]
    return [each for each in parts if name in each.get("class", "").split()]


def texts(found: Drawn, name: str) -> list[str]:
    return [
        each.text for each in found.drawings[0].elements if dict(each.attributes)["class"] == name
    ]


def test_points_stand_where_their_values_say() -> None:
    # x: from 64 + 16 = 80 to 624 - 16 = 608, so 80, 344, 608.
    # y: 286 at 0 and 16 at 1, so 0.5 -> 151, 0.6 -> 124, 0.4 -> 178.
    found = curve({"a": flat(0.5)}, chance=0.5)
    assert [each["d"] for each in of_class(found, "stroke")] == ["M80 151L344 151L608 151"]
    (band,) = of_class(found, "band")
    assert band["d"] == "M80 124L344 124L608 124L608 178L344 178L80 178Z"
    assert [each["transform"] for each in of_class(found, "mark")] == [
        f"translate({x} 151)" for x in (80, 344, 608)
    ]
    assert of_class(found, "chance")[0]["d"] == "M64 151H624"
    assert "chance (0.5); bands are" in found.sub
    assert texts(found, "tick") == ["0", "0.25", "0.5", "0.75", "1", "1", "2", "3"]
    assert found.drawings[0].rows[0] == ("1", "0.500 (0.400 to 0.600)")


def test_a_missing_value_leaves_a_gap() -> None:
    half = Mean(0.5, 0.4, 0.6)
    found = curve({"a": (half, None, half)})
    assert [each["d"] for each in of_class(found, "stroke")] == ["M80 151", "M608 151"]


def test_values_below_zero_widen_the_axis_to_minus_one() -> None:
    # From -1 (286) to 1 (16): 0 is half way, 151.
    found = curve({"a": flat(0.0)})
    assert of_class(found, "mark")[0]["transform"] == "translate(80 151)"
    assert texts(found, "tick")[0] == "-1"


def test_more_than_three_lines_stand_apart_with_whiskers_instead_of_bands() -> None:
    found = curve({name: flat(0.5) for name in "abcd"})
    # Four lines, 4 apart: -6, -2, 2, 6 beside 80.
    assert [each["transform"] for each in of_class(found, "mark")[::3]] == [
        f"translate({x} 151)" for x in (74, 78, 82, 86)
    ]
    assert of_class(found, "whisker")[0]["d"] == "M74 124V178"
    assert not of_class(found, "band")
    assert "bars are" in found.sub


def test_more_than_eight_systems_get_a_chart_each_with_the_others_behind() -> None:
    found = curve({f"system {n}": flat(0.5) for n in range(9)})
    assert [each.system for each in found.drawings] == [f"system {n}" for n in range(9)]
    assert len(of_class(found, "behind", 4)) == 8
    assert len(of_class(found, "stroke", 4)) == 1
    assert not found.legend


def test_the_legend_lists_the_lines_as_they_end() -> None:
    found = curve({"low": flat(0.2), "high": flat(0.8), "mid": flat(0.5)})
    assert [(key.system, key.style) for key in found.legend] == [
        ("high", 1),
        ("mid", 2),
        ("low", 0),
    ]


def test_n_is_the_smallest_where_systems_differ() -> None:
    found = curve({"a": flat(0.5, n=9), "b": flat(0.5, n=7)})
    assert texts(found, "count") == ["n ≥", "7", "7", "7"]


def test_the_figure_is_told_in_words() -> None:
    found = curve({"a": flat(0.5)})
    assert found.drawings[0].summary == "share by k. a: 0.50 at 1, 0.50 at 3."


def test_a_bar_places_mean_and_bounds_between_floor_and_one() -> None:
    found = bar(0.5, 0.4, 0.6, floor=0.0, chance=0.5)
    assert (found.low, found.mean, found.high, found.chance) == (40, 50, 60, 50)
    # From -1 to 1, zero is half way; what is out of range is cut at the end.
    found = bar(0.0, -0.5, 1.5, floor=-1.0, chance=None)
    assert (found.low, found.mean, found.high, found.chance) == (25, 50, 100, None)
