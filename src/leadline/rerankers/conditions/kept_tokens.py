"""Token vectors of texts on disk, so that a sentence is read once for all runs."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

MOST = 100_000
"""Texts that are kept, about 7 kB each; what comes later is computed anew by each run."""

_AT_ONCE = 500
_DIGEST = 8
_WAIT = 20.0  # seconds for another process that writes


class Tokens(NamedTuple):
    """float16 [n, d] of length 1, and float32 [n]: how much each counts on either side."""

    vectors: Any
    asking: Any
    saying: Any


@dataclass(frozen=True)
class KeptTokens:
    """A database of texts by their digests.

    A database that cannot be opened, is broken or busy keeps nothing: tokens are computed then. So
    are those of a text whose digest does not fit, which are then written anew.

    path  of a file for one encoder with one set of weights
    """

    path: Path

    def known(self, texts: Iterable[str]) -> dict[str, Tokens]:
        """Return the tokens of the texts that are kept."""
        found: dict[str, Tokens] = {}
        rest = iter(texts)
        try:
            with closing(self._opened()) as database:
                while some := list(islice(rest, _AT_ONCE)):
                    found |= _read(database, some)
        except (sqlite3.Error, OSError, ValueError):
            return found
        return found

    def keep(self, tokens: Mapping[str, Tokens]) -> None:
        """Write tokens of new texts, all or none."""
        try:
            with closing(self._opened()) as database, database:
                [(held,)] = database.execute("SELECT COUNT(*) FROM tokens")
                room = max(0, MOST - held)
                rows = islice(_rows(tokens), room)
                database.executemany("INSERT OR REPLACE INTO tokens VALUES (?, ?, ?)", rows)
        except (sqlite3.Error, OSError):
            return

    def _opened(self) -> sqlite3.Connection:
        database = sqlite3.connect(self.path, timeout=_WAIT)
        database.execute(
            "CREATE TABLE IF NOT EXISTS tokens (text BLOB PRIMARY KEY, size INTEGER, held BLOB) "
            "WITHOUT ROWID"
        )
        return database


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _rows(tokens: Mapping[str, Tokens]) -> Iterator[tuple[bytes, int, bytes]]:
    for text, (vectors, asking, saying) in tokens.items():
        held = b"".join(
            (
                np.asarray(vectors, "<f2").tobytes(),
                np.asarray(asking, "<f4").tobytes(),
                np.asarray(saying, "<f4").tobytes(),
            )
        )
        key, size = _key(text), len(asking)
        yield key, size, _digest(key, size, held) + held


def _read(database: sqlite3.Connection, texts: Sequence[str]) -> dict[str, Tokens]:
    keys = {_key(text): text for text in texts}
    marks = ", ".join("?" * len(keys))
    rows = database.execute(f"SELECT text, size, held FROM tokens WHERE text IN ({marks})", [*keys])
    return {
        keys[key]: _tokens(size, held[_DIGEST:])
        for key, size, held in rows
        if held[:_DIGEST] == _digest(key, size, held[_DIGEST:])
    }


def _digest(key: bytes, size: int, held: bytes) -> bytes:
    return hashlib.blake2b(b"%d " % size + held, digest_size=_DIGEST, key=key).digest()


def _tokens(size: int, held: bytes) -> Tokens:
    """Return what a row holds. Raises ValueError for one of another size."""
    numbers = 2 * 4 * size
    vectors = np.frombuffer(held[:-numbers], "<f2").reshape(size, -1)
    asking, saying = np.frombuffer(held[-numbers:], "<f4").reshape(2, size)
    return Tokens(vectors, asking, saying)
