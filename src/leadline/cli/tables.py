"""Tables on standard output."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from leadline.diagnosis.cases import Shares
from leadline.kinds.registry import kind_or_ranking
from leadline.kinds.wording import too_few, weakest_slice
from leadline.report import Mean, Report, failing

_SYSTEM = 16
"""Characters of the name of a system that a narrow terminal shows in one line."""
_INTERVAL = 13
"""Characters of a column in which an interval stands below its mean, with the space around."""


def print_reports(reports: Sequence[Report]) -> None:
    """Print one table for each kind of benchmark, its main metrics with their intervals."""
    from rich.console import Console

    console = Console()
    for kind in dict.fromkeys(report.kind for report in reports):
        some = [report for report in reports if report.kind == kind]
        console.print(_table(kind, some, console.width))
        for note in dict.fromkeys(f"{each.benchmark}: {n}" for each in some for n in each.notes):
            console.print(note, markup=False, highlight=False)
    for report in reports:
        for told in (*_weakest(report), *_to_do(report)):
            text = f"{report.system}, {report.benchmark}: {told}"
            console.print(text, markup=False, highlight=False)
    for report in reports:
        for told in failing(report.asked, report.failures):
            console.print(f"{report.system}: {told}", style="bold", markup=False, highlight=False)
        for reason, count in report.failures.items():
            text = f"{report.system} on {report.benchmark}: {count} failed ({reason})"
            console.print(text, markup=False, highlight=False)


def _weakest(report: Report) -> Iterator[str]:
    """Yield where a system is weakest on what its kind of test shows first, or that topics lack."""
    means = report.means()
    main = next((name for name in kind_or_ranking(report.kind).main if name in means), "")
    if main:
        entries = {name: {"mean": mean.mean, "n": mean.n} for name, mean in means.items()}
        if told := too_few(entries[main]) or weakest_slice(main, entries):
            yield told


def _to_do(report: Report) -> Iterator[str]:
    for cause in report.causes[:3]:
        yield f"{cause.text} ({cause.share:.0%} of cases): {cause.advice}"


def _table(kind: str, reports: Sequence[Report], width: int) -> Any:
    """Return the main metrics of every report; without intervals where they have no room."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    made = " and ".join(sorted({report.built_by for report in reports}))
    every = [report.means() for report in reports]
    names = _shown(kind, every)
    widest = max(len(report.system) for report in reports)
    bounds = min(widest, _SYSTEM) + len(names) * _INTERVAL <= width
    table = Table(
        title=kind if made == "published" else f"{kind} (built by {made})",
        caption="mean, then its 95 % interval" if bounds else "means; the report has intervals",
        title_justify="left",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    table.add_column("system", overflow="fold", min_width=min(widest, _SYSTEM if bounds else 8))
    for name in names:
        table.add_column(
            name, justify="right", overflow="fold"
        )  # an interval may stand below its mean
    places = [report.benchmark.removeprefix(f"{kind}/") for report in reports]
    above = kind if len(set(places)) == 1 else ""
    for place, report, means in zip(places, reports, every, strict=True):
        if place != above:
            table.add_row(Text(place, style="bold"))
            above = place
        mark = " (failing, see below)" if failing(report.asked, report.failures) else ""
        table.add_row(
            Text(report.system + mark), *(_cell(means.get(name), bounds) for name in names)
        )
    return table


def _shown(kind: str, every: Sequence[Mapping[str, Mean]]) -> list[str]:
    """Choose the main metrics that have a value, or all where none of them has one."""
    names = [name for name in kind_or_ranking(kind).main if any(name in means for means in every)]
    return names or list(dict.fromkeys(name for means in every for name in means))


def _cell(mean: Mean | None, with_bounds: bool) -> Any:
    from rich.text import Text

    if mean is None:
        return Text("–")
    if not with_bounds:
        return Text(f"{mean.mean:.3f}")
    bounds = f" {mean.low:.3f}–{mean.high:.3f}".replace(" 0.", " .").replace("–0.", "–.")
    return Text.assemble(f"{mean.mean:.3f}", (bounds, "dim"))


def print_shares(rows: Sequence[Shares]) -> None:
    """Print how errors divide: a table for each stage, a row for each category."""
    for stage in dict.fromkeys(row.stage for row in rows):
        some = [row for row in rows if row.stage == stage]
        print_rows(
            ["system", "benchmark", "category", "cases"],
            [line for row in some for line in _divided(row)],
        )


def _divided(row: Shares) -> Iterator[tuple[str, str, str, str]]:
    """Yield the categories of one system on one benchmark that have cases, the largest first."""
    place = row.benchmark.partition("/")[2] or row.benchmark
    for category, count in sorted(row.counts.items(), key=lambda item: -item[1]):
        if count:
            yield row.system, place, category, f"{count} ({count / row.total:.0%})"
    if row.total > row.decided:
        yield row.system, place, "to be reviewed", str(row.total - row.decided)


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


def print_groups(rows: Iterable[tuple[str, str, str, str]]) -> None:
    """Print (group, name, about, terms) under a heading for each group, terms below about."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    groups: dict[str, list[tuple[str, str, str]]] = {}
    for group, *rest in rows:
        groups.setdefault(group, []).append((rest[0], rest[1], rest[2]))
    for group, members in groups.items():
        console.print(Text(f"\n{group}", style="bold"))
        table = Table.grid(padding=(0, 2))
        table.add_column(width=30, overflow="fold")
        table.add_column()
        for name, about, terms in members:
            below = Text.assemble(about, (f"\n{terms}", "dim") if terms else "")
            table.add_row(Text(name), below)
        console.print(table)
