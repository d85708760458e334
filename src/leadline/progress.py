"""Progress bars on standard error, for whatever takes more than a moment.

Off until the command line turns them on, so that a library user sees nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

T = TypeVar("T")

_live: Any = None
_warns = False
_joint: _Joint | None = None


@dataclass
class _Joint:
    """One bar for several passes; its task is made by the first of them."""

    total: int
    task: Any = None

    def reach(self, place: int) -> None:
        """Set how many of the steps are done."""
        if self.task is not None:
            _live.update(self.task, completed=place)


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
    _live = _bars()
    try:
        with _live:
            yield
    finally:
        _live, _warns = None, False


def track(
    items: Iterable[T],
    label: str,
    total: int | None = None,
    step: int | Callable[[T], int] = 1,
    note: Callable[[], str] = str,
) -> Iterator[T]:
    """Yield the items, moving a bar on by `step` after each.

    total   number of steps; taken from len(items) * step when the items have a length
    step    steps of each item, or a function of the item
    note    what stands behind the bar, asked for after each item
    """
    if _live is None:
        yield from items
        return
    if total is None and isinstance(items, Sized) and not callable(step):
        total = len(items) * step
    joint = _joint
    if joint is None:
        task = _live.add_task(label, total=total, note="")
    elif joint.task is None:
        task = joint.task = _live.add_task(label, total=joint.total, note="")
    else:
        task = joint.task
    for item in items:
        yield item
        _live.update(task, advance=step(item) if callable(step) else step, note=note())
    if total is not None and joint is None:
        _live.update(task, completed=total)


@contextmanager
def together(total: int) -> Iterator[Callable[[int], None]]:
    """Draw what is tracked inside the block, pass after pass, as one bar over `total` steps.

    Yields a function that sets how many steps are done, for passes that had less to do.
    """
    global _joint
    before, _joint = _joint, _Joint(total)
    try:
        yield _joint.reach
    finally:
        _joint = before


def warn(text: str) -> None:
    """Print a line on standard error inside a block that shows bars, also a quiet one."""
    if _live is not None:
        say(text)
    elif _warns:
        print(text, file=sys.stderr)  # noqa: T201


def say(text: str) -> None:
    """Print a line above the bars, when they are shown; nothing for an empty one."""
    if _live is not None and text:
        _live.console.print(text)


def console(*, stderr: bool = False) -> Any:
    """Return what prints texts as they are: no part of a name becomes markup or an emoji."""
    from rich.console import Console

    return Console(stderr=stderr, markup=False, emoji=False, highlight=False)


def _bars() -> Any:
    """Return bars with a rate, and a time to go that also moves while a long step is under way."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeElapsedColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        max_refresh = 0.5

        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.3g}/s" if task.speed else "", style="progress.data.speed")

    class Remaining(ProgressColumn):
        max_refresh = 0.5

        def __init__(self) -> None:
            self._known: dict[int, tuple[float, float]] = {}
            super().__init__()

        def render(self, task: Task) -> Text:
            if not task.speed or task.remaining is None:
                return Text("-:--:--", style="progress.remaining")
            estimate, now = task.remaining / task.speed, task.get_time()
            known, since = self._known.get(task.id, (-1.0, now))
            if estimate != known:
                self._known[task.id], since = (estimate, now), now
            left = max(0.0, estimate - (now - since))
            return Text(str(timedelta(seconds=round(left))), style="progress.remaining")

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=28),
        MofNCompleteColumn(),
        Rate(),
        TimeElapsedColumn(),
        Remaining(),
        TextColumn("{task.fields[note]}", markup=False),
        console=console(stderr=True),
        transient=True,
    )
