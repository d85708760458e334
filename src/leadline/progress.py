"""Progress bars on standard error, for whatever takes more than a moment.

Off until the command line turns them on, so that a library user sees nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")

_live: Any = None
_warns = False


@contextmanager
def shown(quiet: bool = False) -> Iterator[None]:
    """Show the bars of everything that runs inside the block, unless `quiet`, and warnings."""
    global _live, _warns
    if _live is not None or _warns:
        yield
        return
    _warns = True
    if quiet:
        try:
            yield
        finally:
            _warns = False
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    _live = Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=28),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
        console=Console(stderr=True),
        transient=True,
    )
    try:
        with _live:
            yield
    finally:
        _live, _warns = None, False


def track(
    items: Iterable[T],
    label: str,
    total: int | None = None,
    step: int = 1,
    note: Callable[[], str] = str,
) -> Iterator[T]:
    """Yield the items, moving a bar on by `step` after each.

    total   number of steps; taken from len(items) * step when the items have a length
    note    what stands behind the bar, asked for after each item
    """
    if _live is None:
        yield from items
        return
    if total is None and isinstance(items, Sized):
        total = len(items) * step
    task = _live.add_task(label, total=total, note="")
    for item in items:
        yield item
        _live.update(task, advance=step, note=note())
    if total is not None:
        _live.update(task, completed=total)


def warn(text: str) -> None:
    """Print a line on standard error inside a block that shows bars, also a quiet one."""
    if _live is not None:
        say(text)
    elif _warns:
        print(text, file=sys.stderr)  # noqa: T201


def say(text: str) -> None:
    """Print a line above the bars, when they are shown."""
    if _live is not None:
        _live.console.print(text, markup=False, highlight=False)
