"""A closed line for each system over axes that leave one centre."""

from __future__ import annotations

import math

from leadline.drawings.drawing import (
    Drawing,
    Element,
    element,
    label,
    marker,
    shown,
    stroke,
    style_of,
    ticks,
)
from leadline.evidence import Radar

_X, _Y, _RADIUS = 320.0, 190.0, 140.0


def drawn(radar: Radar) -> Drawing:
    """Return the lines over their axes; the centre is the low end of the scale."""
    elements: list[Element] = []
    for value in ticks(radar.low, radar.high)[1:]:
        ring = [_place(radar, number, value) for number in range(len(radar.axes))]
        elements.append(element("path", d=_closed(ring), class_="grid ring"))
        elements.append(label(f"{value:g}", _X + 4, _place(radar, 0, value)[1] + 9))
    for number, axis in enumerate(radar.axes):
        x, y = _place(radar, number, radar.high)
        elements.append(element("path", d=f"M{_X:g} {_Y:g}L{x:.1f} {y:.1f}", class_="grid"))
        elements.append(_axis_name(radar, number, axis))
    for number, values in enumerate(radar.lines.values()):
        style = style_of(number)
        places = [
            _place(radar, axis, value.mean)
            for axis, value in enumerate(values)
            if value is not None
        ]
        if len(places) == len(radar.axes):
            elements.append(stroke(style, _closed(places)))
        elements += [marker(style, x, y) for x, y in places]
    return Drawing(
        height=380,
        elements=tuple(elements),
        summary=f"{radar.value_label} over {', '.join(radar.axes)}. "
        + " ".join(
            f"{system}: "
            + ", ".join("none" if v is None else f"{v.mean:.2f}" for v in values)
            + "."
            for system, values in radar.lines.items()
        ),
        columns=("", *radar.lines),
        rows=tuple(
            (axis, *(shown(values[number]) for values in radar.lines.values()))
            for number, axis in enumerate(radar.axes)
        ),
        legend=tuple((system, style_of(number)) for number, system in enumerate(radar.lines)),
    )


def _summary(radar: Radar) -> str:
    lines = {
        system: ", ".join("none" if each is None else f"{each.mean:.2f}" for each in values)
        for system, values in radar.lines.items()
    }
    told = " ".join(f"{system}: {means}." for system, means in lines.items())
    return f"{radar.value_label} over {', '.join(radar.axes)}. {told}"


def _place(radar: Radar, axis: int, value: float) -> tuple[float, float]:
    share = (min(radar.high, max(radar.low, value)) - radar.low) / ((radar.high - radar.low) or 1)
    angle = 2 * math.pi * axis / len(radar.axes)
    return _X + _RADIUS * share * math.sin(angle), _Y - _RADIUS * share * math.cos(angle)


def _axis_name(radar: Radar, number: int, axis: str) -> Element:
    angle = 2 * math.pi * number / len(radar.axes)
    side = math.sin(angle)
    anchor = "middle" if abs(side) < 0.2 else "start" if side > 0 else "end"
    return label(
        axis if len(axis) <= 20 else f"{axis[:19]}…",
        _X + (_RADIUS + 14) * side,
        _Y - (_RADIUS + 18) * math.cos(angle),
        anchor,
        "axis",
    )


def _closed(places: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places) + "Z"
