"""leadline analyse agreement: what filled sheets say of ladders of conditions."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Annotated

import typer

from leadline.cli import options


def agreement(
    sheets: Annotated[
        list[Path],
        typer.Argument(metavar="SHEET ...", help="Filled sheets of two or more readers, as CSV."),
    ],
    data: Annotated[
        Path,
        typer.Option(
            metavar="PATH",
            help="The [bold]ladders.jsonl[/bold] that the sheet was drawn from, or its folder.",
        ),
    ],
    seed: options.Seed = 0,
    json_out: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Say how far readers of ladders agree (share of pairs, Fleiss' kappa), and with what is meant.

    Queries and documents stand apart, and so do domains. The sheets are those that
    `leadline synthesize conditions --review` writes, filled in a spreadsheet or in the browser. The
    seed is that of the ladders.

    Example: leadline analyse agreement anna.csv ben.csv --data conditions/
    """
    from leadline.data.paths import is_folder
    from leadline.kinds.conditions.ladders import read_ladders
    from leadline.kinds.conditions.sheet import read_sheets

    path = data / "ladders.jsonl" if is_folder(data) else data
    found = read_sheets(sheets, list(read_ladders(path)), seed=seed)
    if json_out:
        typer.echo(json.dumps([dataclasses.asdict(each) for each in found]))
        return
    for each in found:
        items = f"{each.items} {'queries' if each.what == 'query' else 'documents'}"
        typer.echo(
            f"{each.domain or 'all domains'}: {each.readers} readers, {items} that all answered: "
            f"agreement {each.agreement:.3f}, Fleiss' kappa {each.kappa:.3f}; most readers say "
            f"other than what was meant of {each.label_error:.1%}."
        )
