"""Folders that one run writes into, and what a killed one left: locks that end with a process.

Windows locks no folder. There a run keeps no other one out, and removes nothing for a killed one.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from leadline.errors import InputError

try:
    import fcntl
except ImportError:
    LOCKS_FOLDERS = False
else:
    LOCKS_FOLDERS = True

_UNFINISHED = re.compile(r"\..*\.[0-9a-f]{8}\.part", re.DOTALL)
_PAUSE = 0.05

_held: dict[tuple[int, int], int] = {}
_swept: set[str] = set()
_made: list[Path] = []


@contextmanager
def holding() -> Iterator[None]:
    """Let go at the end of what `hold` took inside the block; a decorator, too.

    Folders made inside it that nothing was written into are removed.
    """
    before, made = set(_held), len(_made)
    try:
        yield
    finally:
        while len(_made) > made:
            with suppress(OSError):  # something is in it
                _made.pop().rmdir()
        for key in _held.keys() - before:
            os.close(_held.pop(key))


def make(folder: Path) -> None:
    """Make a folder with its parents where it is missing, to be removed if it stays empty."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    _made.extend(reversed(missing))


def hold(folder: Path) -> None:
    """Keep other processes from holding a folder, until `holding` or this process ends.

    Where the file system knows no locks, nothing is kept from anybody.
    Raises InputError when another process holds it.
    """
    if not LOCKS_FOLDERS:
        return
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    key = _which(handle)
    if key in _held:
        os.close(handle)
        return
    try:
        take(handle, wait=False)
    except BlockingIOError as error:
        os.close(handle)
        raise InputError(
            f"Another run is writing into {folder}. Wait until it has ended, or choose another "
            "--out folder."
        ) from error
    except OSError:
        os.close(handle)
        return
    _held[key] = handle


def take(handle: int, *, wait: bool) -> None:
    """Lock what a handle is open for, until the handle and its copies are closed.

    wait  until no other process has it

    Raises BlockingIOError when another process has it, another OSError when the system knows no
    locks.
    """
    if LOCKS_FOLDERS:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        return
    try:
        windows: Any = import_module("msvcrt")
    except ImportError:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK)) from None
    while True:
        try:
            windows.locking(handle, windows.LK_NBLCK, 1)
        except PermissionError as error:
            if not wait:
                raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN)) from error
            time.sleep(_PAUSE)
        else:
            return


def lock(handle: int, path: Path) -> bool:
    """Lock what was just made at a path until the handle and its copies are closed.

    Returns whether it is still there: `sweep` of another process may have come before.
    """
    with suppress(OSError):
        take(handle, wait=True)
    try:
        there = path.lstat()
    except OSError:
        return False
    return (there.st_dev, there.st_ino) == _which(handle)


def sweep(folder: Path) -> None:
    """Remove what processes that died left unfinished in a folder; once in a process."""
    name = os.path.abspath(folder)  # noqa: PTH100 (links stay)
    if name in _swept or not LOCKS_FOLDERS:
        return
    _swept.add(name)
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _UNFINISHED.fullmatch(entry.name):
                _remove_if_left(Path(entry.path))


def _remove_if_left(path: Path) -> None:
    """Remove a file or folder whose writer is gone, and with it the lock."""
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            take(handle, wait=False)
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()
        finally:
            os.close(handle)


def _which(handle: int) -> tuple[int, int]:
    about = os.fstat(handle)
    return about.st_dev, about.st_ino
