"""What services were given and have not given back yet, kept so that a killed run is tidied up."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from typing import IO, Any

from leadline.data.cache import cache_folder
from leadline.data.holding import LOCKS_FOLDERS, take

_MARK = re.compile(r"leadline-[0-9a-f]{8}")
_MOST_DOCUMENTS = 10**9
_LARGEST = 1 << 16


@dataclass(frozen=True, slots=True)
class Entry:
    """Documents that a service was given.

    place      address at which they are removed, as it may be told
    mark       what their ids begin with: `{mark}-0`, `{mark}-1`, ...
    documents  how many they are at most
    """

    place: str
    mark: str
    documents: int


@contextmanager
def entered(entry: Entry) -> Iterator[Callable[[], None]]:
    """Keep an entry on disk, locked as long as the process lives; yield what deletes it.

    It stays there where the block ends without that.
    """
    path = cache_folder("lent") / f"{_digest(entry.place)}-{entry.mark}.json"
    # It takes its name when it is locked: nobody takes it for abandoned before.
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    with temporary.open("x", encoding="utf-8") as handle:
        json.dump(asdict(entry), handle)
        handle.flush()
        if not _locked(handle):
            handle.close()  # Windows renames and removes no open file
        temporary.rename(path)
        yield path.unlink


def abandoned(place: str) -> Iterator[tuple[Entry, Callable[[], None]]]:
    """Yield the entries of runs that no longer live, each with what deletes it."""
    for path in sorted(cache_folder("lent").glob(f"{_digest(place)}-*.json")):
        with suppress(FileNotFoundError), path.open(encoding="utf-8") as handle:
            if not _locked(handle) or not path.exists():
                continue
            entry = _read(handle, place)
            if entry is not None:
                yield entry, path.unlink


def _read(handle: IO[str], place: str) -> Entry | None:
    """Return the entry of a file; None where it is none that was written for the place."""
    try:
        content: dict[str, Any] = json.loads(handle.read(_LARGEST))
        entry = Entry(str(content["place"]), str(content["mark"]), int(content["documents"]))
    except (ValueError, KeyError, TypeError):
        return None
    known = entry.place == place and _MARK.fullmatch(entry.mark)
    return entry if known and 0 < entry.documents <= _MOST_DOCUMENTS else None


def _locked(handle: IO[str]) -> bool:
    """Lock a file until it is closed; tell whether that was possible."""
    try:
        take(handle.fileno(), wait=False)
    except OSError:
        return False
    return LOCKS_FOLDERS


def _digest(place: str) -> str:
    return hashlib.blake2b(place.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
