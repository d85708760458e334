"""Cache the answers of any language model on disk, so that no call is paid twice."""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import os
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from functools import cached_property
from pathlib import Path
from platform import node
from typing import Any, TypeVar

from leadline.errors import InputError
from leadline.llm.account import Line
from leadline.llm.requests import Answer, Completing, Request, arriving
from leadline.llm.troubles import REFUSED_BY_MODEL, STOPPED
from leadline.types import LLM

T = TypeVar("T")

_BLOCK = 32
"""Prompts that go together to a model that cannot tell of each answer as it comes."""
_FIRST_LOOK, _LONGEST_LOOK = 0.02, 0.5
"""Seconds until a process looks again whether another has its answer."""


class CachedLLM(Completing):
    """A model whose answers are looked up first, and stored one by one as they arrive.

    An answer is found again by the settings of the model and everything in the request. The same
    request asked twice at once is sent once at temperature 0; above it, each is a sample of its
    own. What another process on the same file is asking an endpoint is waited for. Failures are
    not kept, a refusal by the model aside. An answer that is empty or was cut
    off is asked for again, unless the asker judges each try by itself or the model runs here, where
    it would only say the same. What else the model offers is passed through.

    hits    answers found
    misses  answers that had to be asked for
    """

    def __init__(self, llm: LLM, path: str | Path) -> None:
        """Wrap a model; `path` is the file, made if it is missing, in a folder that is there."""
        self.llm: Any = llm
        self.hits = 0
        self.misses = 0
        self.store = Store(Path(path))
        self._under_way: dict[bytes, Future[Answer]] = {}

    @cached_property
    def _identity(self) -> str:
        """What the model's answers depend on, as it tells or else its settings at first use."""
        return getattr(self.llm, "identity", None) or json.dumps(self.settings, sort_keys=True)

    def __getattr__(self, name: str) -> Any:
        """Pass through what only the model itself knows."""
        if name.startswith("_") or name == "llm":
            raise AttributeError(name)
        return getattr(self.llm, name)

    @property
    def name(self) -> str:
        """The model's own name."""
        return str(self.llm.name)

    @property
    def settings(self) -> dict[str, Any]:
        """The model's own settings: where an answer was kept changes no score."""
        return dict(getattr(self.llm, "settings", {"name": self.llm.name}))

    def answers(self, requests: Sequence[Request]) -> Iterator[tuple[int, Answer]]:
        """Yield the position of each request with its answer: first the kept, then the new."""
        keys = self._keys(
            (each.fingerprint for each in requests),
            [each.temperature == 0 or each.seed is not None for each in requests],
        )
        places = _places(keys)
        missing = {key: requests[positions[0]] for key, positions in places.items()}
        for key, answer in self._looked_up(missing).items():
            del missing[key]
            self._found(len(places[key]))
            yield from ((position, answer) for position in places[key])
        for key, answer in self._new(missing):
            self.misses += len(places[key]) - 1
            yield from ((position, answer) for position in places[key])

    def submit(self, request: Request) -> Future[Answer]:
        """Ask a model at an endpoint one thing beside others, unless the answer is kept.

        The same request is sent once, however often it is asked at a time.
        """
        key = self.key_of(request)
        future: Future[Answer] | None = self._under_way.get(key)
        if future is not None:
            return future
        answer = self._looked_up({key: request}).get(key)
        if answer is not None:
            self._found(1)
        elif self.llm.line.account.dry_run:
            answer = self.llm.line.plan(request)
        if answer is not None:
            future = Future()
            future.set_result(answer)
            return future
        future = self._started(key, request)
        self._under_way[key] = future
        future.add_done_callback(lambda _: self._under_way.pop(key, None))
        return future

    def _started(self, key: bytes, request: Request) -> Future[Answer]:
        loop = self.llm.connected().loop
        return asyncio.run_coroutine_threadsafe(self._asked(key, request), loop)

    async def _asked(self, key: bytes, request: Request) -> Answer:
        """Ask and keep the answer, unless another process asks: then its answer is waited for."""
        connection = self.llm.connected()
        pause = _FIRST_LOOK
        with connection.work():
            while not self.store.claim(key):
                if connection.is_stopping:
                    return Answer("", failure=STOPPED.failure)
                await asyncio.sleep(pause)
                pause = min(_LONGEST_LOOK, pause * 1.5)
            try:
                found = self._looked_up({key: request}).get(key)
                if found is not None:
                    self.store.give_back(key)
                    self._found(1)
                    return found
                answer: Answer = await self.llm.ask(request)
                self._keep(key, answer)
            except BaseException:
                self.store.give_back(key)
                raise
        self.misses += 1
        return answer

    def key_of(self, request: Request) -> bytes:
        """Return by what the answer to a request is found again."""
        return self._keys([request.fingerprint])[0]

    def _looked_up(self, requests: Mapping[bytes, Request]) -> dict[bytes, Answer]:
        """Return the answers that are kept and will do, so that they are not asked for again."""
        says_the_same = getattr(self.llm, "is_deterministic", False)
        found: dict[bytes, Answer] = {}
        for key, text in self.store.read(list(requests)).items():
            answer, request = _answer_in(text), requests[key]
            if answer is None:
                continue
            is_final = says_the_same and not request.temperature and answer.failure is None
            if answer.is_usable or request.is_judged or is_final:
                found[key] = answer
        return found

    def _keep(self, key: bytes, answer: Answer) -> None:
        """Keep an answer; a failure is not kept, unless the model itself refused."""
        if answer.failure is None or answer.failure.kind == REFUSED_BY_MODEL:
            self.store.write(key, answer.to_json())
        else:
            self.store.give_back(key)

    def _found(self, count: int) -> None:
        """Count answers that were kept; they are a sign, too, that an endpoint works."""
        self.hits += count
        if (line := line_in(self.llm)) is not None:
            line.hits += count

    def log_probabilities(self, prompts: Sequence[str], tokens: Sequence[str]) -> list[list[float]]:
        """Return the log-probability of each token as the next one, as the model tells them.

        Raises InputError when the model gives no log-probabilities.
        """
        return self._rows("log_probabilities", "log_probability_rows", prompts, tokens)

    def logits(self, prompts: Sequence[str], tokens: Sequence[str]) -> list[list[float]]:
        """Return the logit of each token as the next one, as a model in this process tells them.

        Raises InputError when the model gives no logits.
        """
        return self._rows("logits", "logit_rows", prompts, tokens)

    def _rows(
        self, whole: str, streamed: str, prompts: Sequence[str], tokens: Sequence[str]
    ) -> list[list[float]]:
        """Return the rows that are kept, and those that the model gives for the rest.

        whole, streamed  names of what gives the rows of all prompts, or each as it comes
        """
        if not hasattr(self.llm, whole):
            raise InputError(f"{self.name} does not return {whole.replace('_', '-')}.")
        wanted = ("" if whole == "log_probabilities" else whole) + json.dumps(list(tokens))
        keys = self._keys(f"{wanted}{json.dumps(each)}" for each in prompts)
        places, rows = _places(keys), {}
        for key, text in self.store.read(keys).items():
            rows[key] = json.loads(text)
            self._found(len(places[key]))
        missing = [key for key in places if key not in rows]
        asked = [prompts[places[key][0]] for key in missing]
        for number, row in self._scored(whole, streamed, asked, tokens):
            key = missing[number]
            if not any(map(math.isnan, row)):
                self.store.write(key, json.dumps(row))
            self.misses += len(places[key])
            rows[key] = row
        return [rows[key] for key in keys]

    def _scored(
        self, whole: str, streamed: str, prompts: Sequence[str], tokens: Sequence[str]
    ) -> Iterator[tuple[int, list[float]]]:
        if hasattr(self.llm, streamed):
            yield from getattr(self.llm, streamed)(prompts, tokens)
            return
        for start in range(0, len(prompts), _BLOCK):
            rows = getattr(self.llm, whole)(prompts[start : start + _BLOCK], tokens)
            yield from enumerate(rows, start)

    def close(self) -> None:
        """Close the file, and what the model has open."""
        self.store.close()
        if hasattr(self.llm, "close"):
            self.llm.close()

    def _keys(self, texts: Iterable[str], repeatable: Sequence[bool] | None = None) -> list[bytes]:
        """Return what texts are found by; the same text again is a sample of its own.

        repeatable  of which texts it has the same answer
        """
        start = hashlib.sha256(self._identity.encode())
        times: dict[bytes, int] = {}
        keys = []
        for number, text in enumerate(texts):
            digest = start.copy()
            digest.update(text.encode("utf-8", "surrogatepass"))
            key = digest.digest()
            if repeatable is not None and not repeatable[number]:
                times[key] = times.get(key, -1) + 1
                digest.update(f"#{times[key]}".encode())
                key = digest.digest()
            keys.append(key)
        return keys

    def _new(self, requests: Mapping[bytes, Request]) -> Iterator[tuple[bytes, Answer]]:
        """Yield what the model answers, each kept as soon as it is there."""
        keys, asked = list(requests), list(requests.values())
        if is_elsewhere(self):
            new = self.llm.answers(asked, lambda n: self._started(keys[n], asked[n]))
            yield from ((keys[place], answer) for place, answer in new)
            return
        for place, answer in arriving(self.llm, asked):
            self._keep(keys[place], answer)
            self.misses += 1
            yield keys[place], answer


