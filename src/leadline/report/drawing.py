"""Figures as inline SVG. They are readable without colour, and as text and tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import Path

from leadline.report.shapes import Bars, Curve, Figure, HeatMap, Mean, Radar, Scatter

WIDTH = 640
MOST_IN_ONE = 8  # lines in one chart; more are drawn as one small chart for each system
MOST_BANDS = 3  # intervals as bands; more of them are whiskers, and the lines stand apart
_APART = 4.0  # distance between lines that stand apart

# Eight systems stay apart in black and white: every style has its own dash and its own marker,
# drawn around 0,0.
DASHES = ("", "8 4", "2 4", "10 3 2 3", "5 5", "14 4", "2 2 8 2", "1 5")
MARKERS = (
    "M4.5 0a4.5 4.5 0 1 1-9 0a4.5 4.5 0 1 1 9 0z",
    "M-4-4h8v8h-8z",
    "M0-5.5L5 4H-5z",
    "M0-6L5.5 0L0 6L-5.5 0z",
    "M0 5.5L-5-4H5z",
    "M-6-2h4v-4h4v4h4v4h-4v4h-4v-4h-4z",
    "M0-6L6-1.4L3.7 5.3H-3.7L-6-1.4z",
    "M-6-3h12v6h-12z",
)


@dataclass(frozen=True)
class Element:
    """One SVG element. Values and text are escaped when they are printed."""

    tag: str
    attributes: tuple[tuple[str, str], ...]
    text: str = ""


@dataclass(frozen=True)
class Drawing:
    """A figure, or the part of it that one system has, ready to be drawn.

    legend   (system, style) where the drawing does not name its systems itself
    columns, rows  the figure as a table, the first cell of a row being its head
    system   whose part it is; empty for the whole
    """

    height: int
    elements: tuple[Element, ...]
    summary: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    legend: tuple[tuple[str, int], ...] = ()
    system: str = ""


def element(tag: str, text: str = "", /, **attributes: str | float) -> Element:
    """Return an element. `class_` becomes `class`, `_` becomes `-`, numbers are rounded."""
    written = (
        (
            name.rstrip("_").replace("_", "-"),
            f"{round(value, 1):g}" if isinstance(value, float | int) else value,
        )
        for name, value in attributes.items()
    )
    return Element(tag, tuple(written), text)


def label(text: str, x: float, y: float, anchor: str = "start", class_: str = "tick") -> Element:
    """Return a text at a place. `anchor` is start, middle or end."""
    return element("text", text, x=x, y=y, text_anchor=anchor, class_=class_, dy="0.35em")


def marker(style: int, x: float, y: float) -> Element:
    """Return the mark of a system."""
    place = f"translate({round(x, 1):g} {round(y, 1):g})"
    return element("path", d=MARKERS[style], transform=place, class_=f"mark s{style}")


def stroke(style: int, d: str, class_: str = "stroke") -> Element:
    """Return a path in the colour of a system, with its dashes if it is a `stroke`."""
    dash = {"stroke_dasharray": DASHES[style]} if DASHES[style] and class_ == "stroke" else {}
    return element("path", d=d, class_=f"{class_} s{style}", **dash)


def style_of(number: int) -> int:
    """Return the style of the system at this place, from 0."""
    return number % len(MARKERS)


def shown(interval: Mean | None) -> str:
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
    """A figure with its drawings: one, or for a curve of many systems one of each."""

    number: int
    figure: Figure
    drawings: tuple[Drawing, ...]
    sub: str = ""

    @property
    def legend(self) -> tuple[Key, ...]:
        """The systems, where the drawing does not name them itself."""
        return tuple(Key(*each) for each in self.drawings[0].legend) if self.drawings else ()


def drawn(number: int, figure: Figure) -> Drawn:
    """Draw a figure; its number makes ids on the page unique."""
    match figure:
        case Curve():
            return _curves(number, figure)
        case Bars():
            return Drawn(number, figure, (_bars(figure),))
        case Radar():
            return Drawn(number, figure, (_radar(figure),))
        case HeatMap():
            return Drawn(number, figure, (_heat_map(figure),))
        case Scatter():
            return Drawn(number, figure, (_scatter(figure),))


def _curves(number: int, curve: Curve) -> Drawn:
    """Draw all lines in one chart, or a chart for each system, the others faintly behind."""
    systems = list(curve.lines)
    fronts = [systems] if len(systems) <= MOST_IN_ONE else [[each] for each in systems]
    chance = "" if curve.chance is None else f"; the dashed grey line is chance ({curve.chance})"
    marks = "bars" if len(fronts[0]) > MOST_BANDS else "bands"
    sub = f"{curve.y_label}{chance}; {marks} are 95 % intervals"
    parts = fronts if curve.x and systems else []
    return Drawn(number, curve, tuple(_curve(curve, front) for front in parts), sub)


def _curve(curve: Curve, front: Sequence[str]) -> Drawing:
    """Draw the lines of a chart; those of other systems than in `front` stand behind."""
    left, right, top, bottom = 64, 624, 16, 286
    first, last, inner = curve.x[0], curve.x[-1], right - left - 32
    drawn = [value.drawn[0] for line in curve.lines.values() for value in line if value]
    floor = -1.0 if any(low < 0 for low in drawn) else 0.0
    systems, alone = list(curve.lines), len(front) < len(curve.lines)
    apart = len(front) > MOST_BANDS

    def across(value: int) -> float:
        share = 0.5 if first == last else (value - first) / (last - first)
        return round(left + 16 + share * inner, 1)

    def up(value: float) -> float:
        return round(bottom - _along(floor, 1.0, value) * (bottom - top), 1)

    elements: list[Element] = []
    for value in ticks(floor, 1.0):
        elements.append(element("path", d=f"M{left} {up(value):g}H{right}", class_="grid"))
        elements.append(label(f"{value:g}", left - 9, up(value), "end"))
    if curve.chance is not None:
        elements.append(element("path", d=f"M{left} {up(curve.chance):g}H{right}", class_="chance"))
    counts = [{value.n for value in column if value and value.n}
              for column in zip(*curve.lines.values(), strict=True)]  # fmt: skip
    elements += [label(str(x), across(x), 303, "middle") for x in curve.x]
    if any(counts):
        agree = all(len(each) < 2 for each in counts)
        elements.append(label("n" if agree else "n ≥", left - 9, 326, "end", "count"))
        elements += [label(str(min(each, default="")), across(x), 326, "middle", "count")
                     for x, each in zip(curve.x, counts, strict=True)]  # fmt: skip
    elements.append(label(curve.x_label, (left + right) / 2, 350, "middle", "axis"))
    for system in sorted(systems, key=lambda each: each in front):
        number = systems.index(system)
        style = 0 if alone else style_of(number)
        aside = _APART * (number - (len(systems) - 1) / 2) if apart else 0.0
        places = [(across(x) + aside, value)
                  for x, value in zip(curve.x, curve.lines[system], strict=True)]  # fmt: skip
        for present, group in groupby(places, key=lambda place: place[1] is not None):
            if not present:
                continue
            some = [(x, value) for x, value in group if value is not None]
            line = "M" + "L".join(f"{x:g} {up(value.mean):g}" for x, value in some)
            if system not in front:
                elements.append(element("path", d=line, class_="behind"))
                continue
            if apart:
                elements += [
                    stroke(style, f"M{x:g} {up(value.drawn[1]):g}V{up(value.drawn[0]):g}",
                           "whisker")
                    for x, value in some
                ]  # fmt: skip
            else:
                upper = [f"{x:g} {up(value.drawn[1]):g}" for x, value in some]
                lower = [f"{x:g} {up(value.drawn[0]):g}" for x, value in reversed(some)]
                elements.append(stroke(style, f"M{'L'.join([*upper, *lower])}Z", "band"))
            elements.append(stroke(style, line))
            elements += [marker(style, x, up(value.mean)) for x, value in some]
    told = []
    for system in front:
        known = [(x, value) for x, value in zip(curve.x, curve.lines[system], strict=True) if value]
        if known:
            (start, one), (end, other) = known[0], known[-1]
            told.append(f"{system}: {one.mean:.2f} at {start}, {other.mean:.2f} at {end}.")
    ends = {system: next((value.mean for value in reversed(line) if value), -math.inf)
            for system, line in curve.lines.items()}  # fmt: skip
    return Drawing(
        height=360,
        elements=tuple(elements),
        summary=" ".join([f"{curve.y_label} by {curve.x_label}.", *told]),
        columns=(curve.x_label, *curve.lines),
        rows=tuple(
            (str(x), *(shown(line[place]) for line in curve.lines.values()))
            for place, x in enumerate(curve.x)
        ),
        legend=() if alone else tuple(
            (system, style_of(systems.index(system)))
            for system in sorted(systems, key=lambda each: -ends[each])
        ),
        system=front[0] if alone else "",
    )  # fmt: skip


def _along(low: float, high: float, value: float) -> float:
    """Return the place of a value on a scale, from 0 to 1."""
    return (min(high, max(low, value)) - low) / ((high - low) or 1)


def _short(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


def _legend(systems: Sequence[str]) -> tuple[tuple[str, int], ...]:
    return tuple((system, style_of(number)) for number, system in enumerate(systems))


def _bars(bars: Bars) -> Drawing:
    """Draw means with their intervals, a row for each system in every slice."""
    left, right, top, row, gap = 190, 620, 14, 18, 12
    systems = list(dict.fromkeys(system for group in bars.groups.values() for system in group))

    def place(value: float) -> float:
        return left + _along(bars.low, bars.high, value) * (right - left)

    elements: list[Element] = []
    y = float(top)
    for group, values in bars.groups.items():
        middle = y + row * len(systems) / 2
        elements.append(label(_short(group, 22), left - 14, middle, "end"))
        for number, system in enumerate(systems):
            value, at = values.get(system), y + row / 2
            if value is None:
                elements.append(label("–", left, at))
            else:
                low, high = map(place, value.drawn)
                style = style_of(number)
                elements.append(stroke(style, f"M{low:.1f} {at:.1f}H{high:.1f}", "whisker"))
                elements.append(marker(style, place(value.mean), at))
            y += row
        y += gap
    bottom = y - gap / 2
    scale = ticks(bars.low, bars.high)
    grid = [element("path", d=f"M{place(v):.1f} {top - 4}V{bottom:.1f}", class_="grid")
            for v in scale]  # fmt: skip
    if bars.chance is not None:
        x = place(bars.chance)
        grid.append(element("path", d=f"M{x:.1f} {top - 4}V{bottom:.1f}", class_="chance"))
    axis = [label(f"{v:g}", place(v), bottom + 14, "middle") for v in scale]
    name = label(bars.value_label, (left + right) / 2, bottom + 36, "middle", "axis")
    told = [
        f"{group}: "
        + ", ".join(f"{system} {value.mean:.2f}" for system, value in values.items() if value)
        for group, values in bars.groups.items()
    ]
    return Drawing(
        height=int(bottom + 48),
        elements=(*grid, *elements, *axis, name),
        summary=f"{bars.value_label}. {'; '.join(told)}.",
        columns=("", *systems),
        rows=tuple(
            (group, *(shown(values.get(system)) for system in systems))
            for group, values in bars.groups.items()
        ),
        legend=_legend(systems),
    )


def _radar(radar: Radar) -> Drawing:
    """Draw a closed line for each system over axes that start at a common centre."""
    centre_x, centre_y, radius = 320.0, 190.0, 140.0

    def angle(axis: int) -> float:
        return 2 * math.pi * axis / len(radar.axes)

    def place(axis: int, value: float) -> tuple[float, float]:
        far = radius * _along(radar.low, radar.high, value)
        return centre_x + far * math.sin(angle(axis)), centre_y - far * math.cos(angle(axis))

    def closed(places: Sequence[tuple[float, float]]) -> str:
        return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places) + "Z"

    elements: list[Element] = []
    for value in ticks(radar.low, radar.high)[1:]:
        ring = [place(number, value) for number in range(len(radar.axes))]
        elements.append(element("path", d=closed(ring), class_="grid ring"))
        elements.append(label(f"{value:g}", centre_x + 4, place(0, value)[1] + 9))
    for number, axis in enumerate(radar.axes):
        x, y = place(number, radar.high)
        line = f"M{centre_x:g} {centre_y:g}L{x:.1f} {y:.1f}"
        elements.append(element("path", d=line, class_="grid"))
        side = math.sin(angle(number))
        anchor = "middle" if abs(side) < 0.2 else "start" if side > 0 else "end"
        x = centre_x + (radius + 14) * side
        y = centre_y - (radius + 18) * math.cos(angle(number))
        elements.append(label(_short(axis, 20), x, y, anchor, "axis"))
    for number, values in enumerate(radar.lines.values()):
        style = style_of(number)
        places = [place(axis, each.mean) for axis, each in enumerate(values) if each is not None]
        if len(places) == len(radar.axes):
            elements.append(stroke(style, closed(places)))
        elements += [marker(style, x, y) for x, y in places]
    told = " ".join(
        f"{system}: {', '.join('none' if each is None else f'{each.mean:.2f}' for each in line)}."
        for system, line in radar.lines.items()
    )
    return Drawing(
        height=380,
        elements=tuple(elements),
        summary=f"{radar.value_label} over {', '.join(radar.axes)}. {told}",
        columns=("", *radar.lines),
        rows=tuple(
            (axis, *(shown(values[number]) for values in radar.lines.values()))
            for number, axis in enumerate(radar.axes)
        ),
        legend=_legend(list(radar.lines)),
    )


def _heat_map(heat: HeatMap) -> Drawing:
    """Draw a shade for each value, and numbers in the cells if there are few columns."""
    left, top, row, shades = 150, 60, 24, 5
    width = (WIDTH - left - 8) / max(1, len(heat.columns))
    elements: list[Element] = [
        element(
            "text", _short(name, 12), class_="tick",
            transform=f"translate({left + (n + 0.5) * width:.1f} {top - 6}) rotate(-35)",
        )
        for n, name in enumerate(heat.columns)
    ]  # fmt: skip
    for number, (name, values) in enumerate(zip(heat.rows, heat.values, strict=True)):
        y = top + number * row
        elements.append(label(_short(name, 18), left - 8, y + row / 2, "end"))
        for column, value in enumerate(values):
            if value is None:
                continue
            x = left + column * width
            shade = min(shades - 1, int(_along(heat.low, heat.high, value) * shades))
            box = {"x": x, "y": y, "width": width - 1, "height": row - 1.0}
            elements.append(element("rect", **box, class_=f"cell shade{shade}"))
            if len(heat.columns) <= 14:
                elements.append(
                    label(f"{value:.2f}", x + width / 2, y + row / 2, "middle", "value")
                )
    bottom = top + len(heat.rows) * row
    elements.append(label(heat.column_label, (left + WIDTH) / 2, bottom + 18, "middle", "axis"))
    return Drawing(
        height=bottom + 32,
        elements=tuple(elements),
        summary=_extremes(heat),
        columns=(f"{heat.row_label} / {heat.column_label}", *heat.columns),
        rows=tuple(
            (name, *("–" if value is None else f"{value:.3f}" for value in values))
            for name, values in zip(heat.rows, heat.values, strict=True)
        ),
    )


def _extremes(heat: HeatMap) -> str:
    known = [
        (value, row, column)
        for row, values in zip(heat.rows, heat.values, strict=True)
        for column, value in zip(heat.columns, values, strict=True)
        if value is not None
    ]
    if not known:
        return "No values."
    low, high = min(known), max(known)
    return (
        f"{heat.row_label} by {heat.column_label}: from {low[0]:.2f} ({low[1]}, {low[2]}) to "
        f"{high[0]:.2f} ({high[1]}, {high[2]})."
    )


def _scatter(scatter: Scatter) -> Drawing:
    """Draw a point for each system over two measures."""
    left, right, top, bottom = 64, 600, 16, 286

    def across(value: float) -> float:
        return left + (right - left) * _along(*scatter.x, value)

    def up(value: float) -> float:
        return bottom - (bottom - top) * _along(*scatter.y, value)

    elements: list[Element] = []
    for value in ticks(*scatter.y):
        elements.append(element("path", d=f"M{left} {up(value):.1f}H{right}", class_="grid"))
        elements.append(label(f"{value:g}", left - 9, up(value), "end"))
    for value in ticks(*scatter.x):
        elements.append(label(f"{value:g}", across(value), bottom + 18, "middle"))
    elements.append(label(scatter.x_label, (left + right) / 2, 326, "middle", "axis"))
    elements.append(label(f"↑ {scatter.y_label}", left + 6, top + 4, "start", "axis"))
    for number, (x, y) in enumerate(scatter.points.values()):
        elements.append(marker(style_of(number), across(x), up(y)))
    return Drawing(
        height=340,
        elements=tuple(elements),
        summary=" ".join(
            f"{system}: {scatter.x_label} {x:.2f}, {scatter.y_label} {y:.2f}."
            for system, (x, y) in scatter.points.items()
        ),
        columns=("", scatter.x_label, scatter.y_label),
        rows=tuple((system, f"{x:.3f}", f"{y:.3f}") for system, (x, y) in scatter.points.items()),
        legend=_legend(list(scatter.points)),
    )


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
# Styles of an SVG apply to the whole page around it.
_STYLE = "".join(f".leadline-plot {name}{{{rule}}}" for name, rule in _RULES)


@dataclass(frozen=True, repr=False)
class Plot:
    """A figure of means with their intervals. A notebook shows it."""

    figure: Bars

    @property
    def svg(self) -> str:
        """The figure as an SVG document; text from outside is escaped."""
        drawing = _bars(self.figure)
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
        return f"{self.figure.title}: {_bars(self.figure).summary}"

    def _repr_html_(self) -> str:
        return self.svg


def plotted(title: str, groups: Mapping[str, Mapping[str, Mean | None]]) -> Bars:
    """Return means as a figure, on a scale from 0 to 1 or to the largest value."""
    found = [each for group in groups.values() for each in group.values() if each is not None]
    low = min((each.drawn[0] for each in found), default=0.0)
    high = max((each.drawn[1] for each in found), default=1.0)
    return Bars(
        title=title, value_label="mean", groups=groups, low=min(0.0, low), high=max(1.0, high)
    )


def _written(element: Element) -> str:
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in element.attributes)
    return f"<{element.tag}{attributes}>{escape(element.text)}</{element.tag}>"
