"""A point for each system over two measures, named where it stands."""

from __future__ import annotations

from leadline.drawings.drawing import (
    Drawing,
    Element,
    element,
    label,
    marker,
    style_of,
    ticks,
)
from leadline.evidence import Scatter

_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 600, 16, 286


def drawn(scatter: Scatter) -> Drawing:
    """Return the points on their two scales."""
    elements: list[Element] = []
    for value in ticks(*scatter.y):
        y = _y(scatter, value)
        elements.append(element("path", d=f"M{_LEFT} {y:.1f}H{_RIGHT}", class_="grid"))
        elements.append(label(f"{value:g}", _LEFT - 9, y, "end"))
    for value in ticks(*scatter.x):
        elements.append(label(f"{value:g}", _x(scatter, value), _BOTTOM + 18, "middle"))
    elements.append(label(scatter.x_label, (_LEFT + _RIGHT) / 2, 326, "middle", "axis"))
    elements.append(label(f"↑ {scatter.y_label}", _LEFT + 6, _TOP + 4, "start", "axis"))
    for number, (x, y) in enumerate(scatter.points.values()):
        elements.append(marker(style_of(number), _x(scatter, x), _y(scatter, y)))
    return Drawing(
        height=340,
        elements=tuple(elements),
        summary=" ".join(
            f"{system}: {scatter.x_label} {x:.2f}, {scatter.y_label} {y:.2f}."
            for system, (x, y) in scatter.points.items()
        ),
        columns=("", scatter.x_label, scatter.y_label),
        rows=tuple((system, f"{x:.3f}", f"{y:.3f}") for system, (x, y) in scatter.points.items()),
        legend=tuple((system, style_of(number)) for number, system in enumerate(scatter.points)),
    )


def _x(scatter: Scatter, value: float) -> float:
    low, high = scatter.x
    return _LEFT + (_RIGHT - _LEFT) * (min(high, max(low, value)) - low) / ((high - low) or 1)


def _y(scatter: Scatter, value: float) -> float:
    low, high = scatter.y
    return _BOTTOM - (_BOTTOM - _TOP) * (min(high, max(low, value)) - low) / ((high - low) or 1)
