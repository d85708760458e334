"""Commands whose help reads well: flags without a type behind them, paragraphs filled."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup


class _Plain:
    """Shows `--json`, not `--json <bool>`, and breaks lines where the terminal ends."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.help = _filled(getattr(self, "help", None))

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, the flags among them shown without a type."""
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for each in parameters:
            if getattr(each, "is_flag", False) and each.metavar is None:
                each.metavar = ""
        return parameters


class Command(_Plain, TyperCommand):
    """A command of Leadline."""


class Group(_Plain, TyperGroup):
    """A group of commands."""


def _filled(text: str | None) -> str | None:
    """Return a text with each paragraph on one line."""
    if text is None:
        return None
    return "\n\n".join(" ".join(each.split()) for each in text.split("\n\n"))
