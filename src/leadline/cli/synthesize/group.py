"""leadline synthesize: a command for every kind that has a builder. The file is the registry.

A file of this folder with a function `synthesize` is the command of its name:
`implicit_facts.py` is `leadline synthesize implicit-facts`.
"""

from __future__ import annotations

import ast
import importlib
from functools import cache
from pathlib import Path
from typing import Any

import typer

from leadline.cli.options import Command, Group

_FOLDER = Path(__file__).parent


class _Builders(Group):
    """The builders, each imported when it is named or its help is shown."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(_abouts())

    def get_command(self, ctx: Any, name: str) -> Any:
        if name not in _abouts():
            from leadline.errors import unknown

            raise unknown("kind of benchmark", name, _abouts(), f"There are {_told()}.")
        module = importlib.import_module(f"leadline.cli.synthesize.{name.replace('-', '_')}")
        one = typer.Typer(rich_markup_mode="rich", add_completion=False)
        one.command(name=name, cls=Command)(module.synthesize)
        return typer.main.get_command(one)


app = typer.Typer(
    cls=_Builders,
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Build a benchmark of a kind from documents: by rules, or with --llm by a language "
    "model. The folder that is written runs as `leadline evaluate -b DIR`.\n\n"
    "Example: leadline synthesize implicit-facts --out facts/ --seed 7",
)


def _told() -> str:
    return ", ".join(_abouts())


@cache
def _abouts() -> dict[str, str]:
    """Return the builders with the first line of their help."""
    found = {}
    for path in sorted(_FOLDER.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name == "synthesize":
                about = ast.get_docstring(node) or ""
                found[path.stem.replace("_", "-")] = about.partition("\n")[0]
    return found
