"""A figure that stands alone: in a notebook, or in a file of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path

from leadline.drawings.drawing import WIDTH, Element, label, marker
from leadline.drawings.figures import drawn
from leadline.evidence import Bars, Interval

_COLOURS = (
    "#0b62a4", "#b8450f", "#1f7a3a", "#8338a0", "#8a6400", "#c02468", "#4b5563", "#0f7c86",
)  # fmt: skip
_LINE = 18
_RULES = (
    ("text", "font:12px sans-serif;fill:#333"),
    (".axis", "font-weight:bold"),
    (".grid", "stroke:#ddd"),
    (".whisker", "stroke-width:2;opacity:.65"),
    *((f".s{number}", f"stroke:{colour};fill:{colour}") for number, colour in enumerate(_COLOURS)),
)
# Styles of an SVG hold for the whole page that it stands in.
_STYLE = "".join(f".leadline-plot {name}{{{rule}}}" for name, rule in _RULES)


@dataclass(frozen=True, repr=False)
class Plot:
    """Means with their intervals, drawn; a notebook shows it by itself."""

    figure: Bars

    @property
    def svg(self) -> str:
        """The figure as an SVG document; text from outside is escaped."""
        drawing = drawn(0, self.figure).drawing
        assert drawing is not None
        height = drawing.height + _LINE * len(drawing.legend)
        legend = [
            each
            for number, (system, style) in enumerate(drawing.legend)
            for y in [drawing.height + _LINE * number]
            for each in (marker(style, 20, y), label(system, 34, y))
        ]
        parts = "".join(map(_written, (*drawing.elements, *legend)))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
            f'width="{WIDTH}" role="img" class="leadline-plot">'
            f"<title>{escape(self.figure.title)}</title><desc>{escape(drawing.summary)}</desc>"
            f"<style>{_STYLE}</style>{parts}</svg>"
        )

    def save(self, path: str | Path) -> None:
        """Write the figure as an SVG file."""
        Path(path).write_text(self.svg, encoding="utf-8")

    def __repr__(self) -> str:
        drawing = drawn(0, self.figure).drawing
        return f"{self.figure.title}: {drawing.summary if drawing else ''}"

    def _repr_html_(self) -> str:
        return self.svg


def bars(title: str, groups: Mapping[str, Mapping[str, Interval | None]]) -> Bars:
    """Return means side by side, on a scale from 0 to 1 or as far as they go."""
    found = [each for group in groups.values() for each in group.values() if each is not None]
    low = min((each.drawn[0] for each in found), default=0.0)
    high = max((each.drawn[1] for each in found), default=1.0)
    return Bars(title, "mean", groups, low=min(0.0, low), high=max(1.0, high))


def _written(element: Element) -> str:
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in element.attributes)
    return f"<{element.tag}{attributes}>{escape(element.text)}</{element.tag}>"
