"""Names of metrics whose options differ from the default."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def labelled(metric: DataclassInstance, name: str, *options: str) -> str:
    """Return the name, with those of the options that differ from their default in brackets."""
    defaults: dict[str, Any] = {each.name: each.default for each in fields(metric)}
    given = {option: getattr(metric, option) for option in options}
    changed = [f"{key}={value}" for key, value in given.items() if value != defaults[key]]
    return f"{name}[{','.join(changed)}]" if changed else name