def is_elsewhere(llm: Any) -> bool:
    """Tell whether a model is at an endpoint, so that it takes questions one by one."""
    return hasattr(llm.llm if isinstance(llm, CachedLLM) else llm, "connected")


def line_in(llm: Any) -> Line | None:
    """Return what books the calls of a model, however it is wrapped; None if nothing does."""
    line: Line | None = getattr(llm, "line", None)
    return line


def _places(keys: Sequence[bytes]) -> dict[bytes, list[int]]:
    places: dict[bytes, list[int]] = {}
    for position, key in enumerate(keys):
        places.setdefault(key, []).append(position)
    return places


def _answer_in(text: str) -> Answer | None:
    try:
        return Answer.from_json(text)
    except (ValueError, TypeError, RecursionError, AttributeError, KeyError):
        return None  # written by a version that kept other fields, or damaged


_ROWS = 500
"""Keys that are looked up in one statement."""
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
    """Texts by key in one SQLite file that many processes share and that outlives a kill.

    Each is there for good when `write` returns. A text that was altered since, which its digest
    tells, counts as one that is not there.
    """

    def __init__(self, path: Path) -> None:
        """Remember the file; it is opened, and made if it is missing, on first use."""
        self.path = path
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._process = 0
        self._claimed: set[bytes] = set()

    def read(self, keys: Sequence[bytes]) -> dict[bytes, str]:
        """Return the texts that are there and whole.

        Raises InputError when the file cannot be read.
        """

        def found(file: sqlite3.Connection) -> dict[bytes, str]:
            texts = {}
            for start in range(0, len(keys), _ROWS):
                block = keys[start : start + _ROWS]
                marks = ",".join("?" * len(block))
                rows = f"SELECT key, value, digest FROM answers WHERE key IN ({marks})"
                for key, text, digest in file.execute(rows, block):
                    if isinstance(text, str) and digest == _digest(key, text):
                        texts[key] = text
            return texts

        return self._with(found)

    def write(self, key: bytes, text: str) -> None:
        """Keep a text, and give back its key. Raises InputError when the file cannot be written."""

        def kept(file: sqlite3.Connection) -> None:
            file.execute("BEGIN IMMEDIATE")
            try:
                file.execute(_WRITE, (key, text, _digest(key, text)))
                if key in self._claimed:
                    file.execute("DELETE FROM leases WHERE key = ?", (key,))
                file.execute("COMMIT")
            except BaseException:
                file.execute("ROLLBACK")
                raise
            self._claimed.discard(key)

        self._with(kept)

    def claim(self, key: bytes) -> bool:
        """Take a key for this process, and tell whether it is ours: no other living one has it.

        A key is given back by `write` and `give_back`, by the death of its process, and in the end
        by time.
        """

        def claimed(file: sqlite3.Connection) -> bool:
            for _ in range(2):
                now = time.time()
                if file.execute(_CLAIM, (key, _owner(), now + LEASE, now)).rowcount:
                    self._claimed.add(key)
                    return True
                row = file.execute("SELECT owner FROM leases WHERE key = ?", (key,)).fetchone()
                if row is not None:
                    if _is_alive(row[0]):
                        return False
                    dead = "DELETE FROM leases WHERE key = ? AND owner = ?"
                    file.execute(dead, (key, row[0]))
            return False

        return self._with(claimed)

    def give_back(self, key: bytes) -> None:
        """Leave a key of ours to others."""

        def given(file: sqlite3.Connection) -> None:
            if key in self._claimed:
                self._claimed.discard(key)
                ours = "DELETE FROM leases WHERE key = ? AND owner = ?"
                file.execute(ours, (key, _owner()))

        self._with(given)

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

    def _with(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do something with the open file. Raises InputError when it cannot be used."""
        with self._lock:
            try:
                return work(self._open())
            except sqlite3.Error as error:
                way_out = "Remove it, and its answers are asked for again."
                if isinstance(error, sqlite3.OperationalError) and "no such" not in str(error):
                    way_out = "Set LEADLINE_CACHE to a folder with space that you may write to."
                raise InputError(f"Cannot use the cache {self.path}: {error}. {way_out}") from error

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
                break
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
                time.sleep(random.uniform(0.01, 0.1))
        self._connection, self._process = connection, os.getpid()
        return connection


def _digest(key: bytes, text: str) -> bytes:
    content = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(content, digest_size=8, key=key).digest()


def _owner() -> str:
    return f"{node()} {os.getpid()}"


def _is_alive(owner: str) -> bool:
    """Tell whether a process may be alive; what is not of this machine counts as alive."""
    host, _, process = owner.rpartition(" ")
    if host != node() or os.name != "posix" or not process.isdigit():
        return True
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
