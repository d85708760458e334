"""Make the control of an edit: a change of the same kind and size that breaks no condition."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TypeAlias

from leadline.kinds.conditions.edits import Edit
from leadline.kinds.conditions.metrics import CONTROL
from leadline.text.statements import Statement
from leadline.text.tokens import tokens

_CONTROLS = 2
_UNEVEN = {"name": 2}  # words by which a control may grow a text more or less than an edit does
_FIGURES = {"date": "number"}
"""Kinds of edit that count as another where a control is looked for: both change figures."""

Spot: TypeAlias = tuple[Statement, tuple[Edit, ...]]
"""A statement or piece of a text with the edits that can be made in it."""


def overlap(one: Statement, other: Statement) -> bool:
    """Tell whether two statements share some of the text."""
    return one.start < other.end and other.start < one.end


def may_control(other: Edit, spot: Spot, edit: Edit) -> bool:
    """Tell whether a change is of the kind of an edit, and touches no value that is asked for."""
    asked = set(tokens(spot[0].text))
    if edit.kind == "antonym":  # "remote" and its opposite, where the condition says "remote"
        same = bool(asked & {*tokens(other.before), *tokens(other.after)})
    else:
        same = edit.kind != "negation" and set(tokens(other.before)) <= asked
    kinds = {_FIGURES.get(each.kind, each.kind) for each in (other, edit)}
    even = abs(growth(other) - growth(edit)) <= _UNEVEN.get(edit.kind, 0)
    return len(kinds) == 1 and even and not same


def controls_of(spot: Spot, edit: Edit, others: Sequence[Spot]) -> tuple[Edit, ...]:
    """Return the nearest changes of the same kind, at most one of a statement."""
    nearest: list[Edit] = []
    taken: list[Statement] = []
    for statement, edits in others:
        if any(overlap(statement, each) for each in taken):
            continue  # a statement, and the piece that it is
        if alike := [other for other in edits if may_control(other, spot, edit)]:
            taken.append(statement)
            nearest.append(alike[0])
    nearest.sort(
        key=lambda other: (abs(growth(other) - growth(edit)), abs(other.start - edit.start))
    )
    return tuple(dataclasses.replace(each, kind=CONTROL) for each in nearest[:_CONTROLS])


def growth(edit: Edit) -> int:
    """Return how many words an edit adds: a control adds as many, as far as that can be."""
    return len(edit.after.split()) - len(edit.before.split())
