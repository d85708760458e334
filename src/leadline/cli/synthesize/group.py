"""leadline synthesize: a command for every kind that has a builder."""

from __future__ import annotations

from typing import Any

import typer

from leadline.cli.options import Command, Group
from leadline.cli.synthesize import (
    conditions,
    implicit_facts,
    instructions,
    questions,
    reasoning,
    rephrasings,
)


class _Builders(Group):
    """The builders; an unknown one is named with those that there are."""

    def get_command(self, ctx: Any, name: str) -> Any:
        from leadline.errors import unknown

        if found := super().get_command(ctx, name):
            return found
        known = self.list_commands(ctx)
        raise unknown("kind of benchmark", name, known, f"There are {', '.join(known)}.")


app = typer.Typer(
    cls=_Builders,
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Build a benchmark of a kind from documents: by rules, or with --llm by a language "
    "model. The folder that is written runs as `leadline evaluate -b DIR`.\n\n"
    "Example: leadline synthesize implicit-facts --out facts/ --seed 7",
)
for _module in (conditions, implicit_facts, instructions, questions, reasoning, rephrasings):
    _name = _module.__name__.rpartition(".")[2].replace("_", "-")
    app.command(name=_name, cls=Command)(_module.synthesize)
