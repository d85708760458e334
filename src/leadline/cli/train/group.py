"""leadline train: the group of its commands."""

from __future__ import annotations

import typer

from leadline.cli.flags import Command, Group
from leadline.cli.train import reasoner, retriever

app = typer.Typer(cls=Group, no_args_is_help=True, help="Train a model on your documents.")
app.command(cls=Command)(retriever.retriever)
app.command(cls=Command)(reasoner.reasoner)


@app.callback()
def _train() -> None:
    pass
