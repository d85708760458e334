"""Figures that stand alone."""

from pathlib import Path
from xml.etree import ElementTree

from leadline.report.drawing import Plot, plotted
from leadline.report.shapes import Mean


def test_a_plot_is_an_svg_in_which_text_from_outside_is_text(tmp_path: Path) -> None:
    attack = "<script>alert(1)</script>"
    plot = Plot(plotted(attack, {attack: {attack: Mean(0.5, 0.4, 0.6, 9), "b": None}}))
    plot.save(tmp_path / "figure.svg")
    root = ElementTree.parse(tmp_path / "figure.svg").getroot()
    assert root.tag.endswith("svg") and "script" not in {each.tag for each in root.iter()}
    assert attack in {each.text for each in root.iter()}
    assert plot._repr_html_() == plot.svg


def test_the_scale_goes_as_far_as_the_values() -> None:
    figure = plotted("", {"Noticed": {"a": Mean(-0.2, -0.5, 1.4)}})
    assert (figure.low, figure.high) == (-0.5, 1.4)
    assert (plotted("", {}).low, plotted("", {}).high) == (0.0, 1.0)
