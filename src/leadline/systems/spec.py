"""Parse the name of a system: stages joined by `+`, options after a colon."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from leadline.data.paths import is_file
from leadline.errors import InputError

_LONGEST = 5000
_PLUS, _COMMA = r"(?<!\\)\+", r"(?<!\\),"
_OPTION_FIRST = re.compile(r"^(\s*[\w.-]+\s*),(?=\s*\w+=)")


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of a chain as typed: a name, perhaps a model, options still as text."""

    name: str
    model: str = ""
    options: Mapping[str, str] = field(default_factory=dict)


def parse(spec: str) -> list[Stage]:
    """Split a chain into its stages.

    A comma or plus that belongs to a value has a backslash before it.
    """
    if len(spec) > _LONGEST:
        raise InputError(
            f"System {spec[:80]!r}... has {len(spec):,} characters, which is too long for a name."
        )
    if is_path(spec) and is_file(spec):  # even when a `+` is part of its name
        return [Stage(spec)]
    texts = [text.lstrip() for text in re.split(_PLUS, spec)]
    if not all(text.strip() for text in texts):
        raise InputError(f"System {spec!r} has an empty stage. Write stages joined by '+'.")
    return [stage_of(text) for text in texts]


def stage_of(text: str) -> Stage:
    """Return one stage: `name`, `name:model,option=value`, `name,option=value`, or an address."""
    if text.startswith(("http://", "https://")):
        return Stage("endpoint", text.strip())
    name, _, rest = _OPTION_FIRST.sub(r"\1:", text, count=1).partition(":")
    parts = [each.replace("\\,", ",").replace("\\+", "+") for each in re.split(_COMMA, rest)]
    parts = parts if rest else []
    model = parts.pop(0).strip() if parts and "=" not in parts[0] else ""
    options: dict[str, str] = {}
    for part in parts:
        # A value is kept as typed: the space that ends a prompt belongs to it.
        option, equals, value = part.partition("=")
        option = option.strip()
        if not equals or not option:
            raise InputError(f"{part!r} in {text!r} is not of the form option=value.")
        if option in options:
            raise InputError(f"Option {option!r} occurs twice in {text!r}.")
        options[option] = value
    return Stage(name.strip(), model, options)


def is_path(name: str) -> bool:
    """Tell whether a stage is a file of the user."""
    return name.endswith((".py", ".yaml", ".yml"))


def written(stages: Sequence[Stage]) -> str:
    """Return the chain that `parse` reads as these stages."""
    return "+".join(_written_stage(stage) for stage in stages)


def _written_stage(stage: Stage) -> str:
    if stage.name == "endpoint":
        return stage.model
    pairs = [f"{name}={_escaped(value)}" for name, value in stage.options.items()]
    rest = ",".join([_escaped(stage.model), *pairs] if stage.model else pairs)
    return f"{stage.name}:{rest}" if rest else stage.name


def _escaped(value: str) -> str:
    return value.replace(",", "\\,").replace("+", "\\+")
