"""leadline list: what there is to name."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer


class Kind(StrEnum):
    """What can be listed."""

    systems = "systems"
    benchmarks = "benchmarks"
    metrics = "metrics"


def show(
    kind: Annotated[Kind, typer.Argument(help="What to list.", show_default=False)],
) -> None:
    """List systems, benchmarks or metrics by the names that other commands take."""
    from leadline import plugins
    from leadline.cli.tables import print_rows

    if kind is Kind.systems:
        print_rows(
            ["system", "kind", "what it is"],
            [(row.name, row.kind, row.about) for row in plugins.systems()],
        )
    elif kind is Kind.benchmarks:
        print_rows(
            ["benchmark", "what it tests"],
            [(row.name, row.about) for row in plugins.benchmarks()],
        )
    else:
        from leadline.metrics.names import catalogue

        print_rows(
            ["metric", "range", "better", "what it says", "source"],
            [(row.name, row.range, row.better, row.meaning, row.source) for row in catalogue()],
        )
