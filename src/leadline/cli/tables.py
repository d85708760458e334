"""The tables that commands print."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

from leadline.diagnosis.causes import Shares
from leadline.kinds.registry import kind_or_ranking
from leadline.metrics.names import label_of
from leadline.metrics.significance import FEWEST
from leadline.progress import console
from leadline.report import Mean, Report, failing
from leadline.report.results import Results
from leadline.report.wording import latency, too_few, weakest_slice

if TYPE_CHECKING:
    from leadline.system import System

_MADE = {"rules": "built by rules", "llm": "built by a language model", "own": "your own"}


def print_reports(reports: Sequence[Report]) -> None:
    """Print one table for each kind of benchmark, its main metrics with their intervals."""
    out = console()
    for kind in dict.fromkeys(report.kind for report in reports):
        some = [report for report in reports if report.kind == kind]
        _print_kind(out, kind, some)
        for note in dict.fromkeys(f"{each.benchmark}: {n}" for each in some for n in each.notes):
            out.print(note)
    few = [f"{report.benchmark}: {told}" for report in reports for told in _too_few(report)]
    for told in dict.fromkeys(few):
        out.print(told)
    advised: dict[tuple[str, str], list[str]] = {}
    for report in reports:
        for told in () if report.is_reference else (*_weakest(report), *_to_do(report)):
            advised.setdefault((report.benchmark, told), []).append(report.system)
    for (benchmark, told), systems in advised.items():
        out.print(f"{', '.join(systems)}, {benchmark}: {told}")
    for report in reports:
        for told in failing(report.asked, report.failures):
            out.print(f"{report.system}: {told}", style="bold")
        for reason, count in report.failures.items():
            out.print(f"{report.system} on {report.benchmark}: {count} failed ({reason})")


def print_failures(systems: Iterable[System]) -> None:
    """Print on standard error how often stages failed, and why."""
    for system in systems:
        for reason, count in system.failures.items():
            typer.echo(f"{system.name}: {count:,} failed ({reason})", err=True)


def _too_few(report: Report) -> Iterator[str]:
    """Yield a warning if there are too few topics for the first metric of the kind."""
    main, entries = _headline(report)
    if main and (told := too_few(entries[main])):
        yield told


def _weakest(report: Report) -> Iterator[str]:
    """Yield where a system is weakest on the first metric of the kind."""
    main, entries = _headline(report)
    if main and (told := weakest_slice(main, entries)):
        yield told


def _headline(report: Report) -> tuple[str, Mapping[str, Mean]]:
    results = Results([report], {report.kind: kind_or_ranking(report.kind)})
    return results.headline(report.benchmark), report.means()


def _to_do(report: Report) -> Iterator[str]:
    for cause in report.examined.get("causes", [])[:3]:
        yield f"{cause['text']} ({cause['share']:.0%} of cases): {cause['advice']}"


def _print_kind(out: Any, kind: str, reports: Sequence[Report]) -> None:
    """Print the main metrics of every report: in lists if a table is too wide."""
    made = sorted({report.built_by for report in reports})
    every = [report.means() for report in reports]
    names = _shown(kind, every)
    places = [report.benchmark.removeprefix(f"{kind}/") for report in reports]
    marks = [
        " (failing, see below)" * bool(failing(report.asked, report.failures)) for report in reports
    ]
    title = kind
    if made != ["published"]:
        title += f" ({' and '.join(_MADE.get(each, each) for each in made)})"
    out.print(f"\n{title}", style="italic")
    times = [latency(report.query_seconds) for report in reports]
    columns = ["benchmark", "system", *map(label_of, names), *["a query, p50 / p95"] * any(times)]
    place_said = set(places) == {kind}
    for between in (" ", "\n"):
        rows = [
            (
                place,
                report.system + mark,
                *(_cell(means.get(name), between) for name in names),
                *[(time or "–").replace("/ ", f"/{between}")] * any(times),
            )
            for place, report, mark, means, time in zip(
                places, reports, marks, every, times, strict=True
            )
        ]
        if between == "\n" or _widths(
            columns[1:], [row[1:] for row in rows], out.width, whole=True
        ):
            cut = int(place_said)
            _print(out, columns[cut:], [row[cut:] for row in rows], 1 - cut, 2 - cut)
            break
    out.print("mean, 95 % interval, n\n", style="dim")
    for place, report in zip(places, reports, strict=True):
        if words := " ".join(report.examined.get("in_words", {}).values()):
            out.print(f"{report.system}{f', {place}' * (not place_said)}: {words}")


def _cell(mean: Mean | None, between: str) -> str:
    if mean is None:
        return "–"
    if mean.n < FEWEST:
        return between.join((f"{mean.mean:.3f}", f"n {mean.n},", "too few"))
    bounds = re.sub(r"\b0\.", ".", f"{mean.low:.3f}–{mean.high:.3f}")
    return between.join((f"{mean.mean:.3f}", bounds, f"n\u00a0{mean.n:,}"))


def _shown(kind: str, every: Sequence[Mapping[str, Mean]]) -> list[str]:
    """Return the main metrics that have a value, or all of them if none has one."""
    names = [name for name in kind_or_ranking(kind).main if any(name in means for means in every)]
    return names or list(dict.fromkeys(name for means in every for name in means))


def print_shares(rows: Sequence[Shares]) -> None:
    """Print the shares of errors: a table for each stage, a row for each category."""
    for stage in dict.fromkeys(row.stage for row in rows):
        some = [row for row in rows if row.stage == stage]
        print_rows(
            ["system", "benchmark", "category", "cases"],
            [line for row in some for line in _divided(row)],
            headings=2,
        )


def _divided(row: Shares) -> Iterator[tuple[str, str, str, str]]:
    """Yield the categories with cases, of one system on one benchmark, largest first."""
    place = row.benchmark.partition("/")[2] or row.benchmark
    for category, count in row.counts.items():
        yield row.system, place, category, f"{count} ({count / row.total:.0%})"
    if row.total > row.decided:
        yield row.system, place, "to be reviewed", str(row.total - row.decided)


def print_rows(columns: Sequence[str], rows: Iterable[Sequence[str]], *, headings: int = 0) -> None:
    """Print rows of text under their headings, with no markup.

    headings  how many of the first columns may become lines of their own if space is short
    """
    out = console()
    out.print()
    _print(out, columns, [tuple(row) for row in rows], 0, headings)
    out.print()


def _print(
    out: Any, columns: Sequence[str], rows: Sequence[tuple[str, ...]], least: int, most: int
) -> None:
    """Print a table, with `least` to `most` of its first columns as lines above their rows.

    If that is too wide, lines are broken between words; then the table is split into several.
    """
    from rich.text import Text

    tries = [(True, leading) for leading in range(least, most + 1)]
    most = max(most, 1)
    tries += [(False, leading) for leading in range(least, most + 1)]
    for whole, leading in tries:
        rest = [row[leading:] for row in rows]
        widths = _widths(columns[leading:], rest, out.width, whole=whole)
        if widths:
            break
    if not widths and len(columns) - most > 1:
        cut = (most + len(columns) + 1) // 2
        for some in (slice(most, cut), slice(cut, None)):
            lines = [(*row[:most], *row[some]) for row in rows]
            _print(out, (*columns[:most], *columns[some]), lines, most, most)
        return
    groups: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for row in rows:
        groups.setdefault(row[:leading], []).append(row[leading:])
    for number, (heading, some_rows) in enumerate(groups.items()):
        if heading:
            out.print(Text(", ".join(filter(None, heading)), style="bold"))
        out.print(_table(columns[leading:], some_rows, widths, head=number == 0))


_GAP = 2
"""Characters between two columns."""


def _widths(
    columns: Sequence[str], rows: Sequence[Sequence[str]], room: int, *, whole: bool
) -> list[int]:
    """Return column widths that break no word (`whole`: no line), or an empty list if none fit."""
    from rich.cells import cell_len

    cells = [[head, *rest] for head, *rest in zip(columns, *rows, strict=True)]
    lines = [max(cell_len(x) for each in cell for x in each.split("\n")) for cell in cells]
    words = [max(cell_len(x) for each in cell for x in re.split("[ \n]", each)) for cell in cells]
    widths = list(lines if whole else words)
    spare = room - sum(widths) - _GAP * (len(widths) - 1)
    for _ in range(
        min(spare, sum(lines) - sum(widths))
    ):  # spare room goes to the column that breaks most lines
        widths[max(range(len(widths)), key=lambda place: lines[place] / (widths[place] or 1))] += 1
    return widths if spare >= 0 else []


def _table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[int], *, head: bool
) -> Any:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), show_header=head
    )
    for place, column in enumerate(columns):
        figures = all(row[place][:1] in "0123456789+-−–" for row in rows)
        table.add_column(
            Text(column),
            justify="right" if figures else "left",
            overflow="fold",
            width=widths[place] if widths else None,
        )
    for row in rows:
        table.add_row(*map(Text, row))
    return table


_NAME = 30


def print_groups(rows: Iterable[tuple[str, str, str, str]]) -> None:
    """Print (group, name, about, terms) under a heading for each group, terms below about."""
    from rich.table import Table
    from rich.text import Text

    out = console()
    groups: dict[str, list[tuple[str, str, str]]] = {}
    for group, *rest in rows:
        groups.setdefault(group, []).append((rest[0], rest[1], rest[2]))
    for group, members in groups.items():
        out.print(Text(f"\n{group}", style="bold"))
        for name, about, terms in members:
            long = len(name) > _NAME
            if long:
                out.print(Text(name))
            table = Table.grid(padding=(0, 2))
            table.add_column(width=_NAME)
            table.add_column()
            below = Text.assemble(about, (f"\n{terms}", "dim") if terms else "")
            table.add_row(Text("" if long else name), below)
            out.print(table)
