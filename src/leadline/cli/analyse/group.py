"""leadline analyse: the group of its commands."""

from __future__ import annotations

import typer

from leadline.cli.analyse import agreement, attention, length, position

app = typer.Typer(
    no_args_is_help=True, help="Study what an encoder or a cross-encoder looks at, and where."
)
app.command()(position.position)
app.command()(attention.attention)
app.command()(length.length)
app.command()(agreement.agreement)


@app.callback()
def _analyse() -> None:
    pass
