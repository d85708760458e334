"""Cells in rows and columns: a shade for each value, and the value itself where it fits."""

from __future__ import annotations

from leadline.drawings.drawing import WIDTH, Drawing, Element, element, label
from leadline.evidence import HeatMap

_LEFT, _TOP, _ROW = 150, 60, 24
_SHADES = 5
_MOST_WITH_NUMBERS = 14


def drawn(heat: HeatMap) -> Drawing:
    """Return the cells; numbers stand in them while there are few columns."""
    width = (WIDTH - _LEFT - 8) / max(1, len(heat.columns))
    elements: list[Element] = [
        element(
            "text", _short(name, 12), class_="tick",
            transform=f"translate({_LEFT + (n + 0.5) * width:.1f} {_TOP - 6}) rotate(-35)",
        )
        for n, name in enumerate(heat.columns)
    ]  # fmt: skip
    for number, (name, values) in enumerate(zip(heat.rows, heat.values, strict=True)):
        y = _TOP + number * _ROW
        elements.append(label(_short(name, 18), _LEFT - 8, y + _ROW / 2, "end"))
        for column, value in enumerate(values):
            elements += _cell(heat, value, _LEFT + column * width, y, width)
    bottom = _TOP + len(heat.rows) * _ROW
    elements.append(label(heat.column_label, (_LEFT + WIDTH) / 2, bottom + 18, "middle", "axis"))
    return Drawing(
        height=bottom + 32,
        elements=tuple(elements),
        summary=_summary(heat),
        columns=(f"{heat.row_label} / {heat.column_label}", *heat.columns),
        rows=tuple(
            (name, *("–" if value is None else f"{value:.3f}" for value in values))
            for name, values in zip(heat.rows, heat.values, strict=True)
        ),
    )


def _cell(heat: HeatMap, value: float | None, x: float, y: float, width: float) -> list[Element]:
    if value is None:
        return []
    share = (value - heat.low) / ((heat.high - heat.low) or 1)
    shade = min(_SHADES - 1, max(0, int(share * _SHADES)))
    box = element("rect", x=x, y=y, width=width - 1, height=_ROW - 1.0, class_=f"cell shade{shade}")
    if len(heat.columns) > _MOST_WITH_NUMBERS:
        return [box]
    return [box, label(f"{value:.2f}", x + width / 2, y + _ROW / 2, "middle", "value")]


def _summary(heat: HeatMap) -> str:
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


def _short(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"
