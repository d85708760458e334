"""Positions of everything in line charts and table bars. Templates draw them as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from leadline.report.shapes import Curve, Mean

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 64, 624, 16, 286
MOST_IN_ONE = 8  # lines in one chart; with more, each system gets a small chart
MOST_BANDS = 3  # most lines with bands; with more, intervals are whiskers and the lines are shifted
STEP_ASIDE = 4.0  # distance between shifted lines

# Eight systems differ even in black and white: every style has its own dash and its own marker,
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
class Line:
    """One system in a chart, in the coordinates of the drawing.

    style    number of its colour, dash and marker
    paths    `points` of a polyline, one for each stretch without a gap
    bands    `points` of the polygon between low and high, one for each stretch
    whiskers (x, y of high, y of low) of each interval, if bands would overlap
    marks    positions of the markers
    behind   drawn faintly, for comparison only
    """

    system: str
    style: int
    paths: tuple[str, ...]
    bands: tuple[str, ...]
    whiskers: tuple[tuple[float, float, float], ...]
    marks: tuple[tuple[float, float], ...]
    behind: bool = False

    @property
    def dash(self) -> str:
        """The stroke-dasharray that goes with the style."""
        return DASHES[self.style]

    @property
    def marker(self) -> str:
        """The path of the marker that goes with the style."""
        return MARKERS[self.style]


@dataclass(frozen=True)
class Chart:
    """A line chart, ready to be drawn.

    x_ticks   (x, label, n as text)
    n_label   whether n is that of every system, or of the one with the fewest
    y_ticks   (y, label)
    chance    y of the chance line, or None
    summary   the figure in words, for readers who cannot see it
    """

    title: str
    summary: str
    x_ticks: tuple[tuple[float, str, str], ...]
    n_label: str
    y_ticks: tuple[tuple[float, str], ...]
    lines: tuple[Line, ...]
    chance: float | None


@dataclass(frozen=True)
class Bar:
    """A mean with its interval on a scale from 0 to 100."""

    mean: float
    low: float
    high: float
    chance: float | None


def charts(curve: Curve) -> tuple[Chart, ...]:
    """Return one chart, or with many systems one for each, with the others drawn faintly."""
    if len(curve.lines) <= MOST_IN_ONE:
        return (_chart(curve, front=tuple(curve.lines)),)
    return tuple(_chart(curve, front=(system,)) for system in curve.lines)


def order_at_the_end(curve: Curve) -> list[tuple[str, int]]:
    """Return (system, style) in the order of the line ends on the right, the highest first."""
    styled = [(system, _style(number, curve)) for number, system in enumerate(curve.lines)]
    return sorted(styled, key=lambda entry: -_last_mean(curve.lines[entry[0]]))


def bar(mean: float, low: float, high: float, *, floor: float, chance: float | None) -> Bar:
    """Return the position of a mean and its bounds between `floor` and 1, cut at the ends."""

    def place(value: float) -> float:
        return round(100 * min(1.0, max(0.0, (value - floor) / (1.0 - floor))), 2)

    return Bar(place(mean), place(low), place(high), None if chance is None else place(chance))


def _chart(curve: Curve, front: Sequence[str]) -> Chart:
    floor = _floor(curve.lines)
    alone = len(front) == 1 < len(curve.lines)
    lines = [
        _line(curve, number, floor, behind=system not in front, apart=len(front) > MOST_BANDS)
        for number, system in enumerate(curve.lines)
    ]
    counts, agree = _counts(curve)
    return Chart(
        title=f"{front[0]}: {curve.title}" if alone else curve.title,
        summary=_in_words(curve, front),
        x_ticks=tuple(
            (_x(curve, value), str(value), n) for value, n in zip(curve.x, counts, strict=True)
        ),
        n_label="" if not any(counts) else "n" if agree else "n ≥",
        y_ticks=tuple((_y(value, floor), f"{value:g}") for value in _y_values(floor)),
        lines=tuple(sorted(lines, key=lambda line: not line.behind)),
        chance=None if curve.chance is None else _y(curve.chance, floor),
    )


def _line(curve: Curve, number: int, floor: float, *, behind: bool, apart: bool) -> Line:
    """Return the line of one system. `apart` shifts it so that whiskers do not overlap."""
    system = list(curve.lines)[number]
    aside = STEP_ASIDE * (number - (len(curve.lines) - 1) / 2) if apart else 0.0
    paths: list[str] = []
    bands: list[str] = []
    marks: list[tuple[float, float]] = []
    whiskers: list[tuple[float, float, float]] = []
    for stretch in _stretches(curve, curve.lines[system]):
        places = [(round(x + aside, 1), value) for x, value in stretch]
        upper = [(x, _y(value.drawn[1], floor)) for x, value in places]
        lower = [(x, _y(value.drawn[0], floor)) for x, value in places]
        means = [(x, _y(value.mean, floor)) for x, value in places]
        paths.append(_points(means))
        marks += means
        bands.append(_points([*upper, *reversed(lower)]))
        whiskers += [(x, high, low) for (x, high), (_, low) in zip(upper, lower, strict=True)]
    return Line(
        system=system,
        style=_style(number, curve),
        paths=tuple(paths),
        bands=() if behind or apart else tuple(bands),
        whiskers=tuple(whiskers) if apart and not behind else (),
        marks=() if behind else tuple(marks),
        behind=behind,
    )


def _stretches(curve: Curve, values: Sequence[Mean | None]) -> list[list[tuple[float, Mean]]]:
    """Return the values with their x, in stretches between missing values."""
    placed = [(_x(curve, x), value) for x, value in zip(curve.x, values, strict=True)]
    return [
        [(x, value) for x, value in group if value is not None]
        for present, group in groupby(placed, key=lambda pair: pair[1] is not None)
        if present
    ]


def _style(number: int, curve: Curve) -> int:
    """Return the style of a line: always the first one if each system has its own chart."""
    return 0 if len(curve.lines) > MOST_IN_ONE else number % len(DASHES)


def _x(curve: Curve, value: int) -> float:
    first, last = curve.x[0], curve.x[-1]
    inner_left, inner_right = LEFT + 16, RIGHT - 16
    if first == last:
        return (inner_left + inner_right) / 2
    share = (value - first) / (last - first)
    return round(inner_left + share * (inner_right - inner_left), 1)


def _y(value: float, floor: float) -> float:
    share = (min(1.0, max(floor, value)) - floor) / (1.0 - floor)
    return round(BOTTOM - share * (BOTTOM - TOP), 1)


def _floor(lines: Mapping[str, Sequence[Mean | None]]) -> float:
    lows = [value.drawn[0] for line in lines.values() for value in line if value is not None]
    return -1.0 if any(low < 0 for low in lows) else 0.0


def _y_values(floor: float) -> tuple[float, ...]:
    return (0.0, 0.25, 0.5, 0.75, 1.0) if floor == 0 else (-1.0, -0.5, 0.0, 0.5, 1.0)


def _counts(curve: Curve) -> tuple[list[str], bool]:
    """Return the smallest n at each place, and whether all systems have the same n."""
    columns = [
        {value.n for value in column if value is not None and value.n}
        for column in zip(*curve.lines.values(), strict=True)
    ]
    return [str(min(column, default="")) for column in columns], all(len(c) < 2 for c in columns)


def _in_words(curve: Curve, front: Sequence[str]) -> str:
    sentences = []
    for system in front:
        known = [
            (x, value)
            for x, value in zip(curve.x, curve.lines[system], strict=True)
            if value is not None
        ]
        if known:
            (first, start), (last, end) = known[0], known[-1]
            sentences.append(f"{system}: {start.mean:.2f} at {first}, {end.mean:.2f} at {last}.")
    return " ".join([f"{curve.y_label} by {curve.x_label}.", *sentences])


def _last_mean(values: Sequence[Mean | None]) -> float:
    return next((value.mean for value in reversed(values) if value is not None), float("-inf"))


def _points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in places)
