"""Means with their intervals, a row for each system in every slice."""

from __future__ import annotations

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
from leadline.evidence import Bars, Interval

_LEFT, _RIGHT, _TOP, _ROW, _GAP = 190, 620, 14, 18, 12


def drawn(bars: Bars) -> Drawing:
    """Return the bars with their intervals, the table of them, and a legend."""
    systems = list(dict.fromkeys(system for group in bars.groups.values() for system in group))
    elements: list[Element] = []
    y = float(_TOP)
    for group, values in bars.groups.items():
        middle = y + _ROW * len(systems) / 2
        elements.append(label(_short(group), _LEFT - 14, middle, "end"))
        for number, system in enumerate(systems):
            elements += _row(bars, values.get(system), style_of(number), y + _ROW / 2)
            y += _ROW
        y += _GAP
    bottom = y - _GAP / 2
    grid = [element("path", d=f"M{_x(bars, v):.1f} {_TOP - 4}V{bottom:.1f}", class_="grid")
            for v in ticks(bars.low, bars.high)]  # fmt: skip
    if bars.chance is not None:
        x = _x(bars, bars.chance)
        grid.append(element("path", d=f"M{x:.1f} {_TOP - 4}V{bottom:.1f}", class_="chance"))
    axis = [label(f"{v:g}", _x(bars, v), bottom + 14, "middle") for v in ticks(bars.low, bars.high)]
    name = label(bars.value_label, (_LEFT + _RIGHT) / 2, bottom + 36, "middle", "axis")
    return Drawing(
        height=int(bottom + 48),
        elements=(*grid, *elements, *axis, name),
        summary=_summary(bars),
        columns=("", *systems),
        rows=tuple(
            (group, *(shown(values.get(system)) for system in systems))
            for group, values in bars.groups.items()
        ),
        legend=tuple((system, style_of(number)) for number, system in enumerate(systems)),
    )


def _row(bars: Bars, value: Interval | None, style: int, y: float) -> list[Element]:
    if value is None:
        return [label("–", _LEFT, y)]
    low, high = (_x(bars, each) for each in value.drawn)
    whisker = stroke(style, f"M{low:.1f} {y:.1f}H{high:.1f}", "whisker")
    return [whisker, marker(style, _x(bars, value.mean), y)]


def _x(bars: Bars, value: float) -> float:
    share = (min(bars.high, max(bars.low, value)) - bars.low) / ((bars.high - bars.low) or 1)
    return _LEFT + share * (_RIGHT - _LEFT)


def _summary(bars: Bars) -> str:
    parts = [
        f"{group}: " + ", ".join(
            f"{system} {value.mean:.2f}" for system, value in values.items() if value
        )
        for group, values in bars.groups.items()
    ]  # fmt: skip
    return f"{bars.value_label}. " + "; ".join(parts) + "."


def _short(text: str) -> str:
    return text if len(text) <= 22 else f"{text[:21]}…"
