"""Tables on standard output."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from leadline.metrics.standard import main_metrics_of
from leadline.report import Report

_RANKS = ("MeanRank", "SetRank")


def print_reports(reports: Sequence[Report]) -> None:
    """Print one table for each kind of benchmark, its main metrics with their intervals."""
    from rich.console import Console

    console = Console()
    kinds = dict.fromkeys(report.kind for report in reports)
    for kind in kinds:
        console.print(_table(kind, [report for report in reports if report.kind == kind]))


def _table(kind: str, reports: Sequence[Report]) -> Any:
    from rich.table import Table

    made = " and ".join(dict.fromkeys(report.built_by for report in reports))
    table = Table(
        title=f"{kind} (built by {made})" if made != "published" else kind,
        caption="mean with its 95 % bootstrap interval",
        title_justify="left",
        caption_justify="left",
    )
    table.add_column("benchmark")
    table.add_column("system")
    every = [report.means() for report in reports]
    names = [name for name in main_metrics_of(kind) if any(name in means for means in every)]
    names = names or list(dict.fromkeys(name for means in every for name in means))
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    for report, means in zip(reports, every, strict=True):
        cells = [_cell(name, means) for name in names]
        table.add_row(report.benchmark, report.system, *cells)
    return table


def _cell(name: str, means: Mapping[str, Any]) -> str:
    if name not in means:
        return "–"
    mean = means[name]
    digits = 1 if name.startswith(_RANKS) else 3
    return f"{mean.mean:.{digits}f} [{mean.low:.{digits}f}, {mean.high:.{digits}f}]".replace(
        "[", "\\["
    )


def print_rows(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows of text under their headings; nothing in them is read as markup."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD)
    for number, column in enumerate(columns):
        table.add_column(column, no_wrap=number == 0, overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console().print(table)
