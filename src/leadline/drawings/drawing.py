"""A drawing: elements of SVG, the same figures as a table, and both in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leadline.drawings.curves import DASHES, MARKERS
from leadline.evidence import Interval

WIDTH = 640


@dataclass(frozen=True)
class Element:
    """One SVG element. Names are ours; values and text are escaped when they are printed."""

    tag: str
    attributes: tuple[tuple[str, str], ...]
    text: str = ""


@dataclass(frozen=True)
class Drawing:
    """A figure ready to be drawn.

    legend   (system, style) where the drawing does not name its systems itself
    columns, rows  the figure as a table, the first cell of a row being its head
    """

    height: int
    elements: tuple[Element, ...]
    summary: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    legend: tuple[tuple[str, int], ...] = ()


def element(tag: str, text: str = "", /, **attributes: str | float) -> Element:
    """Return an element; `class_` is `class`, `_` in a name is `-`, numbers are rounded."""
    written = (
        (
            name.rstrip("_").replace("_", "-"),
            f"{round(value, 1):g}" if isinstance(value, float | int) else value,
        )
        for name, value in attributes.items()
    )
    return Element(tag, tuple(written), text)


def label(text: str, x: float, y: float, anchor: str = "start", class_: str = "tick") -> Element:
    """Return a text at a place; `anchor` is start, middle or end."""
    return element("text", text, x=x, y=y, text_anchor=anchor, class_=class_, dy="0.35em")


def marker(style: int, x: float, y: float) -> Element:
    """Return the mark of a system."""
    place = f"translate({round(x, 1):g} {round(y, 1):g})"
    return element("path", d=MARKERS[style], transform=place, class_=f"mark s{style}")


def stroke(style: int, d: str, class_: str = "stroke") -> Element:
    """Return a path in the colour of a system, dashed as its lines are where it is a `stroke`."""
    dash = {"stroke_dasharray": DASHES[style]} if DASHES[style] and class_ == "stroke" else {}
    return element("path", d=d, class_=f"{class_} s{style}", **dash)


def style_of(number: int) -> int:
    """Return the style of the system that comes at this place, from 0."""
    return number % len(MARKERS)


def shown(interval: Interval | None) -> str:
    """Return a mean with its interval and n, as a cell of a table."""
    if interval is None:
        return "–"
    if interval.few:
        return f"{interval.mean:.3f} (n {interval.n}, too few)".replace("-", "−")
    n = f", n {interval.n:,}" if interval.n else ""
    return f"{interval.mean:.3f} ({interval.low:.3f} to {interval.high:.3f}{n})".replace("-", "−")


def ticks(low: float, high: float) -> Sequence[float]:
    """Return five values from one end of a scale to the other."""
    return [low + (high - low) * step / 4 for step in range(5)]
