"""Texts by key in one SQLite file that many processes share and that outlives a kill."""

from __future__ import annotations

import hashlib
import os
import random
import sqlite3
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from platform import node

from leadline.errors import InputError

_BLOCK = 500
_WRITE = "INSERT OR REPLACE INTO answers (key, value, digest) VALUES (?, ?, ?)"
_PATIENCE = 60.0
_TABLES = (
    "CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, value TEXT, digest BLOB)",
    "CREATE TABLE IF NOT EXISTS leases (key BLOB PRIMARY KEY, owner TEXT, until REAL)",
)
_CLAIM = """
INSERT INTO leases VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE
SET owner = excluded.owner, until = excluded.until
WHERE leases.owner = excluded.owner OR leases.until < ?
"""
LEASE = 300.0
"""Seconds for which a process keeps to itself what it asks, unless it dies before."""


class Store:
    """A table of texts. Each is there for good when `write` returns, whatever becomes of us.

    A text that was altered since, which its digest tells, counts as one that is not there.
    """

    def __init__(self, path: Path) -> None:
        """Remember the file; it is opened, and made where it is missing, on first use."""
        self.path = path
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._process = 0
        self._claimed: set[bytes] = set()

    def read(self, keys: Sequence[bytes]) -> dict[bytes, str]:
        """Return the texts that are there and whole.

        Raises InputError when the file cannot be read.
        """
        found: dict[bytes, str] = {}
        with self._lock:
            try:
                for start in range(0, len(keys), _BLOCK):
                    block = keys[start : start + _BLOCK]
                    marks = ",".join("?" * len(block))
                    rows = f"SELECT key, value, digest FROM answers WHERE key IN ({marks})"
                    for key, text, digest in self._open().execute(rows, block):
                        if isinstance(text, str) and digest == _digest(key, text):
                            found[key] = text
            except sqlite3.Error as error:
                raise self._unusable(error) from error
        return found

    def write(self, key: bytes, text: str) -> None:
        """Keep a text, and give back its key. Raises InputError when the file cannot be written."""
        with self._lock:
            try:
                connection = self._open()
                if key not in self._claimed:
                    connection.execute(_WRITE, (key, text, _digest(key, text)))
                    return
                connection.execute("BEGIN IMMEDIATE")
                try:
                    connection.execute(_WRITE, (key, text, _digest(key, text)))
                    connection.execute("DELETE FROM leases WHERE key = ?", (key,))
                    connection.execute("COMMIT")
                except BaseException:
                    connection.execute("ROLLBACK")
                    raise
                self._claimed.discard(key)
            except sqlite3.Error as error:
                raise self._unusable(error) from error

    def claim(self, key: bytes) -> bool:
        """Take a key for this process, and tell whether it is ours: no other living one has it.

        A key is given back by `write` and `give_back`, by the death of its process, and in the end
        by time.
        """
        with self._lock:
            try:
                for _ in range(2):
                    now = time.time()
                    row = (key, _owner(), now + LEASE, now)
                    if self._open().execute(_CLAIM, row).rowcount:
                        self._claimed.add(key)
                        return True
                    if not self._freed(key):
                        return False
            except sqlite3.Error as error:
                raise self._unusable(error) from error
        return False

    def give_back(self, key: bytes) -> None:
        """Leave a key of ours to others."""
        with self._lock:
            if key not in self._claimed:
                return
            self._claimed.discard(key)
            try:
                statement = "DELETE FROM leases WHERE key = ? AND owner = ?"
                self._open().execute(statement, (key, _owner()))
            except sqlite3.Error as error:
                raise self._unusable(error) from error

    def _freed(self, key: bytes) -> bool:
        """Take a key from a process of this machine that is dead; tell whether it is free now."""
        row = self._open().execute("SELECT owner FROM leases WHERE key = ?", (key,)).fetchone()
        if row is None:
            return True
        if _is_alive(row[0]):
            return False
        self._open().execute("DELETE FROM leases WHERE key = ? AND owner = ?", (key, row[0]))
        return True

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    def __getstate__(self) -> Path:
        return self.path

    def __setstate__(self, path: Path) -> None:
        self.__init__(path)  # type: ignore[misc]

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None and self._process == os.getpid():
            return self._connection
        # A connection must not be carried over a fork, and not be closed there either.
        connection = sqlite3.connect(
            self.path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
        )
        self._claimed = set()
        until = time.monotonic() + _PATIENCE
        while True:  # who turns the journal over does not wait for others who do, as writers do
            try:
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA synchronous=NORMAL")
                for table in _TABLES:
                    connection.execute(table)
                _with_digests(connection)
                break
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
                time.sleep(random.uniform(0.01, 0.1))
        self._connection, self._process = connection, os.getpid()
        return connection

    def _unusable(self, error: sqlite3.Error) -> InputError:
        if isinstance(error, sqlite3.OperationalError):
            way_out = "Set LEADLINE_CACHE to a folder with space that you may write to."
        else:
            way_out = "It is damaged: remove it, and its answers are asked for again."
        return InputError(f"The cache {self.path} cannot be used: {error}. {way_out}")


def _digest(key: bytes, text: str) -> bytes:
    content = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(content, digest_size=8, key=key).digest()


def _with_digests(connection: sqlite3.Connection) -> None:
    """Give digests to the texts of a file that an earlier version made."""
    names = [row[1] for row in connection.execute("PRAGMA table_info(answers)")]
    if "digest" in names:
        return
    connection.create_function("digest_of", 2, _digest, deterministic=True)
    connection.execute("BEGIN IMMEDIATE")
    try:
        names = [row[1] for row in connection.execute("PRAGMA table_info(answers)")]
        if "digest" not in names:  # another process may have been first
            connection.execute("ALTER TABLE answers ADD COLUMN digest BLOB")
            connection.execute(
                "UPDATE answers SET digest = digest_of(key, value) WHERE typeof(value) = 'text'"
            )
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _owner() -> str:
    return f"{node()} {os.getpid()}"


def _is_alive(owner: object) -> bool:
    """Tell whether a process may be alive; what is not of this machine counts as alive."""
    host, _, process = str(owner).rpartition(" ")
    if host != node() or os.name != "posix" or not process.isdigit():
        return True
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
