"""Files and folders that are there whole or not at all, and names that are safe for them."""

from __future__ import annotations

import errno
import hashlib
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from leadline.errors import InputError

# What a write inside the block can meet through no fault of the code that runs there.
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS}
_LONGEST_NAME = 200


@contextmanager
def atomic_file(path: str | Path, mode: str = "w") -> Iterator[IO[Any]]:
    """Yield a handle whose content takes the name `path` only when the block ends well.

    Text is UTF-8 with line feeds. Missing parent folders are made; an existing file is
    replaced.

    mode  `"w"` for text, `"wb"` for bytes

    Raises InputError when the file cannot be written, or text holds half a surrogate pair.
    """
    if mode not in ("w", "wb"):
        raise ValueError(f"mode must be 'w' or 'wb', got {mode!r}.")
    path = Path(path)
    temporary = _temporary_name(path)
    text = {} if "b" in mode else {"encoding": "utf-8", "newline": "\n"}
    try:
        with _as_input_error(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle = temporary.open(mode.replace("w", "x"), **text)  # type: ignore[call-overload]
        with _as_input_error(path, inside_block=True), handle:
            yield handle
        with _as_input_error(path):
            temporary.replace(path)
    finally:
        with suppress(OSError):
            temporary.unlink()


@contextmanager
def atomic_folder(path: str | Path) -> Iterator[Path]:
    """Yield an empty folder that takes the name `path` only when the block ends well.

    When `path` is there by then (another process was quicker), that one is kept.
    Raises InputError when the folder cannot be written.
    """
    path = Path(path)
    temporary = _temporary_name(path)
    try:
        with _as_input_error(path):
            temporary.mkdir(parents=True)
        with _as_input_error(path, inside_block=True):
            yield temporary
        with _as_input_error(path):
            _settle(temporary, path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def output_folder(path: str | Path) -> Path:
    """Return the folder, made with its parents where it is missing.

    Raises InputError when a file stands there or the folder cannot be made.
    """
    path = Path(path)
    if path.exists() and not path.is_dir():
        raise InputError(f"{path} is a file, not a folder. Choose another --out folder.")
    with _as_input_error(path):
        path.mkdir(parents=True, exist_ok=True)
    return path


def remove_file(path: str | Path) -> None:
    """Remove a file, which need not be there. Raises InputError when the system refuses."""
    with _as_input_error(Path(path)):
        Path(path).unlink(missing_ok=True)


def file_name(name: str) -> str:
    """Return a file name for any name, the same for the same name and different for others.

    Every run of characters outside `A-Za-z0-9._-` becomes one `-`; if that changed anything,
    `-` and eight hex digits of the SHA-256 of the full name follow. The digits also follow a
    name that means something to the file system (empty, or dots only) or is too long for it.
    """
    safe = re.sub(r"[^A-Za-z0-9._-]+", "-", name)
    if safe == name and safe.strip(".") and len(safe) <= _LONGEST_NAME:
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


def _temporary_name(path: Path) -> Path:
    return path.parent / f".{path.name[:_LONGEST_NAME]}.{secrets.token_hex(4)}.part"


def _settle(temporary: Path, path: Path) -> None:
    try:
        temporary.rename(path)
    except OSError:
        if not path.is_dir():
            raise
