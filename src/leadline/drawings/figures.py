"""Every figure of a page, drawn by its type."""

from __future__ import annotations

from dataclasses import dataclass

from leadline.drawings import bars, heat_map, radar, scatter
from leadline.drawings.curves import DASHES, MARKERS, Chart, charts, order_at_the_end
from leadline.drawings.drawing import Drawing
from leadline.evidence import Bars, Curve, Figure, HeatMap, Radar, Scatter


@dataclass(frozen=True)
class Key:
    """One entry of a legend."""

    system: str
    style: int

    @property
    def dash(self) -> str:
        """The stroke-dasharray that goes with the style."""
        return DASHES[self.style]

    @property
    def marker(self) -> str:
        """The path of the marker that goes with the style."""
        return MARKERS[self.style]


@dataclass(frozen=True)
class Drawn:
    """A figure with its drawing; a curve has charts in the place of a drawing."""

    number: int
    figure: Figure
    legend: tuple[Key, ...]
    charts: tuple[Chart, ...] = ()
    drawing: Drawing | None = None


def drawn(number: int, figure: Figure) -> Drawn:
    """Draw a figure; its number makes ids on the page unique."""
    if isinstance(figure, Curve):
        keys = tuple(Key(*entry) for entry in order_at_the_end(figure))
        shown = charts(figure) if figure.x and figure.lines else ()
        return Drawn(number, figure, keys, charts=shown)
    drawing = _drawing(figure)
    return Drawn(number, figure, tuple(Key(*each) for each in drawing.legend), drawing=drawing)


def _drawing(figure: Bars | Radar | HeatMap | Scatter) -> Drawing:
    match figure:
        case Bars():
            return bars.drawn(figure)
        case Radar():
            return radar.drawn(figure)
        case HeatMap():
            return heat_map.drawn(figure)
        case Scatter():
            return scatter.drawn(figure)
