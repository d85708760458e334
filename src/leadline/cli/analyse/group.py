"""leadline analyse: the group of its commands."""

from __future__ import annotations

import typer

from leadline.cli.analyse import agreement, attention, length, negatives, position
from leadline.cli.flags import Command, Group

app = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    help="Study what an encoder or a cross-encoder looks at, and where.",
)
app.command(cls=Command)(position.position)
app.command(cls=Command)(attention.attention)
app.command(cls=Command)(length.length)
app.command(cls=Command)(negatives.negatives)
app.command(cls=Command)(agreement.agreement)


@app.callback()
def _analyse() -> None:
    pass
