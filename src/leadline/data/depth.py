"""How deep parsed JSON goes: what walks it must not run out of stack."""

from __future__ import annotations

from typing import Any

from leadline.data.limits import DEEPEST_JSON
from leadline.errors import InputError


def may_be_deep(source: bytes) -> bool:
    """Tell whether JSON has brackets enough to be too deep: most need not be looked through."""
    return source.count(b"[") + source.count(b"{") > DEEPEST_JSON


def check_depth(value: Any, place: str) -> None:
    """Raise InputError that names the place when lists and objects lie too deep in each other."""
    level = [value]
    for _ in range(DEEPEST_JSON):
        level = [inner for each in level for inner in _within(each)]
        if not level:
            return
    raise InputError(
        f"{place}: lists and objects lie more than {DEEPEST_JSON} deep in each other. Is it data?"
    )


def _within(value: Any) -> list[Any]:
    held = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [each for each in held if isinstance(each, dict | list)]
