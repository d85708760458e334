"""What folders of appended vectors share: keys by text, digests, locks, safe writes.

Beside the vectors lies `sums`, a digest of each entry. An entry that was altered is left where it
is and made anew behind the others; what a killed process left unfinished is cut off.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from leadline.data.holding import take
from leadline.data.writing import atomic_file
from leadline.errors import InputError

KEY = 16
"""Bytes of a key."""


def key_of(text: str, kind: str) -> bytes:
    """Return the key of a text; `kind` keeps queries apart from documents."""
    content = f"{kind}\0{text}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(content, digest_size=KEY).digest()


SUM = 8
"""Bytes of a digest."""


def sum_of(key: bytes, content: Any) -> bytes:
    """Return the digest of what is kept for a key, which tells whether it was altered since."""
    return hashlib.blake2b(content, digest_size=SUM, key=key).digest()


def read_about(folder: Path) -> dict[str, Any]:
    """Return what is noted of the vectors of a folder, empty while there are none.

    Raises InputError when it cannot be read.
    """
    path = folder / "about.json"
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
        return {**about, "dimension": int(about["dimension"])}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise InputError(f"{path} is damaged. Delete {folder} to start anew.") from error


class Sums:
    """The digests beside the entries of a folder, and which entries were compared with theirs."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "sums"
        self._sums = b""
        self._compared = bytearray()

    def is_behind(self, count: int) -> bool:
        """Tell whether there are entries whose digests were not taken up yet."""
        return len(self._sums) < count * SUM

    def refresh(self, count: int, entry: Callable[[int], tuple[bytes, Any]]) -> None:
        """Take up the digests of `count` entries, with other processes locked out.

        entry  number -> key and content, for a store of an earlier version, which has no digests
        """
        if self.is_behind(count):
            kept = self._path.read_bytes() if self._path.exists() else b""
            known = min(len(kept) // SUM, count)
            fresh = b"".join(sum_of(*entry(number)) for number in range(known, count))
            if fresh:
                write_at(self._path, known * SUM, fresh)
            self._sums = kept[: known * SUM] + fresh
        self._compared.extend(bytes(count - len(self._compared)))

    def fits(self, number: int, key: bytes, content: Callable[[], Any]) -> bool:
        """Tell whether an entry is as it was written; it is read once."""
        if not self._compared[number]:
            kept = self._sums[number * SUM : (number + 1) * SUM]
            self._compared[number] = kept == sum_of(key, content())
        return bool(self._compared[number])

    def append(self, count: int, entries: Iterable[tuple[bytes, Any]]) -> None:
        """Write the digests of new entries behind those of `count`."""
        write_at(self._path, count * SUM, b"".join(sum_of(*each) for each in entries))


def write_at(path: Path, size: int, content: Any) -> None:
    """Append to a file of which `size` bytes are good, cutting off the rest."""
    with path.open("ab") as handle:
        handle.truncate(size)
        handle.write(content)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other processes from writing; the system lets go when the process ends."""
    with (folder / "lock").open("w") as handle:
        with suppress(OSError):  # a file system that knows no locks
            take(handle.fileno(), wait=True)
        yield


def note(folder: Path, known: int, dimension: int, about: Callable[[], dict[str, Any]]) -> None:
    """Write what the vectors are into `about.json`, before the first of them.

    known  the dimension noted so far, 0 for none

    Raises InputError when the dimension is another one now.
    """
    if known and known != dimension:
        raise InputError(
            f"The vectors in {folder} have {known} dimensions and the model now gives "
            f"{dimension}. Delete that folder to start anew."
        )
    if not known:
        with atomic_file(folder / "about.json") as handle:
            json.dump({"dimension": dimension, **about()}, handle, indent=1, sort_keys=True)
