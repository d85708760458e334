"""Lock output folders for one run at a time, and clean up after killed runs.

A lock ends with its process. Windows cannot lock folders, so there this file does nothing.
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
    """Release at its end the folders that `hold` locked inside the block. Also a decorator.

    Folders that were made inside it and stayed empty are removed.
    """
    before, made = set(_held), len(_made)
    try:
        yield
    finally:
        while len(_made) > made:
            with suppress(OSError):  # it is not empty
                _made.pop().rmdir()
        for key in _held.keys() - before:
            os.close(_held.pop(key))


def make(folder: Path) -> None:
    """Make a folder with its parents, to be removed if it stays empty."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    _made.extend(reversed(missing))


def hold(folder: Path) -> None:
    """Lock a folder against other processes, until `holding` or this process ends.

    Does nothing if the file system has no locks. Raises InputError if another process has the lock.
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
            f"Another run is writing into {folder}. Wait until it ends, or choose another --out "
            "folder."
        ) from error
    except OSError:
        os.close(handle)
        return
    _held[key] = handle


def take(handle: int, *, wait: bool) -> None:
    """Lock an open file or folder, until the handle and its copies are closed.

    wait  wait until no other process has the lock

    Raises BlockingIOError if another process has the lock, another OSError if the system has no
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
    """Lock a new file or folder until the handle and its copies are closed.

    Returns whether it still exists: `sweep` of another process may have removed it.
    """
    with suppress(OSError):
        take(handle, wait=True)
    try:
        there = path.lstat()
    except OSError:
        return False
    return (there.st_dev, there.st_ino) == _which(handle)


def sweep(folder: Path) -> None:
    """Remove unfinished files of dead processes from a folder, once in each process."""
    name = os.path.abspath(folder)  # noqa: PTH100 (links stay)
    if name in _swept or not LOCKS_FOLDERS:
        return
    _swept.add(name)
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _UNFINISHED.fullmatch(entry.name):
                _remove_if_left(Path(entry.path))


def _remove_if_left(path: Path) -> None:
    """Remove a file or folder whose writer, and so its lock, is gone."""
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
