"""Files and folders that are there whole or not at all, and names that are safe for them."""

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

# What a write inside the block can meet through no fault of the code that runs there.
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS}
_LONGEST_NAME = 200
_LIKE_DIGITS = re.compile(r"-[0-9a-f]{8}$")


@contextmanager
def atomic_file(path: str | Path, mode: str = "w") -> Iterator[IO[Any]]:
    """Yield a handle whose content takes the name `path` only when the block ends well.

    Text is UTF-8 with line feeds. Missing parent folders are made; an existing file is
    replaced. What a killed process left unfinished in the folder is removed.

    mode  `"w"` for text, `"wb"` for bytes

    Raises InputError when the file cannot be written, or text holds half a surrogate pair.
    """
    if mode not in ("w", "wb"):
        raise ValueError(f"mode must be 'w' or 'wb', got {mode!r}.")
    path = Path(path)
    with _as_input_error(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        sweep(path.parent)
        handle, temporary = _new_file(path, mode)
    # The lock lasts until the file has its name; Windows renames no open file.
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
    """Yield an empty folder that takes the name `path` only when the block ends well.

    When `path` is there by then (another process was quicker), that one is kept.
    Raises InputError when the folder cannot be written.
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
    """Remove a folder that may be in use elsewhere: at once from its name, then its content."""
    aside = _temporary_name(path)
    with suppress(OSError):
        path.rename(aside)
    shutil.rmtree(aside, ignore_errors=True)


def output_folder(path: str | Path) -> Path:
    """Return the folder of a run, made where it is missing, which other runs are kept out of.

    It is kept until the `holding` around the run ends.

    Raises InputError when a file stands there, the folder cannot be made, or another run holds it.
    """
    path = made_folder(path)
    with _as_input_error(path):
        hold(path)
        sweep(path)
    return path


def made_folder(path: str | Path) -> Path:
    """Return the folder, made with its parents where it is missing.

    Raises InputError when a file stands there or the folder cannot be made.
    """
    path = Path(path)
    if path.exists() and not path.is_dir():
        raise InputError(f"{path} is a file, not a folder. Choose another --out folder.")
    with _as_input_error(path):
        make(path)
    return path


def remove_file(path: str | Path) -> None:
    """Remove a file, which need not be there. Raises InputError when the system refuses."""
    with _as_input_error(Path(path)):
        Path(path).unlink(missing_ok=True)


def file_name(name: str) -> str:
    """Return a file name for any name, the same for the same name and different for others.

    Every run of characters outside `A-Za-z0-9._-` becomes one `-`; if that changed anything,
    `-` and eight hex digits of the SHA-256 of the full name follow. The digits also follow a
    name with capitals, which some disks do not tell from small letters, one that ends like such
    digits, one that means something to the file system (empty, or dots only), and one that is
    too long for it.
    """
    safe = re.sub(r"[^A-Za-z0-9._-]+", "-", name)
    plain = safe == name == name.lower() and not _LIKE_DIGITS.search(name)
    if plain and safe.strip(".") and len(safe) <= _LONGEST_NAME:
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{safe[:_LONGEST_NAME]}-{digest[:8]}"


def cannot_write(path: str | Path, error: OSError) -> InputError:
    """Return what a user is told when the system refuses to write `path`."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        way_out = "Free some space or choose another --out folder."
    elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        way_out = "Choose an --out folder that you may write to."
    elif error.errno in (errno.EEXIST, errno.ENOTDIR):
        return InputError(
            f"Cannot write {path}: a file stands where a folder is needed. "
            "Choose another --out folder."
        )
    else:
        way_out = "Choose another --out folder."
    return InputError(f"Cannot write {path}: {error.strerror or error}. {way_out}")


@contextmanager
def _as_input_error(path: Path, *, inside_block: bool = False) -> Iterator[None]:
    """Turn errors of the file system into InputError.

    Inside the caller's block only those that writing itself causes are ours to explain.
    """
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
            f"Cannot write {path}: a text holds half of a surrogate pair "
            f"({error.object[error.start : error.end]!a}), which is not valid Unicode."
        ) from error


def _new_file(path: Path, mode: str) -> tuple[IO[Any], Path]:
    """Open a file beside `path` that nobody else takes for left behind."""
    text = {} if "b" in mode else {"encoding": "utf-8", "newline": "\n"}
    while True:
        temporary = _temporary_name(path)
        handle = temporary.open(mode.replace("w", "x"), **text)  # type: ignore[call-overload]
        if not LOCKS_FOLDERS or lock(handle.fileno(), temporary):
            return handle, temporary
        handle.close()


def _new_folder(path: Path) -> tuple[int | None, Path]:
    """Make a folder beside `path` that nobody else takes for left behind, and open it."""
    while True:
        temporary = _temporary_name(path)
        temporary.mkdir()
        if not LOCKS_FOLDERS:
            return None, temporary
        with suppress(FileNotFoundError):  # swept before it was locked
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
