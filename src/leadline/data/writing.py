"""Write files and folders atomically, and make safe names for them."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from leadline.data.locks import LOCKS_FOLDERS, hold, lock, make, sweep
from leadline.errors import InputError

# Errors of a write that are not errors in the code.
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS}
_LONGEST_NAME = 200
_LIKE_DIGITS = re.compile(r"-[0-9a-f]{8}$")


@contextmanager
def atomic_file(path: str | Path, mode: str = "w") -> Iterator[IO[Any]]:
    """Yield a handle to a new file that gets the name `path` only if the block succeeds.

    Text is UTF-8 with line feeds. Missing parent folders are created, and an existing file is
    replaced. Unfinished files of killed processes in the folder are removed.

    mode  `"w"` for text, `"wb"` for bytes

    Raises InputError if the file cannot be written, or text has half a surrogate pair.
    """
    if mode not in ("w", "wb"):
        raise ValueError(f"mode must be 'w' or 'wb', got {mode!r}.")
    path = Path(path)
    with _as_input_error(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        sweep(path.parent)
        handle, temporary = _new_file(path, mode)
    # The lock lasts until the file has its name. Windows cannot rename an open file.
    kept = os.dup(handle.fileno()) if LOCKS_FOLDERS else None
    try:
        with _as_input_error(path, inside_block=True), handle:
            yield handle
        with _as_input_error(path):
            temporary.replace(path)
    finally:
        with suppress(OSError):
            temporary.unlink()
        if kept is not None:
            os.close(kept)


@contextmanager
def atomic_folder(path: str | Path) -> Iterator[Path]:
    """Yield an empty folder that gets the name `path` only if the block succeeds.

    If another process has created `path` by then, that one is kept. Raises InputError if the folder
    cannot be written.
    """
    path = Path(path)
    with _as_input_error(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        sweep(path.parent)
        kept, temporary = _new_folder(path)
    try:
        with _as_input_error(path, inside_block=True):
            yield temporary
        with _as_input_error(path):
            _settle(temporary, path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
        if kept is not None:
            os.close(kept)


def set_aside(path: Path) -> None:
    """Remove a folder that may be in use: rename it first, then remove its content."""
    aside = _temporary_name(path)
    with suppress(OSError):
        path.rename(aside)
    shutil.rmtree(aside, ignore_errors=True)


def output_folder(path: str | Path) -> Path:
    """Return the output folder of a run, created if needed and locked against other runs.

    The lock lasts until the `holding` around the run ends. Raises InputError if the path is a file,
    the folder cannot be created, or another run has the lock.
    """
    path = made_folder(path)
    with _as_input_error(path):
        hold(path)
        sweep(path)
    return path


def made_folder(path: str | Path) -> Path:
    """Return the folder, created with its parents if needed.

    Raises InputError if the path is a file or the folder cannot be created.
    """
    path = Path(path)
    if path.exists() and not path.is_dir():
        raise InputError(f"{path} is a file, not a folder. Choose another --out folder.")
    with _as_input_error(path):
        make(path)
    return path


def remove_file(path: str | Path) -> None:
    """Remove a file, if it exists. Raises InputError if the system refuses."""
    with _as_input_error(Path(path)):
        Path(path).unlink(missing_ok=True)


def file_name(name: str) -> str:
    """Return a unique file name for any name.

    Every run of characters outside `A-Za-z0-9._-` becomes one `-`. If that changed anything, `-`
    and eight hex digits of the SHA-256 of the name follow. The digits also follow a name with
    capitals (some disks ignore case), with such an end, with only dots or nothing, and one that is
    too long.
    """
    safe = re.sub(r"[^A-Za-z0-9._-]+", "-", name)
    plain = safe == name == name.lower() and not _LIKE_DIGITS.search(name)
    if plain and safe.strip(".") and len(safe) <= _LONGEST_NAME:
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{safe[:_LONGEST_NAME]}-{digest[:8]}"


def cannot_write(path: str | Path, error: OSError) -> InputError:
    """Return the error for a `path` that the system refuses to write."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        way_out = "Free some space or choose another --out folder."
    elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        way_out = "Choose an --out folder that you may write to."
    elif error.errno in (errno.EEXIST, errno.ENOTDIR):
        return InputError(
            f"Cannot write {path}: a file has the name of a needed folder. Choose another --out "
            "folder."
        )
    else:
        way_out = "Choose another --out folder."
    return InputError(f"Cannot write {path}: {error.strerror or error}. {way_out}")


@contextmanager
def _as_input_error(path: Path, *, inside_block: bool = False) -> Iterator[None]:
    """Turn file system errors of writing into InputError."""
    try:
        yield
    except OSError as error:
        if inside_block and error.errno not in _FULL:
            raise
        raise cannot_write(path, error) from error
    except UnicodeEncodeError as error:
        if not inside_block or error.encoding != "utf-8":
            raise
        raise InputError(
            f"Cannot write {path}: a text has half of a surrogate pair "
            f"({error.object[error.start : error.end]!a}), which is not valid Unicode."
        ) from error


def _new_file(path: Path, mode: str) -> tuple[IO[Any], Path]:
    """Open a locked temporary file next to `path`."""
    text = {} if "b" in mode else {"encoding": "utf-8", "newline": "\n"}
    while True:
        temporary = _temporary_name(path)
        handle = temporary.open(mode.replace("w", "x"), **text)  # type: ignore[call-overload]
        if not LOCKS_FOLDERS or lock(handle.fileno(), temporary):
            return handle, temporary
        handle.close()


def _new_folder(path: Path) -> tuple[int | None, Path]:
    """Make and open a locked temporary folder next to `path`."""
    while True:
        temporary = _temporary_name(path)
        temporary.mkdir()
        if not LOCKS_FOLDERS:
            return None, temporary
        with suppress(FileNotFoundError):  # another process removed it before it was locked
            handle = os.open(temporary, os.O_RDONLY | os.O_CLOEXEC)
            if lock(handle, temporary):
                return handle, temporary
            os.close(handle)


def _temporary_name(path: Path) -> Path:
    return path.parent / f".{path.name[:_LONGEST_NAME]}.{secrets.token_hex(4)}.part"


def _settle(temporary: Path, path: Path) -> None:
    try:
        temporary.rename(path)
    except OSError:
        if not path.is_dir():
            raise
