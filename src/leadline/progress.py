"""Progress of slow steps on standard error: bars in a terminal, lines in a log.

The command line turns it on. A library user sees nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from threading import Event, Thread
from typing import Any, TypeVar

T = TypeVar("T")

EVERY = 30.0
"""Seconds between two lines about a step, if bars cannot be drawn."""

_live: Any = None
_warns = False
_joint: _Joint | None = None


@dataclass
class _Joint:
    """One bar for several passes. The first pass creates its task."""

    total: int
    task: Any = None

    def reach(self, place: int) -> None:
        """Set how many steps are done."""
        if self.task is not None:
            _live.update(self.task, completed=place)


@contextmanager
def shown(quiet: bool = False) -> Iterator[None]:
    """Show warnings and, unless `quiet`, the progress of everything that runs in the block.

    Outside a terminal it prints lines, and turns off the bars of Hugging Face's libraries.
    """
    global _live, _warns
    if _live is not None or _warns:
        yield
        return
    _warns = True
    lines = not sys.stderr.isatty()
    if quiet or lines:
        os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    if quiet:
        try:
            yield
        finally:
            _warns = False
        return
    _live = _bars(disable=lines)
    over = Event()
    if lines:
        Thread(target=_tell, args=(_live, over), daemon=True).start()
    try:
        with _live:
            yield
    finally:
        over.set()
        _live, _warns = None, False


def track(
    items: Iterable[T],
    label: str,
    total: int | None = None,
    step: int | Callable[[T], int] = 1,
    note: Callable[[], str] = str,
) -> Iterator[T]:
    """Yield the items, and move a bar on by `step` after each.

    total   number of steps; by default len(items) * step
    step    steps of each item, or a function of the item
    note    returns the text after the bar, called after each item
    """
    live = _live
    if live is None:
        yield from items
        return
    if total is None and isinstance(items, Sized) and not callable(step):
        total = len(items) * step
    joint = _joint
    if joint is None:
        task = live.add_task(label, total=total, note="")
    elif joint.task is None:
        task = joint.task = live.add_task(label, total=joint.total, note="")
    else:
        task = joint.task
    try:
        for item in items:
            yield item
            live.update(task, advance=step(item) if callable(step) else step, note=note())
        if total is not None and joint is None:
            live.update(task, completed=total)
    finally:
        if joint is None:
            live.stop_task(task)


@contextmanager
def together(total: int) -> Iterator[Callable[[int], None]]:
    """Draw one bar over `total` steps for all passes that are tracked inside the block.

    Yields a function that sets the number of finished steps, for passes that skip some.
    """
    global _joint
    before, _joint = _joint, _Joint(total)
    try:
        yield _joint.reach
    finally:
        if _live is not None and _joint.task is not None:
            _live.stop_task(_joint.task)
        _joint = before


def warn(text: str) -> None:
    """Print a line on standard error inside a `shown` block, even a quiet one."""
    if _live is not None:
        say(text)
    elif _warns:
        print(text, file=sys.stderr)  # noqa: T201


def say(text: str) -> None:
    """Print a line above the bars, if they are shown and the line is not empty."""
    if _live is not None and text:
        _live.console.print(text)


def console(*, stderr: bool = False) -> Any:
    """Return a console that prints texts as they are, without markup or emoji."""
    from rich.console import Console

    return Console(stderr=stderr, markup=False, emoji=False, highlight=False)


def _tell(bars: Any, over: Event) -> None:
    """Print a line about each slow step from time to time, until `over`."""
    told: dict[int, float] = {}
    while not over.wait(min(1.0, EVERY)):
        for task in bars.tasks:
            now = task.get_time()
            running = task.stop_time is None and not task.finished
            if running and now - told.get(task.id, task.start_time) >= EVERY:
                told[task.id] = now
                bars.console.print(_line(task), soft_wrap=True)


def _line(task: Any) -> str:
    """Return the label, the steps done, the time taken, and an estimate of the time left."""
    of, left = "", ""
    if task.total:
        of = f"/{task.total:,.0f}"
        if task.completed:
            rest = task.elapsed * (task.total / task.completed - 1)
            left = f", about {timedelta(seconds=round(rest))} left"
    taken = timedelta(seconds=round(task.elapsed))
    note = f" ({task.fields['note']})" if task.fields["note"] else ""
    return f"{task.description}: {task.completed:,.0f}{of}, {taken} so far{left}{note}"


def _bars(*, disable: bool = False) -> Any:
    """Return bars with a rate and an estimated time left that updates during long steps."""
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
        disable=disable,
    )
