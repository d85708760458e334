"""Read numbered lines of a file: plain or gzip, UTF-8, with or without a byte order mark."""

from __future__ import annotations

import bz2
import codecs
import errno
import gzip
import io
import os
import shutil
import stat
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any

from leadline.data.limits import LONGEST_LINE, UNPACKED_RATIO, mebibytes, unpacked_limit
from leadline.errors import InputError

_GZIP = b"\x1f\x8b"


def numbered_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """Yield number (from 1) and text of every non-blank line, without its line end.

    Only line feeds end a line, other Unicode separators do not. Raises InputError, which names file
    and line, if the file is missing or not UTF-8.
    """
    path = Path(path)
    with opened(path) as handle:
        for number, _, line in raw_lines(handle, path):
            yield number, decoded(line, path, number).rstrip("\n").removesuffix("\r")


def raw_lines(handle: IO[bytes], path: Path) -> Iterator[tuple[int, int, bytes]]:
    """Yield number, offset in bytes and content of every non-blank line.

    Raises InputError if a line is too long.
    """
    offset = 0
    with _explained(path):
        # Reading stops at the limit, however long the line is.
        lines = iter(partial(handle.readline, LONGEST_LINE + 1), b"")
        for number, line in enumerate(lines, start=1):
            start, offset = offset, offset + len(line)
            if number == 1 and line.startswith(codecs.BOM_UTF8):
                start, line = start + len(codecs.BOM_UTF8), line[len(codecs.BOM_UTF8) :]
            if number == 1 and line.startswith(_GZIP):
                raise InputError(f"{path} is compressed with gzip. Rename it to {path.name}.gz.")
            if len(line) > LONGEST_LINE:
                raise too_long(path, number)
            if line and not line.isspace():
                yield number, start, line


def too_long(path: Path, number: int) -> InputError:
    """Return the error for a line beyond the limit."""
    return InputError(
        f"{path}:{number}: the line is longer than {mebibytes(LONGEST_LINE)}. Put each record on "
        "its own line, and cut documents that are longer."
    )


def decoded(line: bytes, path: Path, number: int) -> str:
    """Return a line as text. Raises InputError, which names file and line."""
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}:{number}: not UTF-8 (byte 0x{line[error.start]:02x} at column "
            f"{error.start + 1}). Save the file as UTF-8, or check that it is text."
        ) from error


def opened(path: Path) -> IO[bytes]:
    """Open a file for reading bytes, and unpack `.gz` and `.bz2`.

    Raises InputError if it is not a regular file, such as a pipe, which might block.
    """
    with _explained(path):
        size = checked_file(path).st_size
        if path.suffix not in (".gz", ".bz2"):
            return path.open("rb")
        return io.BufferedReader(_Unpacked(path, size), 1 << 17)


def checked_file(path: Path) -> os.stat_result:
    """Return the file status before reading.

    Raises InputError if it is not a regular file, such as a pipe, which might block, and OSError if
    it does not exist.
    """
    status = path.stat()
    if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
        raise InputError(
            f"{path} is a pipe, a device or a socket, not a file. Write its content to a file "
            "first."
        )
    return status


class _Unpacked(io.RawIOBase):
    """The content of a packed file, up to the most that a file of its size plausibly has."""

    def __init__(self, path: Path, size: int) -> None:
        super().__init__()
        self._path = path
        self._left = unpacked_limit(size)
        self._packed = (bz2 if path.suffix == ".bz2" else gzip).open(path)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count: int = self._packed.readinto(buffer)
        self._left -= count
        if self._left < 0:
            raise InputError(
                f"{self._path} unpacks to more than {UNPACKED_RATIO} times its size, which text "
                "never does. If you trust it, unpack it yourself: gunzip -k FILE."
            )
        return count

    def close(self) -> None:
        self._packed.close()
        super().close()


def unpacked(path: Path) -> IO[bytes]:
    """Open a file for reading at any offset. `.gz` is unpacked once to a temporary file."""
    if path.suffix != ".gz":
        return opened(path)
    temporary = tempfile.TemporaryFile()  # noqa: SIM115 (the caller closes it)
    try:
        with _explained(path), opened(path) as packed:
            shutil.copyfileobj(packed, temporary, 1 << 20)
    except BaseException:
        temporary.close()
        raise
    temporary.seek(0)
    return temporary


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise InputError(f"There is no file {path}.") from error
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(
            f"{path} is not a complete gzip file ({error}). Download it again, or rename it if it "
            "is not compressed."
        ) from error
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        way_out = (
            " It is unpacked to a temporary file. Set TMPDIR to a folder on a larger disk." * full
        )
        raise InputError(f"Cannot read {path}: {error.strerror or error}.{way_out}") from error
